-- DuckDB queries for files of --export csv: duckdb < profiles.sql. Both files must have the same clock.
CREATE TABLE baseline AS SELECT * FROM read_csv('baseline.csv', nullstr = '');
CREATE TABLE latest AS SELECT * FROM read_csv('latest.csv', nullstr = '');

-- The functions with the most self time.
SELECT function, calls, self_ticks, round(100.0 * self_ticks / (SELECT sum(self_ticks) FROM latest), 1) AS percent
FROM latest WHERE self_ticks > 0 ORDER BY self_ticks DESC, function LIMIT 20;

-- Functions whose calls became slower, by cost in the whole run.
SELECT latest.function, baseline.mean_ticks AS before, latest.mean_ticks AS after, (latest.mean_ticks - baseline.mean_ticks) * latest.calls AS cost
FROM latest JOIN baseline ON latest.function = baseline.function AND coalesce(latest.file, '') = coalesce(baseline.file, '')
WHERE latest.mean_ticks > 1.05 * baseline.mean_ticks ORDER BY cost DESC LIMIT 20;

-- Functions whose longest call takes far longer than most: candidates for a --trigger.
SELECT function, calls, p50_ticks, p99_ticks, max_ticks FROM latest WHERE calls >= 100 AND max_ticks > 10 * p50_ticks ORDER BY max_ticks DESC;

-- Time of each source file.
SELECT file, sum(self_ticks) AS ticks, count(*) AS functions FROM latest WHERE file IS NOT NULL GROUP BY file ORDER BY ticks DESC;

-- Functions that are new in the latest profile.
SELECT function, calls, total_ticks FROM latest WHERE function NOT IN (SELECT function FROM baseline) ORDER BY total_ticks DESC;
