-- Messages before which the tool that a session is from kept files as they were, as their meta says.
CREATE TABLE checkpoints (
    message    INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    session    INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    file_count INTEGER NOT NULL -- 0: not told
) STRICT;

CREATE INDEX checkpoints_session ON checkpoints (session);

PRAGMA user_version = 11;
