DROP TABLE restores;
DROP TABLE copied_states;
DROP TABLE named_checkpoints;
PRAGMA user_version = 18;
