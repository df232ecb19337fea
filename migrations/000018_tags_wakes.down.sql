DROP TABLE wakes;
ALTER TABLE sessions DROP COLUMN tags;

PRAGMA user_version = 17;
