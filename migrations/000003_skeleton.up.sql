-- What the tree on screen shows of a turn, without reading the rows of its messages.

CREATE INDEX messages_turn ON messages (session, turn, seq, depth, role, kind, input_tokens, output_tokens, cost_nano_usd, created_at_ms);

-- How often messages that were there have changed or moved: who has read the tree before must read it anew.
ALTER TABLE sessions ADD COLUMN reshape_count INTEGER NOT NULL DEFAULT 0;

PRAGMA user_version = 3;
