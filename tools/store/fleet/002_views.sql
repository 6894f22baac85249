-- 002_views.sql - what one looks at: loops with their names and runs, and the imbalance of a job's ranks.
-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
CREATE VIEW reticle.loop_runs AS
  SELECT l.started, r.run AS run_id, r.program, r.commit, r.build_id, r.host, r.job, r.rank, lpad(to_hex(l.loop), 16, '0') AS stable_id,
    n.function, n.file, n.line, l.executions, l.samples, l.total, l.share, l.mean, l.mean_low, l.mean_high, l.p50, l.p50_low,
    l.p50_high, l.p95, l.max, l.amplitude, l.lost, l.verdict, l.loop, l.run
  FROM reticle.loops l JOIN reticle.runs r ON r.number = l.run AND r.started = l.started
  LEFT JOIN reticle.loop_names n ON n.loop = l.loop;

-- One row for each loop of a job: how uneven its ranks are. `lost` is wall-clock time, ns, that an even share would save.
CREATE VIEW reticle.job_loops AS
  SELECT p.job, l.loop, lpad(to_hex(l.loop), 16, '0') AS stable_id, min(n.function) AS function, min(n.file) AS file,
    min(n.line) AS line, min(l.started) AS started, count(*) AS ranks, sum(l.executions) AS executions, sum(l.total_ns) AS total,
    max(l.total_ns) / nullif(avg(l.total_ns), 0) AS imbalance, max(l.total_ns) - avg(l.total_ns) AS lost,
    (array_agg(p.rank ORDER BY l.total_ns DESC NULLS LAST))[1] AS longest_rank,
    (array_agg(p.host ORDER BY l.total_ns DESC NULLS LAST))[1] AS longest_host
  FROM reticle.levels l JOIN reticle.processes p ON p.run = l.run AND p.process = l.process AND p.started = l.started
  LEFT JOIN reticle.loop_names n ON n.loop = l.loop
  WHERE p.job IS NOT NULL GROUP BY p.job, l.loop;

-- The id of a loop as reports print it, as the number in the tables.
CREATE FUNCTION reticle.loop_number(stable_id text) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  SET search_path = pg_catalog, pg_temp AS $$ SELECT ('x' || lpad(stable_id, 16, '0'))::bit(64)::bigint $$;
REVOKE ALL ON FUNCTION reticle.loop_number FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reticle.loop_number TO reticle_reader;

CREATE INDEX ON reticle.processes(job) WHERE job IS NOT NULL;
GRANT SELECT ON reticle.loop_runs, reticle.job_loops TO reticle_reader;
