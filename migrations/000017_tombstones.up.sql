-- The ids in their tools of sessions that the user has removed for good: an import leaves them out.
CREATE TABLE tombstones (
    source_id     TEXT    NOT NULL,
    source        TEXT    NOT NULL,
    removed_at_ms INTEGER NOT NULL,
    PRIMARY KEY (source_id, source)
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 17;
