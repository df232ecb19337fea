DROP INDEX messages_turn;
ALTER TABLE sessions DROP COLUMN reshape_count;

PRAGMA user_version = 2;
