/**
 * SQL functions that read stored blobs (packed observations): the envelope, which comes before the content of every blob
 * (blob.ts), and lists of bytes and bits (byte-lists.ts, bit-packing.ts). The functions are slow, and the service does not use
 * them.
 */
export const BLOB_FUNCTIONS = `
CREATE OR REPLACE FUNCTION weatherd.blob_u32(data bytea, at integer) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT get_byte(data, at)::bigint | (get_byte(data, at + 1)::bigint << 8)
    | (get_byte(data, at + 2)::bigint << 16) | (get_byte(data, at + 3)::bigint << 24)
$$;

CREATE OR REPLACE FUNCTION weatherd.blob_crc32(data bytea, start integer) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  entries bigint[] := '{}';
  crc bigint;
BEGIN
  FOR byte IN 0 .. 255 LOOP
    crc := byte;
    FOR bit IN 1 .. 8 LOOP
      crc := CASE WHEN crc & 1 = 1 THEN (crc >> 1) # 3988292384 ELSE crc >> 1 END;
    END LOOP;
    entries := entries || crc;
  END LOOP;
  crc := 4294967295;
  FOR at IN start .. length(data) - 1 LOOP
    crc := (crc >> 8) # entries[((crc # get_byte(data, at)) & 255) + 1];
  END LOOP;
  RETURN crc # 4294967295;
END $$;

-- The key of a blob as float64 numbers, little-endian.
CREATE OR REPLACE FUNCTION weatherd.blob_key(key double precision[]) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  result bytea := '';
  bytes bytea;
BEGIN
  FOR place IN 1 .. cardinality(key) LOOP
    bytes := float8send(key[place]);
    FOR at IN REVERSE 8 .. 1 LOOP
      result := result || substr(bytes, at, 1);
    END LOOP;
  END LOOP;
  RETURN result;
END $$;

-- The offset of the content of a blob. Raises an error unless the blob has this kind and key, has format version 2 or 3, and is intact.
CREATE OR REPLACE FUNCTION weatherd.blob_content(data bytea, magic text, key double precision[]) RETURNS integer
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  format integer;
  checksum bigint;
BEGIN
  IF length(data) < 16 OR substr(data, 1, 4) <> convert_to(magic, 'UTF8') THEN
    RAISE 'a blob of observations is damaged, or of format version 0' USING ERRCODE = 'data_corrupted';
  END IF;
  format := get_byte(data, 4) | (get_byte(data, 5) << 8);
  IF format NOT IN (2, 3) THEN
    RAISE 'a blob of observations has format version %, which this view cannot read', format
      USING ERRCODE = 'feature_not_supported';
  END IF;
  checksum := CASE WHEN format = 2 THEN weatherd.blob_crc32(data, 16)
    ELSE weatherd.blob_crc32(weatherd.blob_key(key) || substr(data, 1, 12) || substr(data, 17), 0) END;
  IF weatherd.blob_u32(data, 8) <> length(data) OR weatherd.blob_u32(data, 12) <> checksum THEN
    RAISE 'a blob of observations is damaged: its checksum is wrong' USING ERRCODE = 'data_corrupted';
  END IF;
  RETURN 16 + 8 * (get_byte(data, 6) | (get_byte(data, 7) << 8));
END $$;
DROP FUNCTION IF EXISTS weatherd.check_blob(bytea, text);

CREATE OR REPLACE FUNCTION weatherd.blob_number(data bytea, INOUT at integer, OUT number bigint)
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  byte integer;
  shift integer := 0;
BEGIN
  number := 0;
  LOOP
    byte := get_byte(data, at);
    at := at + 1;
    number := number | ((byte & 127)::bigint << shift);
    EXIT WHEN byte < 128;
    shift := shift + 7;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION weatherd.blob_signed(data bytea, INOUT at integer, OUT number bigint)
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  SELECT * INTO at, number FROM weatherd.blob_number(data, at);
  number := CASE WHEN number % 2 = 0 THEN number / 2 ELSE -((number + 1) / 2) END;
END $$;

-- A float64; NULL for NaN.
CREATE OR REPLACE FUNCTION weatherd.blob_float(data bytea, at integer) RETURNS double precision
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  low bigint := weatherd.blob_u32(data, at);
  high bigint := weatherd.blob_u32(data, at + 4);
  exponent integer := (high >> 20) & 2047;
  mantissa bigint := ((high & 1048575) << 32) | low;
  value double precision;
BEGIN
  IF exponent = 2047 THEN RETURN NULL; END IF;
  IF exponent = 0 AND mantissa = 0 THEN value := 0;
  ELSIF exponent = 0 THEN value := mantissa::double precision * 2::double precision ^ -1074;
  ELSE value := (mantissa | 4503599627370496)::double precision * 2::double precision ^ (exponent - 1075);
  END IF;
  RETURN CASE WHEN high >> 31 = 1 THEN -value ELSE value END;
END $$;

-- The head of a column of integers (packed-integers.ts).
CREATE OR REPLACE FUNCTION weatherd.packed_head(
  data bytea, INOUT at integer,
  OUT form integer, OUT width integer, OUT base bigint, OUT low bigint, OUT step bigint, OUT present bigint)
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  form := get_byte(data, at);
  width := get_byte(data, at + 1);
  low := 0;
  step := 1;
  SELECT * INTO at, base FROM weatherd.blob_signed(data, at + 2);
  IF form & 1 = 1 THEN SELECT * INTO at, low FROM weatherd.blob_signed(data, at); END IF;
  IF form & 16 = 16 THEN SELECT * INTO at, step FROM weatherd.blob_number(data, at); END IF;
  IF form & 8 = 8 THEN SELECT * INTO at, present FROM weatherd.blob_number(data, at); END IF;
END $$;

-- Length of the body of a column of integers in bytes.
CREATE OR REPLACE FUNCTION weatherd.packed_size(total bigint, width integer, present bigint) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN present IS NULL THEN (total * width + 7) / 8
    ELSE (total + 7) / 8 + (present * width + 7) / 8 END::integer
$$;

-- The integers of the rows from first to behind (not included); NULL for an absent value.
CREATE OR REPLACE FUNCTION weatherd.packed_integers(
  data bytea, body integer, total bigint, form integer, width integer, base bigint, low bigint, step bigint,
  first integer, behind integer) RETURNS bigint[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  result bigint[] := '{}';
  has_bitmap boolean := form & 8 = 8;
  numbers integer := CASE WHEN has_bitmap THEN body + ((total + 7) / 8)::integer ELSE body END;
  next bigint := 0;
  before bigint := base;
  number bigint;
  value bigint;
  place bigint;
BEGIN
  FOR row IN 0 .. behind - 1 LOOP
    value := NULL;
    IF NOT has_bitmap OR (get_byte(data, body + row / 8) >> (row % 8)) & 1 = 1 THEN
      number := 0;
      IF width > 0 THEN
        place := numbers::bigint * 8 + next * width;
        FOR byte IN 0 .. ((place + width - 1) / 8 - place / 8)::integer LOOP
          number := number | (get_byte(data, (place / 8)::integer + byte)::bigint << (byte * 8));
        END LOOP;
        number := (number >> (place % 8)::integer) & ((1::bigint << width) - 1);
      END IF;
      next := next + 1;
      IF form & 1 = 1 THEN
        before := before + (low + number) * step;
        value := before;
      ELSIF form & 4 = 0 OR number <> (1::bigint << width) - 1 THEN
        value := base + number * step;
      END IF;
    END IF;
    IF row >= first THEN result := array_append(result, value); END IF;
  END LOOP;
  RETURN result;
END $$;
`;
