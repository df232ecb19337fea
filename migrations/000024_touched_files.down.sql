DROP INDEX sessions_derived;
ALTER TABLE sessions DROP COLUMN derived;
ALTER TABLE sessions DROP COLUMN lines_removed;
ALTER TABLE sessions DROP COLUMN lines_added;
ALTER TABLE sessions DROP COLUMN touched_count;
DROP TABLE touched_files;
DROP TABLE file_paths;

PRAGMA user_version = 23;
