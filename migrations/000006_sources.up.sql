-- Files that other tools have deleted: what came from them stays, marked.

ALTER TABLE sources ADD COLUMN gone_at_ms INTEGER NOT NULL DEFAULT 0; -- when it was missed first; 0: it is there
ALTER TABLE sessions ADD COLUMN source_gone_at_ms INTEGER NOT NULL DEFAULT 0; -- 0: one of its files is there, or none is known

CREATE INDEX origins_path ON origins (source_path);

PRAGMA user_version = 6;
