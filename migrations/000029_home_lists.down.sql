DROP INDEX sessions_quarter;
DROP INDEX sessions_cost;
DROP INDEX sessions_forked;
DROP INDEX sessions_unfinished;

PRAGMA user_version = 28;
