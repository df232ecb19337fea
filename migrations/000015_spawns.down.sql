DELETE FROM activity WHERE session IN (SELECT session FROM messages WHERE role = 'assistant' AND kind = 'meta');
UPDATE sessions SET step_count = step_count + m.count FROM
    (SELECT session, count(*) AS count FROM messages WHERE role = 'assistant' AND kind = 'meta' GROUP BY session) m
    WHERE m.session = sessions.key;
ALTER TABLE messages DROP COLUMN finished_at_ms;
ALTER TABLE origins DROP COLUMN files_modified;
DROP TABLE spawns;
DROP INDEX sessions_source_parent;
ALTER TABLE sessions DROP COLUMN parent_source_id;

PRAGMA user_version = 14;
