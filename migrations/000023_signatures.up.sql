-- Which characters that are no part of words a message has next to each other: see backend/sqlite/internal/search/signature.go.
-- NULL: not computed yet, in a library of an earlier version; the next indexing does it.
ALTER TABLE search_docs ADD COLUMN signature BLOB;

CREATE INDEX search_docs_unsigned ON search_docs (id) WHERE signature IS NULL;

PRAGMA user_version = 23;
