DROP INDEX search_docs_unsigned;
ALTER TABLE search_docs DROP COLUMN signature;
PRAGMA user_version = 22;
