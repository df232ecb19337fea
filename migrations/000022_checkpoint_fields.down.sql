ALTER TABLE named_checkpoints DROP COLUMN extra;
PRAGMA user_version = 21;
