-- The list price of model calls whose cost is unknown; NULL: it has no price. It is never added to cost_nano_usd.
-- estimate_partial: some of the tokens are unknown. A background step fills both in for messages of older versions.
ALTER TABLE messages ADD COLUMN estimated_cost_nano_usd INTEGER;
ALTER TABLE messages ADD COLUMN estimate_partial INTEGER NOT NULL DEFAULT 0 CHECK (estimate_partial IN (0, 1));

-- The counters of a session, kept by the writing transaction. unpriced_count: calls of which some cost is neither known
-- nor estimated. price_key: the prices that the estimates were made with; 0: none.
ALTER TABLE sessions ADD COLUMN estimated_cost_nano_usd INTEGER;
ALTER TABLE sessions ADD COLUMN unpriced_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN price_key INTEGER NOT NULL DEFAULT 0;

UPDATE sessions SET unpriced_count = (SELECT count(*) FROM messages INDEXED BY messages_turn
    WHERE session = sessions.key AND role = 'assistant' AND kind <> 'meta' AND cost_nano_usd IS NULL);

CREATE INDEX sessions_price ON sessions (price_key);

DROP INDEX messages_turn;
CREATE INDEX messages_turn ON messages (session, turn, seq, depth, role, kind, input_tokens, output_tokens, cost_nano_usd, created_at_ms,
    estimated_cost_nano_usd);

PRAGMA user_version = 26;
