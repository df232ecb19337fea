-- What is searched. The texts stand in the messages alone: the index holds their words and where they stand, not the texts.

-- A message in the index has the number of its time in 64ths of a millisecond's thousand (created_at_ms >> 6), or the next free
-- one: the newest hits are the largest numbers, and hits of one time have numbers that are close and so take little room.
CREATE TABLE search_docs (
    id            INTEGER PRIMARY KEY,
    message       INTEGER NOT NULL UNIQUE REFERENCES messages (id) ON DELETE CASCADE,
    session       INTEGER NOT NULL,
    role          TEXT    NOT NULL,
    created_at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX search_docs_session ON search_docs (session, id);

-- The words come folded and with one space between them, see backend/query. Beside them stand a mark between two texts, and
-- the names of tools, marked.
CREATE VIRTUAL TABLE search_index USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'ascii');

-- Every word of the index, once, each in a line, in rows of a few pages: a substring is looked for in these first.
CREATE TABLE search_words (
    id    INTEGER PRIMARY KEY,
    words TEXT    NOT NULL
) STRICT;

-- The messages that are not in the index yet. Who adds messages adds them here: a trigger would make each insert half as dear again.
CREATE TABLE search_queue (
    message      INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    content_hash INTEGER NOT NULL
) STRICT;

CREATE TRIGGER search_change AFTER UPDATE OF content_hash ON messages BEGIN
    DELETE FROM search_docs WHERE message = NEW.id;
    INSERT OR REPLACE INTO search_queue (message, content_hash) VALUES (NEW.id, NEW.content_hash);
END;

CREATE TRIGGER search_forget AFTER DELETE ON search_docs BEGIN
    DELETE FROM search_index WHERE rowid = OLD.id;
END;

INSERT INTO search_queue (message, content_hash) SELECT id, content_hash FROM messages;

PRAGMA user_version = 4;
