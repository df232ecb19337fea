DROP INDEX origins_path;
ALTER TABLE sessions DROP COLUMN source_gone_at_ms;
ALTER TABLE sources DROP COLUMN gone_at_ms;

PRAGMA user_version = 5;
