DROP TABLE secret_hits;
DROP TABLE secret_scans;

PRAGMA user_version = 29;
