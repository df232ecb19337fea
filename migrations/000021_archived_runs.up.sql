-- What an archive brings of runs. It permits nothing by itself, see docs/decisions/0014-imported-runs.md.

ALTER TABLE runs ADD COLUMN imported INTEGER NOT NULL DEFAULT 0 CHECK (imported IN (0, 1)); -- 1: an archive brought it
ALTER TABLE approvals ADD COLUMN active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)); -- 0: imported, the user has not confirmed it

-- The fields that a newer version wrote to the archive, a JSON object; empty: none.
ALTER TABLE runs ADD COLUMN extra TEXT NOT NULL DEFAULT '';
ALTER TABLE requests ADD COLUMN extra TEXT NOT NULL DEFAULT '';
ALTER TABLE approvals ADD COLUMN extra TEXT NOT NULL DEFAULT '';
ALTER TABLE tool_execs ADD COLUMN extra TEXT NOT NULL DEFAULT '';
ALTER TABLE file_changes ADD COLUMN extra TEXT NOT NULL DEFAULT '';

PRAGMA user_version = 21;
