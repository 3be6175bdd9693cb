-- SPDX-License-Identifier: GPL-3.0-or-later
-- sqlite3: tables made by recursion, an index, a join with groups, and a window.
CREATE TABLE sale(id INTEGER PRIMARY KEY, item INTEGER, day INTEGER, price INTEGER);
WITH RECURSIVE n(i, s) AS (SELECT 1, 7 UNION ALL SELECT i + 1, s * 16807 % 2147483647 FROM n WHERE i < 15000)
    INSERT INTO sale SELECT i, s % 997, s / 997 % 365, s / 363905 % 1000 FROM n;
CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO item SELECT DISTINCT item, printf('item-%04d', item * 31 % 997) FROM sale;
CREATE INDEX by_item ON sale(item, day);
SELECT name, count(*), sum(price), avg(price) FROM sale JOIN item ON item.id = sale.item GROUP BY item
    ORDER BY 3 DESC LIMIT 10;
SELECT day, total, sum(total) OVER (ORDER BY day ROWS 6 PRECEDING) FROM
    (SELECT day, sum(price) AS total FROM sale GROUP BY day) ORDER BY day LIMIT 20;
SELECT count(*) FROM sale a JOIN sale b ON a.item = b.item AND a.day = b.day AND a.id < b.id;
SELECT count(*) FROM item WHERE name LIKE '%7%' AND upper(name) GLOB 'ITEM-*3';
