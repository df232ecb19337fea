ALTER TABLE sessions DROP COLUMN main;
ALTER TABLE sessions DROP COLUMN hidden_count;
DROP TABLE hidden;
DROP TABLE bookmarks;
ALTER TABLE labels DROP COLUMN color;

PRAGMA user_version = 4;
