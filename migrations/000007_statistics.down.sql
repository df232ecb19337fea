DROP INDEX sessions_trash;
DROP TABLE activity_names;
DROP TABLE activity;
DROP TABLE activity_places;

PRAGMA user_version = 6;
