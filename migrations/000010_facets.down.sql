DROP INDEX sessions_created;
DROP INDEX sessions_title;
DROP TRIGGER facets_change_to;
DROP TRIGGER facets_change_from;
DROP TRIGGER facets_go;
DROP TRIGGER facets_come;
DROP VIEW session_facets;
DROP TABLE facets;

PRAGMA user_version = 9;
