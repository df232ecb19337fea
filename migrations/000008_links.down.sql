DROP TABLE veils;
DROP TABLE grafts;

PRAGMA user_version = 7;
