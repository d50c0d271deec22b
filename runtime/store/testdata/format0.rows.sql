INSERT INTO d_contract (id, title) VALUES ('@c1', 'one'), ('@c2', 'two');
INSERT INTO d_lot (id, part, version, contract, methods, drawings) VALUES ('@a', 'A1', 1, '@c1', 'x;y', '@c1'), ('@b', 'Beam 22', 1, '@c1', NULL, NULL);
INSERT INTO d_lot (id, part, version, parent) VALUES ('@k', 'A1', 1, '@a');
INSERT INTO d_lot__methods (v, id, ordinal) VALUES ('@a', 'x', 0), ('@a', 'y', 1);
INSERT INTO d_lot__drawings (v, id, ordinal) VALUES ('@a', '@c1', 0);
INSERT INTO d_lot__items (id, "parentId", "sortKey", item) VALUES ('@i1', '@a', 1, 'first'), ('@i2', '@a', 2, 'second');
