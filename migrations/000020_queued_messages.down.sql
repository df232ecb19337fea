DROP TABLE queued_messages;
PRAGMA user_version = 19;
