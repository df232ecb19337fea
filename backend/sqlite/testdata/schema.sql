-- user_version 31
CREATE VIEW session_facets AS SELECT key, source, status, workspace_path, model, pinned_at_ms > 0 AS pinned,
    CASE WHEN deleted_at_ms > 0 THEN 'trash' WHEN archived_at_ms > 0 THEN 'archive' ELSE 'list' END AS place
    FROM sessions WHERE relation <> 'subagent';

CREATE TRIGGER facets_change_from BEFORE UPDATE OF source, status, workspace_path, model, relation, pinned_at_ms, archived_at_ms, deleted_at_ms ON sessions
WHEN (OLD.source, OLD.status, OLD.workspace_path, OLD.model, OLD.relation, OLD.pinned_at_ms, OLD.archived_at_ms, OLD.deleted_at_ms)
    <> (NEW.source, NEW.status, NEW.workspace_path, NEW.model, NEW.relation, NEW.pinned_at_ms, NEW.archived_at_ms, NEW.deleted_at_ms) BEGIN
    UPDATE facets SET count = facets.count - 1, pinned = facets.pinned - s.pinned FROM session_facets s WHERE s.key = OLD.key
        AND (facets.place, facets.source, facets.status, facets.workspace_path, facets.model) = (s.place, s.source, s.status, s.workspace_path, s.model);
END;

CREATE TRIGGER facets_change_to AFTER UPDATE OF source, status, workspace_path, model, relation, pinned_at_ms, archived_at_ms, deleted_at_ms ON sessions
WHEN (OLD.source, OLD.status, OLD.workspace_path, OLD.model, OLD.relation, OLD.pinned_at_ms, OLD.archived_at_ms, OLD.deleted_at_ms)
    <> (NEW.source, NEW.status, NEW.workspace_path, NEW.model, NEW.relation, NEW.pinned_at_ms, NEW.archived_at_ms, NEW.deleted_at_ms) BEGIN
    INSERT INTO facets SELECT place, source, status, workspace_path, model, 1, pinned FROM session_facets WHERE key = NEW.key
        ON CONFLICT DO UPDATE SET count = count + 1, pinned = pinned + excluded.pinned;
END;

CREATE TRIGGER facets_come AFTER INSERT ON sessions BEGIN
    INSERT INTO facets SELECT place, source, status, workspace_path, model, 1, pinned FROM session_facets WHERE key = NEW.key
        ON CONFLICT DO UPDATE SET count = count + 1, pinned = pinned + excluded.pinned;
END;

CREATE TRIGGER facets_go BEFORE DELETE ON sessions BEGIN
    UPDATE facets SET count = facets.count - 1, pinned = facets.pinned - s.pinned FROM session_facets s WHERE s.key = OLD.key
        AND (facets.place, facets.source, facets.status, facets.workspace_path, facets.model) = (s.place, s.source, s.status, s.workspace_path, s.model);
END;

CREATE TRIGGER search_change AFTER UPDATE OF content_hash ON messages BEGIN
    DELETE FROM search_docs WHERE message = NEW.id;
    INSERT OR REPLACE INTO search_queue (message, content_hash) VALUES (NEW.id, NEW.content_hash);
END;

CREATE TRIGGER search_forget AFTER DELETE ON search_docs BEGIN
    DELETE FROM search_index WHERE rowid = OLD.id;
END;

CREATE TRIGGER session_tags_change AFTER UPDATE OF tags ON sessions WHEN NEW.tags <> OLD.tags BEGIN
    DELETE FROM session_tags WHERE session = NEW.key;
    INSERT INTO session_tags SELECT DISTINCT value, NEW.key FROM json_each(NEW.tags);
END;

CREATE TRIGGER session_tags_come AFTER INSERT ON sessions WHEN NEW.tags <> '[]' BEGIN
    INSERT INTO session_tags SELECT DISTINCT value, NEW.key FROM json_each(NEW.tags);
END;

CREATE TRIGGER workspace_projects_change AFTER UPDATE OF project, workspace_path ON sessions
WHEN NEW.project <> '' AND (NEW.project <> OLD.project OR NEW.workspace_path <> OLD.workspace_path) BEGIN
    INSERT INTO workspace_projects VALUES (NEW.workspace_path, NEW.project) ON CONFLICT DO UPDATE SET project = excluded.project;
END;

CREATE TRIGGER workspace_projects_come AFTER INSERT ON sessions WHEN NEW.project <> '' BEGIN
    INSERT INTO workspace_projects VALUES (NEW.workspace_path, NEW.project) ON CONFLICT DO UPDATE SET project = excluded.project;
END;

CREATE TABLE activity (
    family  INTEGER NOT NULL,                     -- sessions.key of the session that it is a part of, as a subagent's is of its parent's; else its own
    session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    place   INTEGER NOT NULL REFERENCES activity_places (id),
    tally   BLOB    NOT NULL,                     -- per quarter of an hour and model: see backend/sqlite/tally.go
    PRIMARY KEY (family, session)
) STRICT, WITHOUT ROWID;

CREATE TABLE activity_names (
    id   INTEGER PRIMARY KEY,
    name TEXT    NOT NULL UNIQUE
) STRICT;

CREATE TABLE activity_places (
    id             INTEGER PRIMARY KEY,
    source         TEXT    NOT NULL,
    workspace_path TEXT    NOT NULL,
    UNIQUE (workspace_path, source)
) STRICT;

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
, active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)), extra TEXT NOT NULL DEFAULT '') STRICT, WITHOUT ROWID;

CREATE TABLE blobs (
    id         INTEGER PRIMARY KEY,
    hash       TEXT    NOT NULL UNIQUE,           -- sha256: and 64 hexadecimal digits
    mime_type  TEXT    NOT NULL,
    size_bytes INTEGER NOT NULL,
    codec      TEXT    NOT NULL CHECK (codec IN ('raw', 'zstd')),
    data       BLOB                               -- NULL: a message refers to it, but it never came
) STRICT;

CREATE TABLE bookmarks (
    message       INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    session       INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    created_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE branches (
    session       INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    number        INTEGER NOT NULL,
    parent        INTEGER NOT NULL,               -- the number of the branch it forks from; -1: it starts at a root
    fork_depth    INTEGER NOT NULL,               -- the depth of the message it hangs on; -1 for a root
    tip_depth     INTEGER NOT NULL,
    tip_seq       INTEGER NOT NULL,               -- of its last message, to find the newest
    prompt_depth  INTEGER NOT NULL,               -- of the first prompt on the path to the tip; -1: none
    created_at_ms INTEGER NOT NULL,
    PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoints (
    message    INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    session    INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    file_count INTEGER NOT NULL -- 0: not told
) STRICT;

CREATE TABLE copied_states (
    message INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    state   INTEGER NOT NULL REFERENCES run_states (key)
, extra TEXT NOT NULL DEFAULT '') STRICT;

CREATE TABLE "drafts" (
    run           INTEGER PRIMARY KEY REFERENCES runs (key) ON DELETE CASCADE,
    parent_uid    TEXT    NOT NULL,
    body          BLOB    NOT NULL,               -- a JSON message, or a zstd frame of it
    updated_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE facets (
    place          TEXT    NOT NULL CHECK (place IN ('list', 'archive', 'trash')),
    source         TEXT    NOT NULL,
    status         TEXT    NOT NULL,
    workspace_path TEXT    NOT NULL,
    model          TEXT    NOT NULL,
    count          INTEGER NOT NULL,              -- sessions but those of subagents; 0 where there were some
    pinned         INTEGER NOT NULL,              -- of them
    PRIMARY KEY (place, source, status, workspace_path, model)
) STRICT, WITHOUT ROWID;

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
, extra TEXT NOT NULL DEFAULT '') STRICT;

CREATE TABLE file_paths (
    id   INTEGER PRIMARY KEY,
    path TEXT    NOT NULL UNIQUE,                 -- as the tool names it: absolute, or relative to the workspace
    name TEXT    NOT NULL                         -- its last element
) STRICT;

CREATE TABLE grafts (
    message      INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    session      INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    from_session TEXT    NOT NULL, -- sessions.id; it may be one that is not here
    from_uid     TEXT    NOT NULL  -- the message that was copied
) STRICT;

CREATE TABLE hidden (
    message      INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    session      INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    hidden_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE labels (
    message       INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    session       INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    text          TEXT    NOT NULL,
    created_at_ms INTEGER NOT NULL
, color TEXT NOT NULL DEFAULT ''
    CHECK (color IN ('', 'green', 'blue', 'amber', 'violet', 'pink', 'teal', 'red', 'grey'))) STRICT;

CREATE TABLE message_blobs (
    message INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    blob    INTEGER NOT NULL REFERENCES blobs (id),
    PRIMARY KEY (message, blob)
) STRICT, WITHOUT ROWID;

CREATE TABLE messages (
    id                 INTEGER PRIMARY KEY,
    session            INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    seq                INTEGER NOT NULL,
    branch             INTEGER NOT NULL,
    depth              INTEGER NOT NULL,
    turn               INTEGER NOT NULL,
    parent             INTEGER,                   -- messages.id; NULL: a root. Not a foreign key: that would need an index only to delete
    uid                TEXT    NOT NULL,
    kind               TEXT    NOT NULL CHECK (kind = 'message' OR kind = 'meta' OR kind = 'command' OR kind = 'compaction' OR kind = 'branch_summary'),
    role               TEXT    NOT NULL CHECK (role = 'tool' OR role = 'assistant' OR role = 'user' OR role = 'system'),
    name               TEXT    NOT NULL,
    agent              TEXT    NOT NULL,
    model              TEXT    NOT NULL,
    text_preview       TEXT    NOT NULL,          -- the beginning, one line
    input_tokens       INTEGER,                   -- NULL in all five: no usage
    output_tokens      INTEGER,
    cache_read_tokens  INTEGER,
    cache_write_tokens INTEGER,
    reasoning_tokens   INTEGER,
    cost_nano_usd      INTEGER,                   -- NULL: unknown
    finish_reason      TEXT    NOT NULL,
    created_at_ms      INTEGER NOT NULL,
    content_hash       INTEGER NOT NULL,          -- of all that an import may change
    body               BLOB    NOT NULL           -- JSON, or a zstd frame of it
, run INTEGER, finished_at_ms INTEGER NOT NULL DEFAULT 0, estimated_cost_nano_usd INTEGER, estimate_partial INTEGER NOT NULL DEFAULT 0 CHECK (estimate_partial IN (0, 1))) STRICT;

CREATE TABLE named_checkpoints (
    key           INTEGER PRIMARY KEY,
    session       INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    message       INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    number        INTEGER NOT NULL,          -- among those of the message, from 1
    name          TEXT    NOT NULL,
    state         INTEGER REFERENCES run_states (key), -- NULL: the session had none
    created_at_ms INTEGER NOT NULL, extra TEXT NOT NULL DEFAULT '',
    UNIQUE (session, name),
    UNIQUE (message, number)
) STRICT;

CREATE TABLE origins (
    source_id   TEXT    NOT NULL,
    source      TEXT    NOT NULL,
    session     INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    source_path TEXT    NOT NULL,
    head        INTEGER, files_modified TEXT,                          -- messages.id that the source would continue from
    PRIMARY KEY (source_id, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE packs (
    id      INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    body    BLOB    NOT NULL
) STRICT;

CREATE TABLE queued_messages (
    key           INTEGER PRIMARY KEY,
    uid           TEXT    NOT NULL UNIQUE,   -- that of the message it becomes
    run           INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    body          BLOB    NOT NULL,          -- a JSON object with parts and cites, or a zstd frame of it
    created_at_ms INTEGER NOT NULL
, extra TEXT NOT NULL DEFAULT '') STRICT;

CREATE TABLE records (
    id           INTEGER PRIMARY KEY,
    session      INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    line         INTEGER NOT NULL,
    content_hash INTEGER NOT NULL,
    after_uid    TEXT    NOT NULL,
    type         TEXT    NOT NULL,
    known        INTEGER NOT NULL CHECK (known IN (0, 1)),
    body         BLOB    NOT NULL                 -- JSON, or a zstd frame of it
) STRICT;

CREATE TABLE requests (
    key        INTEGER PRIMARY KEY,
    run        INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    parent     INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    message    INTEGER REFERENCES messages (id) ON DELETE SET NULL, -- the answer; NULL: none was received
    state      INTEGER NOT NULL REFERENCES run_states (key),
    hash       BLOB    NOT NULL,             -- SHA-256 of the request
    sent_at_ms INTEGER NOT NULL
, extra TEXT NOT NULL DEFAULT '', redacted INTEGER NOT NULL DEFAULT 0 CHECK (redacted IN (0, 1))) STRICT;

CREATE TABLE restores (
    key           INTEGER PRIMARY KEY,
    session       INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    message       INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    state         INTEGER REFERENCES run_states (key), -- NULL: the checkpoint has none
    run           INTEGER NOT NULL,          -- the newest run of the session by then; 0: none
    former_uid    TEXT    NOT NULL,          -- the head before; empty: before the first message
    former_state  INTEGER REFERENCES run_states (key), -- what the session would have continued with; NULL: none
    undone        INTEGER NOT NULL CHECK (undone IN (0, 1)),
    created_at_ms INTEGER NOT NULL
, extra TEXT NOT NULL DEFAULT '') STRICT;

CREATE TABLE run_states (
    key    INTEGER PRIMARY KEY,
    hash   BLOB    NOT NULL UNIQUE,          -- SHA-256 of the whole state as JSON
    system INTEGER NOT NULL REFERENCES state_texts (key), -- the system prompt
    tools  INTEGER NOT NULL REFERENCES state_texts (key), -- the definitions of the tools, a JSON array
    body   BLOB    NOT NULL                  -- the rest, a JSON object, or a zstd frame of it
) STRICT;

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
, lane INTEGER NOT NULL DEFAULT 0 CHECK (lane >= 0), base_url TEXT NOT NULL DEFAULT '', state INTEGER REFERENCES run_states (key), imported INTEGER NOT NULL DEFAULT 0 CHECK (imported IN (0, 1)), extra TEXT NOT NULL DEFAULT '', used_steps INTEGER NOT NULL DEFAULT 0, used_ms    INTEGER NOT NULL DEFAULT 0, alive_at_ms INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE search_docs (
    id            INTEGER PRIMARY KEY,
    message       INTEGER NOT NULL UNIQUE REFERENCES messages (id) ON DELETE CASCADE,
    session       INTEGER NOT NULL,
    role          TEXT    NOT NULL,
    created_at_ms INTEGER NOT NULL
, signature BLOB) STRICT;

CREATE VIRTUAL TABLE search_index USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'ascii');

CREATE TABLE 'search_index_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE 'search_index_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'search_index_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);

CREATE TABLE 'search_index_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE TABLE search_queue (
    message      INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    content_hash INTEGER NOT NULL
) STRICT;

CREATE TABLE search_words (
    id    INTEGER PRIMARY KEY,
    words TEXT    NOT NULL
) STRICT;

CREATE TABLE secret_hits (
    hash    BLOB    NOT NULL,
    session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    message INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    count   INTEGER NOT NULL,
    PRIMARY KEY (hash, session, message)
) STRICT, WITHOUT ROWID;

CREATE TABLE secret_scans (
    session  INTEGER PRIMARY KEY REFERENCES sessions (key) ON DELETE CASCADE,
    version  INTEGER NOT NULL, -- of the rules
    messages INTEGER NOT NULL, -- sessions.message_count and reshape_count when it was scanned
    reshapes INTEGER NOT NULL
) STRICT;

CREATE TABLE session_tags (
    tag     TEXT    NOT NULL,
    session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    PRIMARY KEY (tag, session)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    key                INTEGER PRIMARY KEY,
    id                 TEXT    NOT NULL UNIQUE,
    name               TEXT    UNIQUE,            -- NULL: none
    title              TEXT    NOT NULL,
    task               TEXT    NOT NULL,
    source             TEXT    NOT NULL CHECK (source IN ('coppice', 'claude_code', 'codex', 'gemini_cli', 'opencode', 'pi', 'chatgpt',
                                   'claude_ai', 'openassistant', 'architect', 'agent_base', 'agent_harness', 'fuseraft', 'agentzero')),
    source_id          TEXT    NOT NULL,
    source_path        TEXT    NOT NULL,
    status             TEXT    NOT NULL CHECK (status IN ('idle', 'running', 'success', 'partial', 'failed', 'interrupted', 'hibernated')),
    stop_reason        TEXT    NOT NULL,
    agent              TEXT    NOT NULL,
    model              TEXT    NOT NULL,
    workspace_path     TEXT    NOT NULL,
    files_modified     TEXT    NOT NULL,          -- a JSON array of strings, sorted
    parent_id          TEXT    NOT NULL,          -- the id of the parent session; empty: none. It may be one that is not here
    parent_uid         TEXT    NOT NULL,          -- the message of the parent it hangs on
    relation           TEXT    NOT NULL CHECK (relation IN ('', 'subagent', 'fork')),
    head               INTEGER,                   -- messages.id; NULL: before the first message
    imported_head      INTEGER,                   -- where the last import put the head; a person has moved it where the two differ
    message_count      INTEGER NOT NULL DEFAULT 0,
    branch_count       INTEGER NOT NULL DEFAULT 0,
    turn_count         INTEGER NOT NULL DEFAULT 0,
    step_count         INTEGER NOT NULL DEFAULT 0,
    input_tokens       INTEGER NOT NULL DEFAULT 0,
    output_tokens      INTEGER NOT NULL DEFAULT 0,
    cache_read_tokens  INTEGER NOT NULL DEFAULT 0,
    cache_write_tokens INTEGER NOT NULL DEFAULT 0,
    reasoning_tokens   INTEGER NOT NULL DEFAULT 0,
    cost_nano_usd      INTEGER,                   -- NULL: unknown
    pinned_at_ms       INTEGER NOT NULL DEFAULT 0,
    archived_at_ms     INTEGER NOT NULL DEFAULT 0,
    deleted_at_ms      INTEGER NOT NULL DEFAULT 0, -- in the trash since; 0: not there
    created_at_ms      INTEGER NOT NULL,
    updated_at_ms      INTEGER NOT NULL,          -- of the newest message
    meta               TEXT    NOT NULL           -- a JSON object; empty: none
, reshape_count INTEGER NOT NULL DEFAULT 0, hidden_count INTEGER NOT NULL DEFAULT 0, main INTEGER, source_gone_at_ms INTEGER NOT NULL DEFAULT 0, rest_status TEXT NOT NULL DEFAULT 'idle'
    CHECK (rest_status IN ('idle', 'running', 'success', 'partial', 'failed', 'interrupted', 'hibernated')), rest_stop_reason TEXT NOT NULL DEFAULT '', parent_source_id TEXT NOT NULL DEFAULT '', tags TEXT NOT NULL DEFAULT '[]', touched_count INTEGER NOT NULL DEFAULT 0, lines_added INTEGER NOT NULL DEFAULT 0, lines_removed INTEGER NOT NULL DEFAULT 0, derived INTEGER NOT NULL DEFAULT 0, estimated_cost_nano_usd INTEGER, unpriced_count INTEGER NOT NULL DEFAULT 0, price_key INTEGER NOT NULL DEFAULT 0, title_origin TEXT NOT NULL DEFAULT '' CHECK (title_origin IN ('', 'derived', 'tool', 'model', 'user')), project TEXT NOT NULL DEFAULT '', last_answer TEXT NOT NULL DEFAULT '', failed_count INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sources (
    path           TEXT    PRIMARY KEY,
    session        INTEGER REFERENCES sessions (key) ON DELETE CASCADE, -- NULL: none came of it
    format         TEXT    NOT NULL,
    size_bytes     INTEGER NOT NULL,
    modified_ns    INTEGER NOT NULL,
    offset_bytes   INTEGER NOT NULL,
    tail_hash      TEXT    NOT NULL,
    version        INTEGER NOT NULL,
    imported_at_ms INTEGER NOT NULL
, gone_at_ms INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;

CREATE TABLE spawns (
    session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    child   TEXT    NOT NULL, -- the id in the source of the session of a subagent, which may not be here yet
    uid     TEXT    NOT NULL, -- the message that started it
    agent   TEXT    NOT NULL, -- the agent's name; empty: not known
    title   TEXT    NOT NULL, -- what the subagent is to do; empty: not known
    PRIMARY KEY (session, child)
) STRICT, WITHOUT ROWID;

CREATE TABLE state_texts (
    key  INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,               -- SHA-256 of the text
    body BLOB NOT NULL                       -- the text, or a zstd frame of it
) STRICT;

CREATE TABLE tag_colors (
    tag   TEXT PRIMARY KEY,
    color TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tombstones (
    source_id     TEXT    NOT NULL,
    source        TEXT    NOT NULL,
    removed_at_ms INTEGER NOT NULL,
    PRIMARY KEY (source_id, source)
) STRICT, WITHOUT ROWID;

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
    ended_at_ms   INTEGER NOT NULL, extra TEXT NOT NULL DEFAULT '',               -- 0: it has not
    PRIMARY KEY (message, position)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE turns (
    session     INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    number      INTEGER NOT NULL,
    parent      INTEGER NOT NULL,                 -- -1: none
    branch      INTEGER NOT NULL,
    first_depth INTEGER NOT NULL,
    PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE veils (
    session    INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    branch     INTEGER NOT NULL,
    from_depth INTEGER NOT NULL,
    PRIMARY KEY (session, branch)
) STRICT, WITHOUT ROWID;

CREATE TABLE visits (
    message       INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    session       INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    visited_at_ms INTEGER NOT NULL
) STRICT;

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

CREATE TABLE workspace_projects (
    workspace_path TEXT PRIMARY KEY,
    project        TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX activity_former ON activity (session) WHERE substr(tally, 1, 2) <> x'0002';

CREATE INDEX activity_place ON activity (place);

CREATE UNIQUE INDEX activity_session ON activity (session);

CREATE INDEX approvals_session ON approvals (session) WHERE session IS NOT NULL;

CREATE INDEX bookmarks_session ON bookmarks (session);

CREATE INDEX branches_fork ON branches (session, parent, fork_depth);

CREATE INDEX checkpoints_session ON checkpoints (session);

CREATE INDEX copied_states_session ON copied_states (session);

CREATE INDEX copied_states_state ON copied_states (state);

CREATE INDEX file_changes_message ON file_changes (message);

CREATE INDEX file_changes_session ON file_changes (session);

CREATE INDEX file_paths_name ON file_paths (name);

CREATE INDEX grafts_from ON grafts (from_session);

CREATE INDEX grafts_session ON grafts (session);

CREATE INDEX hidden_session ON hidden (session);

CREATE INDEX labels_session ON labels (session);

CREATE INDEX message_blobs_blob ON message_blobs (blob);

CREATE INDEX messages_opening ON messages (uid) WHERE role IN ('user', 'system');

CREATE UNIQUE INDEX messages_path ON messages (session, branch, depth);

CREATE INDEX messages_run ON messages (run, seq) WHERE run IS NOT NULL;

CREATE UNIQUE INDEX messages_seq ON messages (session, seq);

CREATE INDEX messages_turn ON messages (session, turn, seq, depth, role, kind, input_tokens, output_tokens, cost_nano_usd, created_at_ms,
    estimated_cost_nano_usd);

CREATE UNIQUE INDEX messages_uid ON messages (session, uid);

CREATE INDEX named_checkpoints_state ON named_checkpoints (state) WHERE state IS NOT NULL;

CREATE INDEX origins_path ON origins (source_path);

CREATE INDEX origins_session ON origins (session);

CREATE INDEX packs_session ON packs (session);

CREATE INDEX queued_messages_run ON queued_messages (run);

CREATE UNIQUE INDEX records_line ON records (session, line, content_hash);

CREATE INDEX requests_message ON requests (message) WHERE message IS NOT NULL;

CREATE INDEX requests_parent ON requests (parent);

CREATE INDEX requests_run ON requests (run);

CREATE INDEX requests_state ON requests (state);

CREATE INDEX restores_former_state ON restores (former_state) WHERE former_state IS NOT NULL;

CREATE INDEX restores_message ON restores (message);

CREATE INDEX restores_session ON restores (session);

CREATE INDEX restores_state ON restores (state) WHERE state IS NOT NULL;

CREATE INDEX run_states_system ON run_states (system);

CREATE INDEX run_states_tools ON run_states (tools);

CREATE UNIQUE INDEX runs_running ON runs (session, lane) WHERE status = 'running';

CREATE INDEX runs_session ON runs (session, key);

CREATE INDEX runs_state ON runs (state) WHERE state IS NOT NULL;

CREATE INDEX search_docs_session ON search_docs (session, id);

CREATE INDEX search_docs_unsigned ON search_docs (id) WHERE signature IS NULL;

CREATE INDEX secret_hits_message ON secret_hits (message);

CREATE INDEX secret_hits_session ON secret_hits (session);

CREATE INDEX session_tags_session ON session_tags (session);

CREATE INDEX sessions_cost ON sessions (coalesce(cost_nano_usd + estimated_cost_nano_usd, cost_nano_usd, estimated_cost_nano_usd) DESC,
    input_tokens + output_tokens DESC, key DESC) WHERE deleted_at_ms = 0 AND archived_at_ms = 0 AND relation <> 'subagent';

CREATE INDEX sessions_created ON sessions (created_at_ms DESC, key DESC) WHERE deleted_at_ms = 0 AND archived_at_ms = 0 AND relation <> 'subagent';

CREATE INDEX sessions_derived ON sessions (derived);

CREATE INDEX sessions_forked ON sessions (updated_at_ms DESC, key DESC) WHERE deleted_at_ms = 0 AND archived_at_ms = 0 AND relation <> 'subagent'
    AND branch_count > 1;

CREATE INDEX sessions_list ON sessions (updated_at_ms DESC, key DESC)
    WHERE deleted_at_ms = 0 AND archived_at_ms = 0 AND relation <> 'subagent';

CREATE INDEX sessions_parent ON sessions (parent_id) WHERE parent_id <> '';

CREATE INDEX sessions_pinned ON sessions (pinned_at_ms) WHERE pinned_at_ms > 0;

CREATE INDEX sessions_price ON sessions (price_key);

CREATE INDEX sessions_project ON sessions (project = '', project, updated_at_ms DESC, key DESC) WHERE deleted_at_ms = 0 AND archived_at_ms = 0 AND relation <> 'subagent';

CREATE INDEX sessions_quarter ON sessions (updated_at_ms / 900000) WHERE deleted_at_ms = 0;

CREATE INDEX sessions_source_parent ON sessions (parent_source_id) WHERE parent_source_id <> '';

CREATE INDEX sessions_title ON sessions (title COLLATE NOCASE, key) WHERE deleted_at_ms = 0 AND archived_at_ms = 0 AND relation <> 'subagent';

CREATE INDEX sessions_trash ON sessions (key) WHERE deleted_at_ms > 0;

CREATE INDEX sessions_unfinished ON sessions (updated_at_ms DESC, key DESC) WHERE deleted_at_ms = 0 AND archived_at_ms = 0 AND relation <> 'subagent'
    AND status IN ('running', 'partial', 'failed', 'interrupted', 'hibernated');

CREATE INDEX sources_session ON sources (session);

CREATE INDEX tool_execs_run ON tool_execs (run);

CREATE INDEX touched_files_call ON touched_files (session, call_id);

CREATE INDEX touched_files_file ON touched_files (file, session);

CREATE INDEX touched_files_message ON touched_files (message);

CREATE INDEX visits_session ON visits (session);

CREATE INDEX wakes_session ON wakes (session);

