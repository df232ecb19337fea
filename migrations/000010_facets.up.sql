-- What sessions can be filtered by, counted as they change: whoever opens a list does not count them. And the orders of a list that stay as
-- they are while sessions grow.

CREATE TABLE facets (
    place          TEXT    NOT NULL CHECK (place IN ('list', 'archive', 'trash')),
    source         TEXT    NOT NULL,
    status         TEXT    NOT NULL,
    workspace_path TEXT    NOT NULL,
    model          TEXT    NOT NULL,
    count          INTEGER NOT NULL,              -- sessions but those of subagents; 0 where there were some
    pinned         INTEGER NOT NULL,              -- of them
    PRIMARY KEY (place, source, status, workspace_path, model)
) STRICT, WITHOUT ROWID;

-- What each session adds to them.
CREATE VIEW session_facets AS SELECT key, source, status, workspace_path, model, pinned_at_ms > 0 AS pinned,
    CASE WHEN deleted_at_ms > 0 THEN 'trash' WHEN archived_at_ms > 0 THEN 'archive' ELSE 'list' END AS place
    FROM sessions WHERE relation <> 'subagent';

INSERT INTO facets SELECT place, source, status, workspace_path, model, count(*), sum(pinned) FROM session_facets GROUP BY 1, 2, 3, 4, 5;

CREATE TRIGGER facets_come AFTER INSERT ON sessions BEGIN
    INSERT INTO facets SELECT place, source, status, workspace_path, model, 1, pinned FROM session_facets WHERE key = NEW.key
        ON CONFLICT DO UPDATE SET count = count + 1, pinned = pinned + excluded.pinned;
END;

CREATE TRIGGER facets_go BEFORE DELETE ON sessions BEGIN
    UPDATE facets SET count = facets.count - 1, pinned = facets.pinned - s.pinned FROM session_facets s WHERE s.key = OLD.key
        AND (facets.place, facets.source, facets.status, facets.workspace_path, facets.model) = (s.place, s.source, s.status, s.workspace_path, s.model);
END;

CREATE TRIGGER facets_change_from BEFORE UPDATE OF source, status, workspace_path, model, relation, pinned_at_ms, archived_at_ms, deleted_at_ms ON sessions
WHEN (OLD.source, OLD.status, OLD.workspace_path, OLD.model, OLD.relation, OLD.pinned_at_ms, OLD.archived_at_ms, OLD.deleted_at_ms)
    <> (NEW.source, NEW.status, NEW.workspace_path, NEW.model, NEW.relation, NEW.pinned_at_ms, NEW.archived_at_ms, NEW.deleted_at_ms) BEGIN
    UPDATE facets SET count = facets.count - 1, pinned = facets.pinned - s.pinned FROM session_facets s WHERE s.key = OLD.key
        AND (facets.place, facets.source, facets.status, facets.workspace_path, facets.model) = (s.place, s.source, s.status, s.workspace_path, s.model);
END;

CREATE TRIGGER facets_change_to AFTER UPDATE OF source, status, workspace_path, model, relation, pinned_at_ms, archived_at_ms, deleted_at_ms ON sessions
WHEN (OLD.source, OLD.status, OLD.workspace_path, OLD.model, OLD.relation, OLD.pinned_at_ms, OLD.archived_at_ms, OLD.deleted_at_ms)
    <> (NEW.source, NEW.status, NEW.workspace_path, NEW.model, NEW.relation, NEW.pinned_at_ms, NEW.archived_at_ms, NEW.deleted_at_ms) BEGIN
    INSERT INTO facets SELECT place, source, status, workspace_path, model, 1, pinned FROM session_facets WHERE key = NEW.key
        ON CONFLICT DO UPDATE SET count = count + 1, pinned = pinned + excluded.pinned;
END;

CREATE INDEX sessions_title ON sessions (title COLLATE NOCASE, key) WHERE deleted_at_ms = 0 AND archived_at_ms = 0 AND relation <> 'subagent';
CREATE INDEX sessions_created ON sessions (created_at_ms DESC, key DESC) WHERE deleted_at_ms = 0 AND archived_at_ms = 0 AND relation <> 'subagent';

PRAGMA user_version = 10;
