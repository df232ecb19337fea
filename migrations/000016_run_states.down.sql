DROP INDEX runs_state;
ALTER TABLE runs DROP COLUMN state;
DROP TABLE requests;
DROP TABLE run_states;
DROP TABLE state_texts;
PRAGMA user_version = 15;
