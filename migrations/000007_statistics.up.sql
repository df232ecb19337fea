-- What was done when, added up by the transaction that writes a message, so that statistics do not read the messages.
-- A session without a row is one that was there before: it is counted in the background.

-- Where sessions are from.
CREATE TABLE activity_places (
    id             INTEGER PRIMARY KEY,
    source         TEXT    NOT NULL,
    workspace_path TEXT    NOT NULL,
    UNIQUE (workspace_path, source)
) STRICT;

CREATE TABLE activity (
    family  INTEGER NOT NULL,                     -- sessions.key of the session that it is a part of, as a subagent's is of its parent's; else its own
    session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    place   INTEGER NOT NULL REFERENCES activity_places (id),
    tally   BLOB    NOT NULL,                     -- per quarter of an hour and model: see backend/sqlite/tally.go
    PRIMARY KEY (family, session)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX activity_session ON activity (session);
CREATE INDEX activity_place ON activity (place);

-- The models and tools that activity speaks of.
CREATE TABLE activity_names (
    id   INTEGER PRIMARY KEY,
    name TEXT    NOT NULL UNIQUE
) STRICT;

CREATE INDEX sessions_trash ON sessions (key) WHERE deleted_at_ms > 0;

PRAGMA user_version = 7;
