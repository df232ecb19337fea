DROP TABLE checkpoints;

PRAGMA user_version = 10;
