DROP TRIGGER search_forget;
DROP TRIGGER search_change;
DROP TABLE search_queue;
DROP TABLE search_words;
DROP TABLE search_index;
DROP TABLE search_docs;

PRAGMA user_version = 3;
