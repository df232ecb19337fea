ALTER TABLE queued_messages DROP COLUMN extra;
ALTER TABLE restores DROP COLUMN extra;
ALTER TABLE copied_states DROP COLUMN extra;
ALTER TABLE requests DROP COLUMN redacted;
ALTER TABLE runs DROP COLUMN alive_at_ms;
ALTER TABLE runs DROP COLUMN used_ms;
ALTER TABLE runs DROP COLUMN used_steps;
PRAGMA user_version = 24;
