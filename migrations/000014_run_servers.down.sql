ALTER TABLE runs DROP COLUMN base_url;

PRAGMA user_version = 13;
