-- What a run that continues an interrupted one had used of its limits when it began.
ALTER TABLE runs ADD COLUMN used_steps INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN used_ms    INTEGER NOT NULL DEFAULT 0;

-- When an active run with a limit of time was last known to be alive; 0: not recorded.
ALTER TABLE runs ADD COLUMN alive_at_ms INTEGER NOT NULL DEFAULT 0;

-- 1: an export without secrets brought it, so what was sent cannot be rebuilt.
ALTER TABLE requests ADD COLUMN redacted INTEGER NOT NULL DEFAULT 0 CHECK (redacted IN (0, 1));

-- The fields that a newer version wrote to an archive, a JSON object; empty: none.
ALTER TABLE copied_states   ADD COLUMN extra TEXT NOT NULL DEFAULT '';
ALTER TABLE restores        ADD COLUMN extra TEXT NOT NULL DEFAULT '';
ALTER TABLE queued_messages ADD COLUMN extra TEXT NOT NULL DEFAULT '';

PRAGMA user_version = 25;
