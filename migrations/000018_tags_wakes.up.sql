ALTER TABLE sessions ADD COLUMN tags TEXT NOT NULL DEFAULT '[]'; -- a JSON array of words, sorted

-- What hibernated sessions wait for. One that holds is enough. A run of the session removes them.
CREATE TABLE wakes (
    id            TEXT    PRIMARY KEY,               -- UUIDv7
    session       INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    kind          TEXT    NOT NULL CHECK (kind IN ('manual', 'time', 'change', 'done', 'message')),
    at_ms         INTEGER NOT NULL,                  -- of kind time
    path          TEXT    NOT NULL,                  -- of kind change
    fingerprint   TEXT    NOT NULL,                  -- of what was at the path
    awaited       TEXT    NOT NULL,                  -- of kind done: the id of the session whose end is awaited
    detail        TEXT    NOT NULL,                  -- of kind message: what an imported condition waits for
    active        INTEGER NOT NULL CHECK (active IN (0, 1)), -- 0: imported, the user has not confirmed it
    created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX wakes_session ON wakes (session);

PRAGMA user_version = 18;
