-- Each user counts in the region with the least keyed hash, found first and joined back to the rows; there with at most
-- 10 rows, by weight. The fastest form at one region a user.
WITH chosen AS (
  SELECT user_id, min(hash(hash(user_id, region, 8675309))) AS least FROM people GROUP BY user_id
), kept AS (
  SELECT user_id, min(region) AS region, count(*) AS c, sum(least(greatest(income, 0), 200000)) AS s
  FROM people JOIN chosen USING (user_id)
  WHERE hash(hash(user_id, region, 8675309)) = chosen.least
  GROUP BY user_id
)
SELECT region, sum(least(c, 10)) AS n, sum(CASE WHEN c <= 10 THEN s ELSE s * 10 / c END) AS total, total / n AS mean
FROM kept
GROUP BY region
