CREATE TABLE session_drafts (
    session       INTEGER PRIMARY KEY REFERENCES sessions (key) ON DELETE CASCADE,
    run           INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    parent_uid    TEXT    NOT NULL,
    body          BLOB    NOT NULL,
    updated_at_ms INTEGER NOT NULL
) STRICT;

INSERT OR REPLACE INTO session_drafts SELECT r.session, d.run, d.parent_uid, d.body, d.updated_at_ms
    FROM drafts d JOIN runs r ON r.key = d.run ORDER BY r.lane DESC;
DROP TABLE drafts;
ALTER TABLE session_drafts RENAME TO drafts;
CREATE INDEX drafts_run ON drafts (run);

ALTER TABLE sessions DROP COLUMN rest_stop_reason;
ALTER TABLE sessions DROP COLUMN rest_status;
DROP INDEX messages_run;
ALTER TABLE messages DROP COLUMN run;

UPDATE runs SET status = 'interrupted', stop_reason = 'terminated' WHERE status = 'running' AND lane > 0;
DROP INDEX runs_running;
ALTER TABLE runs DROP COLUMN lane;
CREATE UNIQUE INDEX runs_running ON runs (session) WHERE status = 'running';

PRAGMA user_version = 8;
