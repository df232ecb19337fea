-- The address of the server that answered a run; empty: nobody was called, or an older version wrote the run. A run that
-- continues a session calls no other server than the one before unless the user asks for it.
ALTER TABLE runs ADD COLUMN base_url TEXT NOT NULL DEFAULT '';

PRAGMA user_version = 14;
