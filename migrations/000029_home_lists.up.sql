-- The lists of the home page: each reads its first rows from an index. Their terms are those of the lists, see backend/sqlite/internal/sessions/list.go.
CREATE INDEX sessions_unfinished ON sessions (updated_at_ms DESC, key DESC) WHERE deleted_at_ms = 0 AND archived_at_ms = 0 AND relation <> 'subagent'
    AND status IN ('running', 'partial', 'failed', 'interrupted', 'hibernated');
CREATE INDEX sessions_forked ON sessions (updated_at_ms DESC, key DESC) WHERE deleted_at_ms = 0 AND archived_at_ms = 0 AND relation <> 'subagent'
    AND branch_count > 1;
CREATE INDEX sessions_cost ON sessions (coalesce(cost_nano_usd + estimated_cost_nano_usd, cost_nano_usd, estimated_cost_nano_usd) DESC,
    input_tokens + output_tokens DESC, key DESC) WHERE deleted_at_ms = 0 AND archived_at_ms = 0 AND relation <> 'subagent';

-- What was done lately, in the archive and by subagents too. By quarters of an hour, so that no list is ordered by it.
CREATE INDEX sessions_quarter ON sessions (updated_at_ms / 900000) WHERE deleted_at_ms = 0;

PRAGMA user_version = 29;
