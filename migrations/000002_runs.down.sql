DROP TABLE drafts;
DROP TABLE approvals;
DROP TABLE file_changes;
DROP TABLE tool_execs;
DROP TABLE runs;

PRAGMA user_version = 1;
