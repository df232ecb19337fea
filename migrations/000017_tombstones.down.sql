DROP TABLE tombstones;

PRAGMA user_version = 16;
