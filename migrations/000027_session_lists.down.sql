DROP TABLE tag_colors;
DROP TRIGGER session_tags_change;
DROP TRIGGER session_tags_come;
DROP TABLE session_tags;
DROP TRIGGER workspace_projects_change;
DROP TRIGGER workspace_projects_come;
DROP TABLE workspace_projects;
DROP INDEX sessions_project;
ALTER TABLE sessions DROP COLUMN failed_count;
ALTER TABLE sessions DROP COLUMN last_answer;
ALTER TABLE sessions DROP COLUMN project;
ALTER TABLE sessions ADD COLUMN renamed INTEGER NOT NULL DEFAULT 0 CHECK (renamed IN (0, 1));
UPDATE sessions SET renamed = 1 WHERE title_origin = 'user';
ALTER TABLE sessions DROP COLUMN title_origin;

PRAGMA user_version = 26;
