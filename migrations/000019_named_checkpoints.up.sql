-- A checkpoint is a message with the run state at that point. Each answer with a request is one, without a row here. These are those
-- that the user named.
CREATE TABLE named_checkpoints (
    key           INTEGER PRIMARY KEY,
    session       INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    message       INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    number        INTEGER NOT NULL,          -- among those of the message, from 1
    name          TEXT    NOT NULL,
    state         INTEGER REFERENCES run_states (key), -- NULL: the session had none
    created_at_ms INTEGER NOT NULL,
    UNIQUE (session, name),
    UNIQUE (message, number)
) STRICT;

CREATE INDEX named_checkpoints_state ON named_checkpoints (state) WHERE state IS NOT NULL;

-- The run states of answers that were copied from another session. The requests stay with the run that sent them.
CREATE TABLE copied_states (
    message INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    state   INTEGER NOT NULL REFERENCES run_states (key)
) STRICT;

CREATE INDEX copied_states_session ON copied_states (session);
CREATE INDEX copied_states_state ON copied_states (state);

-- Where the user restored a checkpoint: a session continues there with that state until a later run sends a request. Undoing a restore
-- turns its row into a restore of the former position.
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
) STRICT;

CREATE INDEX restores_session ON restores (session);
CREATE INDEX restores_message ON restores (message);
CREATE INDEX restores_state ON restores (state) WHERE state IS NOT NULL;
CREATE INDEX restores_former_state ON restores (former_state) WHERE former_state IS NOT NULL;

PRAGMA user_version = 19;
