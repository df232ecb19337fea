-- What decides the next step of a run, but for the messages. A state is stored once; its long texts, which change rarely, apart
-- from it and once each.
CREATE TABLE state_texts (
    key  INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,               -- SHA-256 of the text
    body BLOB NOT NULL                       -- the text, or a zstd frame of it
) STRICT;

CREATE TABLE run_states (
    key    INTEGER PRIMARY KEY,
    hash   BLOB    NOT NULL UNIQUE,          -- SHA-256 of the whole state as JSON
    system INTEGER NOT NULL REFERENCES state_texts (key), -- the system prompt
    tools  INTEGER NOT NULL REFERENCES state_texts (key), -- the definitions of the tools, a JSON array
    body   BLOB    NOT NULL                  -- the rest, a JSON object, or a zstd frame of it
) STRICT;

CREATE INDEX run_states_system ON run_states (system);
CREATE INDEX run_states_tools ON run_states (tools);

-- The requests that runs sent to models. What was sent follows from the path to the parent and the state.
CREATE TABLE requests (
    key        INTEGER PRIMARY KEY,
    run        INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    parent     INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    message    INTEGER REFERENCES messages (id) ON DELETE SET NULL, -- the answer; NULL: none was received
    state      INTEGER NOT NULL REFERENCES run_states (key),
    hash       BLOB    NOT NULL,             -- SHA-256 of the request
    sent_at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX requests_run ON requests (run);
CREATE INDEX requests_parent ON requests (parent);
CREATE INDEX requests_message ON requests (message) WHERE message IS NOT NULL;
CREATE INDEX requests_state ON requests (state);

-- The state that a run began with; NULL: an older version wrote the run.
ALTER TABLE runs ADD COLUMN state INTEGER REFERENCES run_states (key);
CREATE INDEX runs_state ON runs (state) WHERE state IS NOT NULL;

PRAGMA user_version = 16;
