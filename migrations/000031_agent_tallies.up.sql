-- The rows of activity that a version without agents has counted. A background step counts these again and so empties the index, see
-- CountActivity.
CREATE INDEX activity_former ON activity (session) WHERE substr(tally, 1, 2) <> x'0002';

PRAGMA user_version = 31;
