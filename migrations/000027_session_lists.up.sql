-- What a list shows of a session besides its counters.

-- Where the title comes from; '' is not known, such as that of a title that an older version has stored.
ALTER TABLE sessions ADD COLUMN title_origin TEXT NOT NULL DEFAULT '' CHECK (title_origin IN ('', 'derived', 'tool', 'model', 'user'));
UPDATE sessions SET title_origin = 'user' WHERE renamed = 1;
ALTER TABLE sessions DROP COLUMN renamed;

ALTER TABLE sessions ADD COLUMN project TEXT NOT NULL DEFAULT '';     -- the repository of workspace_path
ALTER TABLE sessions ADD COLUMN last_answer TEXT NOT NULL DEFAULT ''; -- the beginning of the newest answer with words
ALTER TABLE sessions ADD COLUMN failed_count INTEGER NOT NULL DEFAULT 0; -- tool calls whose result is an error

-- Sessions without a project come last.
CREATE INDEX sessions_project ON sessions (project = '', project, updated_at_ms DESC, key DESC) WHERE deleted_at_ms = 0 AND archived_at_ms = 0 AND relation <> 'subagent';

-- The projects of the workspaces that facets count.
CREATE TABLE workspace_projects (
    workspace_path TEXT PRIMARY KEY,
    project        TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER workspace_projects_come AFTER INSERT ON sessions WHEN NEW.project <> '' BEGIN
    INSERT INTO workspace_projects VALUES (NEW.workspace_path, NEW.project) ON CONFLICT DO UPDATE SET project = excluded.project;
END;

CREATE TRIGGER workspace_projects_change AFTER UPDATE OF project, workspace_path ON sessions
WHEN NEW.project <> '' AND (NEW.project <> OLD.project OR NEW.workspace_path <> OLD.workspace_path) BEGIN
    INSERT INTO workspace_projects VALUES (NEW.workspace_path, NEW.project) ON CONFLICT DO UPDATE SET project = excluded.project;
END;

-- The tags of sessions, as triggers keep them beside sessions.tags, and the colors that the user gave to tags.
CREATE TABLE session_tags (
    tag     TEXT    NOT NULL,
    session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    PRIMARY KEY (tag, session)
) STRICT, WITHOUT ROWID;

CREATE INDEX session_tags_session ON session_tags (session);

INSERT INTO session_tags SELECT DISTINCT t.value, s.key FROM sessions s, json_each(s.tags) t WHERE s.tags <> '[]';

CREATE TRIGGER session_tags_come AFTER INSERT ON sessions WHEN NEW.tags <> '[]' BEGIN
    INSERT INTO session_tags SELECT DISTINCT value, NEW.key FROM json_each(NEW.tags);
END;

CREATE TRIGGER session_tags_change AFTER UPDATE OF tags ON sessions WHEN NEW.tags <> OLD.tags BEGIN
    DELETE FROM session_tags WHERE session = NEW.key;
    INSERT INTO session_tags SELECT DISTINCT value, NEW.key FROM json_each(NEW.tags);
END;

CREATE TABLE tag_colors (
    tag   TEXT PRIMARY KEY,
    color TEXT NOT NULL
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 27;
