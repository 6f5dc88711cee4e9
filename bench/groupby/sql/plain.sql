-- Not private: every row counts.
SELECT region, count(*) AS n, sum(least(greatest(income, 0), 200000)) AS total,
       avg(least(greatest(income, 0), 200000)) AS mean
FROM people
GROUP BY region
