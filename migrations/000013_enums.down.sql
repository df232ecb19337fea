PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(replace(sql,
    'kind = ''message'' OR kind = ''meta'' OR kind = ''command'' OR kind = ''compaction'' OR kind = ''branch_summary''',
    'kind IN (''message'', ''meta'', ''command'', ''compaction'', ''branch_summary'')'),
    'role = ''tool'' OR role = ''assistant'' OR role = ''user'' OR role = ''system''',
    'role IN (''system'', ''user'', ''assistant'', ''tool'')')
    WHERE type = 'table' AND name = 'messages';
PRAGMA writable_schema = RESET;

PRAGMA user_version = 12;
