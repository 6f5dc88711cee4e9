-- The floor of everything that bounds what a user adds: the rows are grouped by user, and nothing is chosen.
SELECT 'all' AS region, sum(n) AS n, sum(total) AS total, sum(total) / sum(n) AS mean
FROM (SELECT user_id, count(*) AS n, sum(least(greatest(income, 0), 200000)) AS total FROM people GROUP BY user_id)
