-- The fields that a newer version wrote to an archive, a JSON object; empty: none.
ALTER TABLE named_checkpoints ADD COLUMN extra TEXT NOT NULL DEFAULT '';

PRAGMA user_version = 22;
