-- How a person tends a tree: what is marked, and what is in the trash of a session.

ALTER TABLE labels ADD COLUMN color TEXT NOT NULL DEFAULT ''
    CHECK (color IN ('', 'green', 'blue', 'amber', 'violet', 'pink', 'teal', 'red', 'grey'));

-- Turns to come back to; the message is the turn's first one.
CREATE TABLE bookmarks (
    message       INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    session       INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    created_at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX bookmarks_session ON bookmarks (session);

-- The tops of subtrees that are in the trash. A message is hidden where it, or one above it, stands here.
CREATE TABLE hidden (
    message      INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    session      INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    hidden_at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX hidden_session ON hidden (session);

ALTER TABLE sessions ADD COLUMN hidden_count INTEGER NOT NULL DEFAULT 0; -- messages
ALTER TABLE sessions ADD COLUMN main INTEGER;                            -- messages.id, the end of the path that counts; NULL: none

PRAGMA user_version = 5;
