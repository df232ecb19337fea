DROP INDEX messages_opening;
DROP INDEX messages_uid;
CREATE UNIQUE INDEX messages_uid ON messages (uid, session);

PRAGMA user_version = 11;
