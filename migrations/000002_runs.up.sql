-- What the engine does on a session, and what it must know to go on after any end.

CREATE TABLE runs (
    key            INTEGER PRIMARY KEY,
    id             TEXT    NOT NULL UNIQUE,
    session        INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    agent          TEXT    NOT NULL,
    model          TEXT    NOT NULL,
    mode           TEXT    NOT NULL CHECK (mode IN ('confirm-all', 'confirm-sensitive', 'yolo', 'plan')),
    workspace_path TEXT    NOT NULL,
    budget         TEXT    NOT NULL,              -- a JSON object
    owner_pid      INTEGER NOT NULL,
    owner_started  TEXT    NOT NULL,              -- tells the process from a later one with its number
    owner_host     TEXT    NOT NULL,
    status         TEXT    NOT NULL CHECK (status IN ('running', 'success', 'partial', 'failed', 'interrupted', 'hibernated')),
    stop_reason    TEXT    NOT NULL,
    error          TEXT    NOT NULL,
    step_count     INTEGER NOT NULL DEFAULT 0,
    input_tokens   INTEGER NOT NULL DEFAULT 0,
    output_tokens  INTEGER NOT NULL DEFAULT 0,
    cost_nano_usd  INTEGER NOT NULL DEFAULT 0,    -- of the steps whose cost is known
    unpriced_steps INTEGER NOT NULL DEFAULT 0,
    started_at_ms  INTEGER NOT NULL,
    ended_at_ms    INTEGER NOT NULL               -- 0: it has not
) STRICT;

CREATE INDEX runs_session ON runs (session, key);
-- A session has one run at a time.
CREATE UNIQUE INDEX runs_running ON runs (session) WHERE status = 'running';

-- The work on the tool calls of an assistant message. A result stands here until the tool message holds it.
CREATE TABLE tool_execs (
    message       INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    position      INTEGER NOT NULL,
    run           INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    call_id       TEXT    NOT NULL,
    name          TEXT    NOT NULL,
    state         TEXT    NOT NULL CHECK (state IN ('pending', 'running', 'done', 'denied', 'interrupted')),
    idempotent    INTEGER NOT NULL CHECK (idempotent IN (0, 1)),
    result        BLOB,                           -- a JSON part, or a zstd frame of it
    started_at_ms INTEGER NOT NULL,               -- 0: it has not
    ended_at_ms   INTEGER NOT NULL,               -- 0: it has not
    PRIMARY KEY (message, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX tool_execs_run ON tool_execs (run);

-- What tool calls did to files; the contents are blobs that the assistant message refers to.
CREATE TABLE file_changes (
    id            INTEGER PRIMARY KEY,
    session       INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    message       INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    call_id       TEXT    NOT NULL,
    path          TEXT    NOT NULL,               -- relative to the workspace
    before_hash   TEXT    NOT NULL,               -- empty: there was no file
    after_hash    TEXT    NOT NULL,               -- empty: there is none any more
    mode          INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX file_changes_session ON file_changes (session);
CREATE INDEX file_changes_message ON file_changes (message);

-- Remembered words on tool calls. What was said once is not among them.
CREATE TABLE approvals (
    id             TEXT    PRIMARY KEY,
    scope          TEXT    NOT NULL CHECK (scope IN ('session', 'workspace', 'always')),
    session        INTEGER REFERENCES sessions (key) ON DELETE CASCADE, -- NULL: not of one session
    workspace_path TEXT    NOT NULL,
    tool           TEXT    NOT NULL,
    matcher        TEXT    NOT NULL,
    decision       TEXT    NOT NULL CHECK (decision IN ('allow', 'deny')),
    reason         TEXT    NOT NULL,
    created_at_ms  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX approvals_session ON approvals (session) WHERE session IS NOT NULL;

-- An answer that is still being written; what is left of it after a crash.
CREATE TABLE drafts (
    session       INTEGER PRIMARY KEY REFERENCES sessions (key) ON DELETE CASCADE,
    run           INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    parent_uid    TEXT    NOT NULL,
    body          BLOB    NOT NULL,               -- a JSON message, or a zstd frame of it
    updated_at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX drafts_run ON drafts (run);

PRAGMA user_version = 2;
