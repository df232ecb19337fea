-- Several runs of a session at once. Lane 0 is the run that moves the head; those of other lanes run aside, each
-- below a message of its own, and never move it.

ALTER TABLE runs ADD COLUMN lane INTEGER NOT NULL DEFAULT 0 CHECK (lane >= 0);

DROP INDEX runs_running;
CREATE UNIQUE INDEX runs_running ON runs (session, lane) WHERE status = 'running';

-- runs.key of the run that wrote the message; NULL: none did, or an older version.
ALTER TABLE messages ADD COLUMN run INTEGER;
CREATE INDEX messages_run ON messages (run, seq) WHERE run IS NOT NULL;

-- What the status is when nothing runs any more: that of the last run of lane 0, else what it was before.
ALTER TABLE sessions ADD COLUMN rest_status TEXT NOT NULL DEFAULT 'idle'
    CHECK (rest_status IN ('idle', 'running', 'success', 'partial', 'failed', 'interrupted', 'hibernated'));
ALTER TABLE sessions ADD COLUMN rest_stop_reason TEXT NOT NULL DEFAULT '';

-- An answer that is still being written, one of each run; what is left of it after a crash.
CREATE TABLE run_drafts (
    run           INTEGER PRIMARY KEY REFERENCES runs (key) ON DELETE CASCADE,
    parent_uid    TEXT    NOT NULL,
    body          BLOB    NOT NULL,               -- a JSON message, or a zstd frame of it
    updated_at_ms INTEGER NOT NULL
) STRICT;

INSERT INTO run_drafts SELECT run, parent_uid, body, updated_at_ms FROM drafts;
DROP TABLE drafts;
ALTER TABLE run_drafts RENAME TO drafts;

PRAGMA user_version = 9;
