-- How sessions hang together by what was copied, and what of a tree a search leaves out.

-- The first copies of what was taken from a session and put into another one, or the same.
CREATE TABLE grafts (
    message      INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    session      INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    from_session TEXT    NOT NULL, -- sessions.id; it may be one that is not here
    from_uid     TEXT    NOT NULL  -- the message that was copied
) STRICT;

CREATE INDEX grafts_session ON grafts (session);
CREATE INDEX grafts_from ON grafts (from_session);

-- What the rows of hidden hide, branch by branch: the messages at the depth and below.
CREATE TABLE veils (
    session    INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    branch     INTEGER NOT NULL,
    from_depth INTEGER NOT NULL,
    PRIMARY KEY (session, branch)
) STRICT, WITHOUT ROWID;

WITH RECURSIVE veiled (session, branch, from_depth) AS (
    SELECT m.session, m.branch, min(m.depth) FROM hidden h JOIN messages m ON m.id = h.message GROUP BY m.session, m.branch
    UNION
    SELECT b.session, b.number, b.fork_depth + 1
    FROM veiled v JOIN branches b ON b.session = v.session AND b.parent = v.branch AND b.fork_depth >= v.from_depth
)
INSERT INTO veils SELECT session, branch, min(from_depth) FROM veiled GROUP BY session, branch;

PRAGMA user_version = 8;
