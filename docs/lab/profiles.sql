-- DuckDB over what --export csv wrote: duckdb < profiles.sql. Both files are of the same clock.
CREATE TABLE baseline AS SELECT * FROM read_csv('baseline.csv', nullstr = '');
CREATE TABLE latest AS SELECT * FROM read_csv('latest.csv', nullstr = '');

-- Where the time goes.
SELECT function, calls, self_ticks, round(100.0 * self_ticks / (SELECT sum(self_ticks) FROM latest), 1) AS percent
FROM latest WHERE self_ticks > 0 ORDER BY self_ticks DESC, function LIMIT 20;

-- What became slower, a call, and how much of it there is.
SELECT latest.function, baseline.mean_ticks AS before, latest.mean_ticks AS after, (latest.mean_ticks - baseline.mean_ticks) * latest.calls AS cost
FROM latest JOIN baseline ON latest.function = baseline.function AND coalesce(latest.file, '') = coalesce(baseline.file, '')
WHERE latest.mean_ticks > 1.05 * baseline.mean_ticks ORDER BY cost DESC LIMIT 20;

-- Calls that take far longer than most: worth a --trigger.
SELECT function, calls, p50_ticks, p99_ticks, max_ticks FROM latest WHERE calls >= 100 AND max_ticks > 10 * p50_ticks ORDER BY max_ticks DESC;

-- Time of each source file.
SELECT file, sum(self_ticks) AS ticks, count(*) AS functions FROM latest WHERE file IS NOT NULL GROUP BY file ORDER BY ticks DESC;

-- What is there now, and was not.
SELECT function, calls, total_ticks FROM latest WHERE function NOT IN (SELECT function FROM baseline) ORDER BY total_ticks DESC;
