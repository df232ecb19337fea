-- The id of the parent session in the source. A session whose parent is not here yet waits for it.
ALTER TABLE sessions ADD COLUMN parent_source_id TEXT NOT NULL DEFAULT '';
CREATE INDEX sessions_source_parent ON sessions (parent_source_id) WHERE parent_source_id <> '';

CREATE TABLE spawns (
    session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    child   TEXT    NOT NULL, -- the id in the source of the session of a subagent, which may not be here yet
    uid     TEXT    NOT NULL, -- the message that started it
    agent   TEXT    NOT NULL, -- the agent's name; empty: not known
    title   TEXT    NOT NULL, -- what the subagent is to do; empty: not known
    PRIMARY KEY (session, child)
) STRICT, WITHOUT ROWID;

-- The files that a source lists as changed, a JSON array; NULL: not known.
ALTER TABLE origins ADD COLUMN files_modified TEXT;

-- When the last record of a message was written; 0: not known, or with the first one.
ALTER TABLE messages ADD COLUMN finished_at_ms INTEGER NOT NULL DEFAULT 0;

-- What a tool wrote in the model's name is no model call.
UPDATE sessions SET step_count = step_count - m.count FROM
    (SELECT session, count(*) AS count FROM messages WHERE role = 'assistant' AND kind = 'meta' GROUP BY session) m
    WHERE m.session = sessions.key;
DELETE FROM activity WHERE session IN (SELECT session FROM messages WHERE role = 'assistant' AND kind = 'meta');

PRAGMA user_version = 15;
