-- The uids of a session stand together: they are random, and by them alone each message that comes in would go to another page.
DROP INDEX messages_uid;
CREATE UNIQUE INDEX messages_uid ON messages (session, uid);

-- By these alone a copy of a session is found: it begins with a message that a session here has.
CREATE INDEX messages_opening ON messages (uid) WHERE role IN ('user', 'system');

PRAGMA user_version = 12;
