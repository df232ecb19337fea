package config

// DefaultCleanupDays is the age of sessions, in days since their last change, from which a cleanup removes them. Other tools use the same.
const DefaultCleanupDays = 7
