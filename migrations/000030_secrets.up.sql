-- Where secrets occur, by a keyed hash of each: the library does not hold their text a second time. All of it is derived from the
-- messages, see app/internal/secrets.
CREATE TABLE secret_scans (
    session  INTEGER PRIMARY KEY REFERENCES sessions (key) ON DELETE CASCADE,
    version  INTEGER NOT NULL, -- of the rules
    messages INTEGER NOT NULL, -- sessions.message_count and reshape_count when it was scanned
    reshapes INTEGER NOT NULL
) STRICT;

CREATE TABLE secret_hits (
    hash    BLOB    NOT NULL,
    session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    message INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    count   INTEGER NOT NULL,
    PRIMARY KEY (hash, session, message)
) STRICT, WITHOUT ROWID;

CREATE INDEX secret_hits_session ON secret_hits (session);
CREATE INDEX secret_hits_message ON secret_hits (message);

PRAGMA user_version = 30;
