-- 001_tables.sql - runs of a fleet: tables by day, two roles, and the functions by which runs are added.
-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- Times are nanoseconds where they are durations, timestamptz where they are points in time. What was not measured is null.
-- A quantity is three columns: KEY, KEY_low, KEY_high. `started`, the start of the run, stands in all tables: it is what
-- they are divided by.
CREATE SCHEMA IF NOT EXISTS reticle;

CREATE TABLE reticle.version(version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());

CREATE SEQUENCE reticle.run_numbers;

-- One row for each profile, or study, that was pushed. `run` is a hash of what the run was, the same wherever it is pushed from.
-- Names that are looked for are cut to 255 characters: an index takes no more than 2,700 bytes.
CREATE TABLE reticle.runs(
  number bigint NOT NULL DEFAULT nextval('reticle.run_numbers'),
  run uuid NOT NULL,
  started timestamptz NOT NULL,
  pushed timestamptz NOT NULL DEFAULT now(),
  kind text NOT NULL CHECK (kind IN ('profile', 'study')),
  program text NOT NULL CHECK (length(program) <= 255),
  executable text NOT NULL,
  arguments text NOT NULL,
  path text NOT NULL, -- of the profile, where it was pushed
  build_id text CHECK (length(build_id) <= 255),
  commit text CHECK (length(commit) <= 255),
  label text CHECK (length(label) <= 255),
  host text NOT NULL CHECK (length(host) <= 255),
  job text CHECK (length(job) <= 255),
  rank bigint, ranks bigint, local_rank bigint,
  launcher text,
  processes integer NOT NULL,
  threads bigint,
  cpu_model text, hypervisor text, cpu_count bigint,
  timer text, compiler text, runtime_version text,
  options text,
  ended text NOT NULL,
  elapsed_ticks numeric NOT NULL,
  elapsed double precision, cpu_time double precision, t_diff double precision,
  wall double precision, "user" double precision, system double precision, runnable double precision,
  blocked double precision, stopped double precision, stolen double precision,
  minor_faults bigint, major_faults bigint, switches bigint, migrations bigint,
  outside_loops double precision,
  loops_entered bigint,
  PRIMARY KEY (run, started)
) PARTITION BY RANGE (started);
CREATE INDEX ON reticle.runs(number);
CREATE INDEX ON reticle.runs(program, started);
CREATE INDEX ON reticle.runs(commit) WHERE commit IS NOT NULL;
CREATE INDEX ON reticle.runs(job) WHERE job IS NOT NULL;

-- Processes of a run: one, or the runs of a study's timed build.
CREATE TABLE reticle.processes(
  run bigint NOT NULL, started timestamptz NOT NULL, process integer NOT NULL,
  start timestamptz NOT NULL, pid numeric NOT NULL, elapsed_ticks numeric NOT NULL,
  rank bigint, ranks bigint, local_rank bigint, job text,
  host text NOT NULL, executable text NOT NULL, build_id text, cpu_model text,
  run_ns double precision, cpu_ns double precision, runnable_ns double precision, threads bigint,
  faults double precision, migrations double precision,
  waited_log double precision, waited_error double precision, cycle_ns double precision,
  PRIMARY KEY (run, process, started)
) PARTITION BY RANGE (started);

-- What a loop is; its number is the stable id, a hash of function, file, line, column and depth, as a signed number.
CREATE TABLE reticle.loop_names(
  loop bigint PRIMARY KEY,
  function text NOT NULL, linkage text NOT NULL, inlined_from text NOT NULL, file text NOT NULL,
  line bigint NOT NULL, col bigint NOT NULL, depth bigint NOT NULL, flags bigint NOT NULL, work_class bigint NOT NULL
);

-- What a report says of a loop in a run.
CREATE TABLE reticle.loops(
  run bigint NOT NULL, started timestamptz NOT NULL, loop bigint NOT NULL,
  executions bigint NOT NULL, samples bigint NOT NULL,
  total double precision, total_low double precision, total_high double precision,
  share double precision,
  mean double precision, mean_low double precision, mean_high double precision,
  p50 double precision, p50_low double precision, p50_high double precision,
  p95 double precision, p95_low double precision, p95_high double precision,
  max double precision, amplitude double precision, slow_share double precision,
  lost double precision, lost_low double precision, lost_high double precision,
  variance_work double precision, variance_processor double precision,
  verdict text NOT NULL, shape text NOT NULL,
  PRIMARY KEY (run, loop, started)
) PARTITION BY RANGE (started);
CREATE INDEX ON reticle.loops(loop, started);

-- What a process says of a loop, for comparisons: logarithms of ns, and how far they may be off.
CREATE TABLE reticle.levels(
  run bigint NOT NULL, started timestamptz NOT NULL, process integer NOT NULL, loop bigint NOT NULL,
  executions bigint NOT NULL, samples bigint NOT NULL,
  -- of ranks: docs/method/ranks.md
  total_ns double precision, total_error double precision, work double precision,
  asked_log double precision, asked_error double precision, waited_log double precision, waited_error double precision,
  timed_log double precision, timed_error double precision,
  -- of comparisons between runs: docs/method/diff.md; null where `why` says why
  mean_log double precision, mean_spread double precision, median_log double precision, median_spread double precision,
  step_ns double precision, why smallint NOT NULL,
  PRIMARY KEY (run, process, loop, started)
) PARTITION BY RANGE (started);

CREATE TABLE reticle.findings(
  run bigint NOT NULL, started timestamptz NOT NULL, number integer NOT NULL,
  code text NOT NULL, severity text NOT NULL, about text, loop bigint, name text, evidence text, change text,
  gain double precision, gain_low double precision, gain_high double precision, proof text NOT NULL,
  PRIMARY KEY (run, number, started)
) PARTITION BY RANGE (started);
CREATE INDEX ON reticle.findings(code, started);

-- The tables that are divided by day.
CREATE FUNCTION reticle.divided() RETURNS text[] LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
  AS $$ SELECT ARRAY['runs', 'processes', 'loops', 'levels', 'findings'] $$;

-- Makes the partitions of the day (UTC) that holds a point in time. A partition is attached when it is whole: that lets others
-- go on reading and writing. There is no default partition: each attachment would have to read it.
CREATE FUNCTION reticle.add_day(at timestamptz) RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  day date := (at AT TIME ZONE 'UTC')::date;
  name text;
  part text;
BEGIN
  IF to_regclass(format('reticle.findings_%s', to_char(day, 'YYYYMMDD'))) IS NOT NULL THEN
    RETURN false;
  END IF;
  PERFORM pg_advisory_xact_lock(7306369, 1);
  FOREACH name IN ARRAY reticle.divided() LOOP
    part := format('%s_%s', name, to_char(day, 'YYYYMMDD'));
    CONTINUE WHEN to_regclass('reticle.' || part) IS NOT NULL;
    EXECUTE format('CREATE TABLE reticle.%I (LIKE reticle.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', part, name);
    EXECUTE format('ALTER TABLE reticle.%I ATTACH PARTITION reticle.%I FOR VALUES FROM (%L) TO (%L)', name, part,
                   day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
  END LOOP;
  RETURN true;
END $$;

-- The same of the days from today on: for cron. Returns how many were missing.
CREATE FUNCTION reticle.add_days(ahead integer DEFAULT 7) RETURNS integer LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
  SELECT count(*)::integer FROM generate_series(0, ahead) AS i WHERE reticle.add_day(now() + i * interval '1 day')
$$;

-- Drops the days that ended at that time or before, with all that is in them: retention, for cron. Returns how many. It waits for
-- queries that run, and others wait behind it: so not for long.
CREATE FUNCTION reticle.drop_before(at timestamptz) RETURNS integer LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
  SET lock_timeout = '30s' AS $$
DECLARE
  day date;
  name text;
  dropped integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(7306369, 1);
  FOR day IN
    SELECT DISTINCT to_date(right(c.relname, 8), 'YYYYMMDD') FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid
    WHERE i.inhparent = ANY (SELECT ('reticle.' || t)::regclass FROM unnest(reticle.divided()) AS t) AND c.relkind = 'r'
      AND ((to_date(right(c.relname, 8), 'YYYYMMDD') + 1)::timestamp AT TIME ZONE 'UTC') <= at ORDER BY 1
  LOOP
    FOREACH name IN ARRAY reticle.divided() LOOP
      EXECUTE format('DROP TABLE IF EXISTS reticle.%I', name || '_' || to_char(day, 'YYYYMMDD'));
    END LOOP;
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;

-- Adds a run, of which values of columns are told, as text. Returns its number; null: it is there already; -1: it is, as an
-- earlier checkpoint. Writers may neither read nor insert into runs themselves: this looks whether a run is there for them.
CREATE FUNCTION reticle.add_run(names text[], vals text[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  new reticle.runs := jsonb_populate_record(NULL::reticle.runs, jsonb_object(names, vals));
BEGIN
  IF new.started IS NULL OR new.started < '2000-01-01 00:00+00' OR new.started > now() + interval '2 days' THEN
    RAISE EXCEPTION 'the run says that it started at %, which can''t be: now it is %', new.started, now()
      USING ERRCODE = 'datetime_field_overflow';
  END IF;
  PERFORM reticle.add_day(new.started);
  new.number := nextval('reticle.run_numbers');
  new.pushed := now();
  INSERT INTO reticle.runs VALUES (new.*) ON CONFLICT (run, started) DO NOTHING;
  IF FOUND THEN
    RETURN new.number;
  END IF;
  RETURN (SELECT -1 FROM reticle.runs r WHERE r.run = new.run AND r.started = new.started AND r.elapsed_ticks < new.elapsed_ticks);
END $$;

-- Names loops that have none yet; arrays of one length. In the order of their numbers, so that no two who do so wait for each
-- other.
CREATE FUNCTION reticle.add_loop_names(functions text[], linkages text[], inlined text[], files text[], loops bigint[],
  lines bigint[], cols bigint[], depths bigint[], flags bigint[], classes bigint[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO reticle.loop_names(function, linkage, inlined_from, file, loop, line, col, depth, flags, work_class)
  SELECT * FROM unnest(functions, linkages, inlined, files, loops, lines, cols, depths, flags, classes)
    AS n(f, g, i, file, loop, l, c, d, b, w) ORDER BY loop ON CONFLICT DO NOTHING
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA reticle FROM PUBLIC;

DO $$
BEGIN
  PERFORM FROM pg_roles WHERE rolname = 'reticle_writer';
  IF NOT FOUND THEN
    CREATE ROLE reticle_writer NOLOGIN;
  END IF;
  PERFORM FROM pg_roles WHERE rolname = 'reticle_reader';
  IF NOT FOUND THEN
    CREATE ROLE reticle_reader NOLOGIN;
  END IF;
END $$;

GRANT USAGE ON SCHEMA reticle TO reticle_writer, reticle_reader;
GRANT SELECT ON reticle.version TO reticle_writer;
GRANT INSERT ON reticle.processes, reticle.loops, reticle.levels, reticle.findings TO reticle_writer;
GRANT EXECUTE ON FUNCTION reticle.add_run, reticle.add_loop_names TO reticle_writer;
GRANT SELECT ON reticle.version, reticle.runs, reticle.processes, reticle.loop_names, reticle.loops, reticle.levels,
  reticle.findings TO reticle_reader;
