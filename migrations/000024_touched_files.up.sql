-- Which files the tool calls of a session changed, by how many lines. All of it is derived from the messages: a session that was stored
-- before has none of it until the step that fills it in has read the session.

CREATE TABLE file_paths (
    id   INTEGER PRIMARY KEY,
    path TEXT    NOT NULL UNIQUE,                 -- as the tool names it: absolute, or relative to the workspace
    name TEXT    NOT NULL                         -- its last element
) STRICT;

CREATE INDEX file_paths_name ON file_paths (name);

CREATE TABLE touched_files (
    session       INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    file          INTEGER NOT NULL REFERENCES file_paths (id),
    message       INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE, -- the one with the call; its row has the turn
    call_id       TEXT    NOT NULL,
    lines_added   INTEGER NOT NULL,               -- as the result reports them, else as the call asks for
    lines_removed INTEGER NOT NULL,
    failed        INTEGER NOT NULL CHECK (failed IN (0, 1)), -- 1: the result is an error, so the file was not changed
    PRIMARY KEY (session, file, message, call_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX touched_files_file ON touched_files (file, session);
CREATE INDEX touched_files_message ON touched_files (message);
CREATE INDEX touched_files_call ON touched_files (session, call_id);

-- Calls that failed are not counted.
ALTER TABLE sessions ADD COLUMN touched_count INTEGER NOT NULL DEFAULT 0; -- files
ALTER TABLE sessions ADD COLUMN lines_added INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN lines_removed INTEGER NOT NULL DEFAULT 0;
-- Which version of the derived data the session has; see the package derive.
ALTER TABLE sessions ADD COLUMN derived INTEGER NOT NULL DEFAULT 0;

CREATE INDEX sessions_derived ON sessions (derived);

PRAGMA user_version = 24;
