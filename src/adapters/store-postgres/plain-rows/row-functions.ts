import { MILLISECONDS } from '#domain/time.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { DAILY_SERIES } from '#adapters/packed-store/days/daily-series.js';
import { MAX_CHUNK_DAYS } from '#adapters/packed-store/chunks/chunk-days.js';

const CATALOGUE = VARIABLES.map(({ number, name, unit }) => `(${number}, '${name}', '${unit}')`);

/**
 * SQL functions that decode the packed observations of format version 2 and later, and a view that shows the observations as
 * plain rows. Observations are packed in two ways: a chunk has the rows of some days of a station, and a run has the rows of one
 * commit.
 */
export const ROW_FUNCTIONS = `
-- Values of rows from first to behind (not included; NULL: all) of a series (packed-series.ts).
CREATE OR REPLACE FUNCTION weatherd.unpacked_series(
  data bytea, start integer, origin bigint, first integer, behind integer)
RETURNS TABLE (ms double precision, variable integer, value double precision, flags integer)
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  at integer := start;
  body integer;
  total bigint; columns bigint; flagged bigint; ranges bigint;
  number bigint; gap bigint; length bigint; begin_of bigint;
  variables integer[] := '{}'; scales integer[] := '{}'; floats integer[] := '{}';
  forms integer[] := '{}'; widths integer[] := '{}'; presents bigint[] := '{}';
  bases bigint[] := '{}'; lows bigint[] := '{}'; steps bigint[] := '{}';
  range_variables integer[] := '{}'; range_starts bigint[] := '{}';
  range_ends bigint[] := '{}'; range_flags integer[] := '{}';
  head record;
  integers bigint[];
  times double precision[];
  column_flags integer[];
  entry double precision;
BEGIN
  SELECT * INTO at, total FROM weatherd.blob_number(data, at);
  SELECT * INTO at, columns FROM weatherd.blob_number(data, at);
  SELECT * INTO at, flagged FROM weatherd.blob_number(data, at);
  behind := coalesce(behind, total::integer);
  FOR place IN 0 .. columns LOOP
    SELECT * INTO at, number FROM weatherd.blob_number(data, at);
    variables := variables || number::integer;
    scales := scales || get_byte(data, at);
    at := at + 1;
    head := NULL;
    IF scales[place + 1] <> 255 THEN
      SELECT * INTO head FROM weatherd.packed_head(data, at);
      at := head.at;
    ELSE
      SELECT 0 AS form, 0 AS width, NULL::bigint AS present, 0::bigint AS base, 0::bigint AS low, 1::bigint AS step INTO head;
    END IF;
    forms := array_append(forms, head.form); widths := array_append(widths, head.width);
    presents := array_append(presents, head.present); bases := array_append(bases, head.base);
    lows := array_append(lows, head.low); steps := array_append(steps, head.step);
    number := CASE WHEN scales[place + 1] = 255 THEN total ELSE 0 END;
    IF scales[place + 1] = 254 THEN SELECT * INTO at, number FROM weatherd.blob_number(data, at); END IF;
    floats := floats || number::integer;
  END LOOP;
  FOR place IN 1 .. flagged LOOP
    SELECT * INTO at, number FROM weatherd.blob_number(data, at);
    SELECT * INTO at, ranges FROM weatherd.blob_number(data, at);
    begin_of := 0;
    FOR range IN 1 .. ranges LOOP
      SELECT * INTO at, gap FROM weatherd.blob_number(data, at);
      SELECT * INTO at, length FROM weatherd.blob_number(data, at);
      range_variables := range_variables || number::integer;
      range_starts := range_starts || begin_of + gap;
      begin_of := begin_of + gap + length + 1;
      range_ends := range_ends || begin_of;
      range_flags := range_flags || get_byte(data, at);
      at := at + 1;
    END LOOP;
  END LOOP;
  body := at;
  FOR place IN 1 .. columns + 1 LOOP
    variable := variables[place];
    integers := CASE WHEN scales[place] = 255 THEN '{}' ELSE weatherd.packed_integers(
      data, body, total, forms[place], widths[place], bases[place], lows[place], steps[place], first, behind) END;
    IF scales[place] <> 255 THEN
      body := body + weatherd.packed_size(total, widths[place], presents[place]);
    END IF;
    column_flags := array_fill(0, ARRAY[greatest(behind - first, 1)]);
    FOR range IN 1 .. cardinality(range_variables) LOOP
      CONTINUE WHEN range_variables[range] <> variable;
      FOR row IN greatest(range_starts[range], first) .. least(range_ends[range], behind) - 1 LOOP
        column_flags[row - first + 1] := range_flags[range];
      END LOOP;
    END LOOP;
    FOR row IN first .. behind - 1 LOOP
      IF scales[place] = 255 THEN entry := weatherd.blob_float(data, body + row * 8);
      ELSIF integers[row - first + 1] IS NULL THEN entry := NULL;
      ELSIF scales[place] = 254 THEN
        entry := weatherd.blob_float(data, body + integers[row - first + 1]::integer * 8);
      ELSE entry := weatherd.scaled_value(integers[row - first + 1], scales[place]);
      END IF;
      IF place = 1 THEN times := array_append(times, entry + origin);
      ELSIF entry IS NOT NULL THEN
        ms := times[row - first + 1];
        value := entry;
        flags := column_flags[row - first + 1];
        RETURN NEXT;
      END IF;
    END LOOP;
    body := body + floats[place] * 8;
  END LOOP;
  IF length(data) - body NOT BETWEEN 0 AND 3 THEN
    RAISE 'a blob of observations is damaged: its length is not the sum of the lengths of its parts' USING ERRCODE = 'data_corrupted';
  END IF;
END $$;

DROP FUNCTION IF EXISTS weatherd.unpacked_chunk(bytea, integer);
CREATE OR REPLACE FUNCTION weatherd.unpacked_chunk(data bytea, station integer, day integer, days integer)
RETURNS TABLE (ms double precision, variable integer, value double precision, flags integer)
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  at integer;
  found bigint;
BEGIN
  at := weatherd.blob_content(data, 'WXCH', ARRAY[station, day, days]);
  SELECT * INTO at, found FROM weatherd.blob_signed(data, at);
  IF found <> day THEN RAISE 'a blob of day % is stored as a blob of day %', found, day USING ERRCODE = 'data_corrupted'; END IF;
  RETURN QUERY SELECT * FROM weatherd.unpacked_series(data, at, day::bigint * ${MILLISECONDS.day}, 0, NULL);
END $$;

-- The rows of a station in a run (run-codec.ts).
DROP FUNCTION IF EXISTS weatherd.unpacked_run(bytea, integer);
CREATE OR REPLACE FUNCTION weatherd.unpacked_run(data bytea, block integer, id bigint, station integer)
RETURNS TABLE (ms double precision, variable integer, value double precision, flags integer)
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  start integer;
  at integer;
  count bigint;
  heads record;
  stations bigint[]; starts bigint[];
  place integer; behind integer; body integer;
  first_head record; second_head record;
BEGIN
  start := weatherd.blob_content(data, 'WXRN', ARRAY[block, id]);
  at := start + 8;
  SELECT * INTO at, count FROM weatherd.blob_number(data, at);
  SELECT * INTO first_head FROM weatherd.packed_head(data, at);
  SELECT * INTO second_head FROM weatherd.packed_head(data, first_head.at);
  SELECT * INTO heads FROM weatherd.packed_head(data, second_head.at);
  body := heads.at;
  stations := weatherd.packed_integers(data, body, count, first_head.form, first_head.width, first_head.base,
    first_head.low, first_head.step, 0, count::integer);
  body := body + weatherd.packed_size(count, first_head.width, first_head.present);
  starts := weatherd.packed_integers(data, body, count, second_head.form, second_head.width, second_head.base,
    second_head.low, second_head.step, 0, count::integer);
  place := array_position(stations, station::bigint);
  IF place IS NULL THEN RETURN; END IF;
  at := start + 8 + weatherd.blob_u32(data, start + 4)::integer;
  behind := CASE WHEN place < count THEN starts[place + 1] END;
  RETURN QUERY SELECT * FROM weatherd.unpacked_series(data, at, 0, starts[place]::integer, behind);
END $$;

-- The observations of a station from from_time to to_time (not included), one row for each value.
CREATE OR REPLACE FUNCTION weatherd.rows_of(station integer, from_time timestamptz, to_time timestamptz)
RETURNS TABLE ("time" timestamptz, variable text, value double precision, unit text, flags integer)
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
  own_block integer := station / 64;
  -- The reports and the daily values of a station are packed as two series (daily-series.ts).
  own_series integer[] := ARRAY[station, station + ${DAILY_SERIES}];
  begins double precision := extract(epoch FROM from_time) * 1000;
  ends double precision := extract(epoch FROM to_time) * 1000;
BEGIN
  IF EXISTS (
    SELECT FROM weatherd.damaged AS lost
    WHERE lost.block = own_block AND (lost.stations IS NULL OR own_series && lost.stations)
      AND lost.first < ends AND lost.last >= begins)
  THEN RAISE 'some observations of station number % are damaged; "weatherd check" lists them', station
    USING ERRCODE = 'data_corrupted';
  END IF;
  RETURN QUERY
    SELECT DISTINCT ON (found.ms, found.variable)
      timestamptz 'epoch' + make_interval(secs => found.ms / 1000), catalogue.name, found.value, catalogue.unit, found.flags
    FROM (
      SELECT -1 AS run, unpacked.* FROM weatherd.chunk AS stored
      CROSS JOIN LATERAL weatherd.unpacked_chunk(stored.data, stored.station, stored.day, stored.days) AS unpacked
      WHERE stored.block = own_block AND stored.station = ANY (own_series)
        AND stored.day > floor(greatest(begins, -8.64e15) / ${MILLISECONDS.day}) - ${MAX_CHUNK_DAYS}
        AND stored.day + stored.days > floor(greatest(begins, -8.64e15) / ${MILLISECONDS.day})
        AND stored.day <= floor(least(ends, 8.64e15) / ${MILLISECONDS.day})
      UNION ALL
      SELECT stored.id, unpacked.* FROM weatherd.run AS stored
      CROSS JOIN unnest(own_series) AS series (number)
      CROSS JOIN LATERAL weatherd.unpacked_run(stored.data, stored.block, stored.id, series.number) AS unpacked
      WHERE stored.block = own_block AND stored.first < ends AND stored.last >= begins) AS found
    LEFT JOIN (VALUES ${CATALOGUE.join(', ')}) AS catalogue (number, name, unit) ON catalogue.number = found.variable
    WHERE found.ms >= begins AND found.ms < ends
    ORDER BY found.ms, found.variable, found.run DESC;
END $$;

CREATE OR REPLACE VIEW weatherd.observation_rows AS
  SELECT known.id AS station, found."time", found.variable, found.value, found.unit, found.flags
  FROM weatherd.station AS known
  CROSS JOIN LATERAL weatherd.rows_of(known.number, '-infinity', 'infinity') AS found;

CREATE OR REPLACE FUNCTION weatherd.observations(station text, from_time timestamptz, to_time timestamptz)
RETURNS TABLE ("time" timestamptz, variable text, value double precision, unit text, flags integer)
LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $$
  SELECT found.* FROM weatherd.station AS known
  CROSS JOIN LATERAL weatherd.rows_of(known.number, from_time, to_time) AS found WHERE known.id = observations.station
$$;
`;
