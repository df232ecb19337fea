-- Bodies of messages that were imported together, one after another, as one zstd frame. In place of such a body, messages.body
-- has a reference: see backend/sqlite/internal/packing/pack.go. Earlier messages keep their bodies.
CREATE TABLE packs (
    id      INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    body    BLOB    NOT NULL
) STRICT;

CREATE INDEX packs_session ON packs (session);

PRAGMA user_version = 28;
