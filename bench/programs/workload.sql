-- workload.sql - inserts, indexes, joins, aggregates and updates, a few seconds in all
-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- The data come from a linear congruential generator, not from random(), so every run prints the same.
PRAGMA journal_mode = DELETE;
PRAGMA synchronous = OFF; -- the disk isn't what we measure
PRAGMA cache_size = -16000;

CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT NOT NULL, city INTEGER, credit REAL);
CREATE TABLE orders(id INTEGER PRIMARY KEY, customer INTEGER, day INTEGER, state TEXT, note TEXT);
CREATE TABLE item(orders INTEGER, product INTEGER, quantity INTEGER, price REAL);
CREATE TABLE product(id INTEGER PRIMARY KEY, name TEXT, class TEXT, stock INTEGER);

BEGIN;
WITH RECURSIVE n(i, r) AS (
  VALUES(1, 12345) UNION ALL SELECT i + 1, (r * 1103515245 + 12345) % 2147483648 FROM n WHERE i < 20000)
INSERT INTO customer SELECT i, 'customer ' || hex(r) || ' of ' || (r % 977), (r / 64) % 500, (r % 100000) / 100.0 FROM n;
WITH RECURSIVE n(i, r) AS (
  VALUES(1, 777) UNION ALL SELECT i + 1, (r * 1103515245 + 12345) % 2147483648 FROM n WHERE i < 2000)
INSERT INTO product SELECT i, printf('product %05d %x', i, r), char(65 + (r / 1024) % 26), (r / 256) % 5000 FROM n;
WITH RECURSIVE n(i, r) AS (
  VALUES(1, 4711) UNION ALL SELECT i + 1, (r * 1103515245 + 12345) % 2147483648 FROM n WHERE i < 150000)
INSERT INTO orders SELECT i, 1 + (r / 128) % 20000, (r / 4096) % 365,
  CASE (r / 65536) % 4 WHEN 0 THEN 'open' WHEN 1 THEN 'paid' WHEN 2 THEN 'sent' ELSE 'done' END,
  CASE WHEN (r / 512) % 7 = 0 THEN 'urgent: call customer ' || (r % 1000) END FROM n;
WITH RECURSIVE n(i, r) AS (
  VALUES(1, 31415) UNION ALL SELECT i + 1, (r * 1103515245 + 12345) % 2147483648 FROM n WHERE i < 400000)
INSERT INTO item SELECT 1 + (r / 64) % 150000, 1 + (r / 1024) % 2000, 1 + (r / 8192) % 9, ((r / 16) % 50000) / 100.0 FROM n;
COMMIT;
SELECT 'rows', (SELECT count(*) FROM customer), (SELECT count(*) FROM product),
  (SELECT count(*) FROM orders), (SELECT count(*) FROM item);

CREATE INDEX item_orders ON item(orders);
CREATE INDEX item_product ON item(product, price);
CREATE INDEX orders_customer ON orders(customer, day);
CREATE INDEX customer_name ON customer(name);
ANALYZE;

SELECT 'revenue by class';
SELECT p.class, count(*), sum(i.quantity), printf('%.2f', sum(i.quantity * i.price)), printf('%.3f', avg(i.price))
  FROM item i JOIN product p ON p.id = i.product GROUP BY p.class ORDER BY 4 DESC, 1;

SELECT 'best customers';
SELECT c.id, c.name, count(DISTINCT o.id), printf('%.2f', sum(i.quantity * i.price)) AS total
  FROM customer c JOIN orders o ON o.customer = c.id JOIN item i ON i.orders = o.id
  WHERE o.state IN ('paid', 'done') AND o.day BETWEEN 60 AND 300
  GROUP BY c.id ORDER BY sum(i.quantity * i.price) DESC, c.id LIMIT 20;

SELECT 'text';
SELECT count(*), min(name), max(name) FROM customer WHERE name LIKE '%7F%of 1%';
SELECT state, count(*), sum(length(note)) FROM orders WHERE note GLOB 'urgent*[13579]' GROUP BY state ORDER BY state;
SELECT substr(note, 1, 12), count(*) FROM orders WHERE instr(note, '99') > 0 GROUP BY 1 ORDER BY 1;

SELECT 'windows and subqueries';
SELECT day, n, sum(n) OVER (ORDER BY day ROWS 6 PRECEDING) FROM (
  SELECT day, count(*) AS n FROM orders GROUP BY day) ORDER BY day LIMIT 30;
SELECT count(*) FROM customer c WHERE NOT EXISTS (
  SELECT 1 FROM orders o JOIN item i ON i.orders = o.id WHERE o.customer = c.id AND i.price > 450);
SELECT city, count(*), printf('%.2f', max(credit)) FROM customer GROUP BY city HAVING count(*) > 50 ORDER BY 2 DESC, 1 LIMIT 10;

BEGIN;
UPDATE product SET stock = stock - (SELECT ifnull(sum(quantity), 0) FROM item WHERE product = product.id) % 1000;
UPDATE item SET price = round(price * 1.05, 2) WHERE product % 10 = 3;
UPDATE orders SET state = 'late', note = ifnull(note, '') || ' reminded' WHERE state = 'open' AND day < 120;
UPDATE customer SET credit = credit - 1 WHERE id IN (SELECT customer FROM orders WHERE state = 'late');
DELETE FROM item WHERE orders IN (SELECT id FROM orders WHERE state = 'done' AND day < 30);
COMMIT;

SELECT 'after', (SELECT sum(stock) FROM product), (SELECT printf('%.2f', sum(price)) FROM item),
  (SELECT count(*) FROM item), (SELECT printf('%.2f', sum(credit)) FROM customer);
SELECT state, count(*), count(note) FROM orders GROUP BY state ORDER BY state;
PRAGMA integrity_check;
