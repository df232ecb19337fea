-- Messages of the user to an active run that are not part of the conversation yet. One that its run did not take is sent when the
-- session continues.
CREATE TABLE queued_messages (
    key           INTEGER PRIMARY KEY,
    uid           TEXT    NOT NULL UNIQUE,   -- that of the message it becomes
    run           INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    body          BLOB    NOT NULL,          -- a JSON object with parts and cites, or a zstd frame of it
    created_at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX queued_messages_run ON queued_messages (run);

PRAGMA user_version = 20;
