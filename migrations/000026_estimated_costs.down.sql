DROP INDEX messages_turn;
DROP INDEX sessions_price;

ALTER TABLE sessions DROP COLUMN price_key;
ALTER TABLE sessions DROP COLUMN unpriced_count;
ALTER TABLE sessions DROP COLUMN estimated_cost_nano_usd;

ALTER TABLE messages DROP COLUMN estimate_partial;
ALTER TABLE messages DROP COLUMN estimated_cost_nano_usd;

CREATE INDEX messages_turn ON messages (session, turn, seq, depth, role, kind, input_tokens, output_tokens, cost_nano_usd, created_at_ms);

PRAGMA user_version = 25;
