package tables
