DELETE FROM approvals WHERE active = 0;
ALTER TABLE file_changes DROP COLUMN extra;
ALTER TABLE tool_execs DROP COLUMN extra;
ALTER TABLE approvals DROP COLUMN extra;
ALTER TABLE requests DROP COLUMN extra;
ALTER TABLE runs DROP COLUMN extra;
ALTER TABLE approvals DROP COLUMN active;
ALTER TABLE runs DROP COLUMN imported;
PRAGMA user_version = 20;
