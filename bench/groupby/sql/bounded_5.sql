-- Each user counts in the five regions with the least keyed hashes, in each with at most 10 rows, by weight. The fastest
-- form at several regions a user: regions as small integers, grouped by user and region first, then a window.
WITH regions AS (
  SELECT 'region_' || lpad(i::VARCHAR, 2, '0') AS region, i AS code FROM range(50) AS t(i)
), grouped AS (
  SELECT user_id, code, count(*) AS c, sum(least(greatest(income, 0), 200000)) AS s
  FROM people JOIN regions USING (region)
  GROUP BY user_id, code
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY user_id ORDER BY hash(hash(user_id, code, 8675309)), code) AS rank
  FROM grouped
)
SELECT code, sum(least(c, 10)) AS n, sum(CASE WHEN c <= 10 THEN s ELSE s * 10 / c END) AS total, total / n AS mean
FROM ranked
WHERE rank <= 5
GROUP BY code
