import { conversionOf } from '#domain/weather/units.js';
import { SCALE_UNITS } from '#adapters/formats/packed/columns/scales.js';

/**
 * Rows of SQL with the conversions from units of stations to the units of the variables. They are needed because a packed column
 * can contain integers in the unit that the station has sent, for example tenths of °F (scales.ts).
 */
const CONVERSIONS = SCALE_UNITS.flatMap((names, number) => {
  const conversion = names && conversionOf(...names);
  return conversion === undefined ? [] : [`(${number}, '${conversion.factor}', '${conversion.offset}')`];
});

/**
 * SQL functions that convert the integers of a packed column into values, as `scaleReader` does. For example, 601 tenths of °F
 * become 15.6111111111 °C. Numbers are rounded like `toPrecision` and `toFixed` of JavaScript, which round the exact value of the
 * float64.
 */
export const VALUE_FUNCTIONS = `
CREATE OR REPLACE FUNCTION weatherd.exact_numeric(value double precision) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  bytes bytea := float8send(value);
  exponent integer := ((get_byte(bytes, 0) & 127) << 4) | (get_byte(bytes, 1) >> 4);
  mantissa numeric := get_byte(bytes, 1) & 15;
  power numeric := 1;
BEGIN
  FOR at IN 2 .. 7 LOOP mantissa := mantissa * 256 + get_byte(bytes, at); END LOOP;
  IF exponent > 0 THEN mantissa := mantissa + 4503599627370496; ELSE exponent := 1; END IF;
  exponent := exponent - 1075;
  FOR step IN 1 .. abs(exponent) LOOP
    -- 0.5 is an exact decimal, so that each product is exact.
    power := power * CASE WHEN exponent < 0 THEN 0.5 ELSE 2 END;
  END LOOP;
  RETURN mantissa * power * CASE WHEN get_byte(bytes, 0) >= 128 THEN -1 ELSE 1 END;
END $$;

CREATE OR REPLACE FUNCTION weatherd.rounded_value(value double precision, has_offset boolean) RETURNS double precision
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  result double precision;
BEGIN
  IF value = 0 THEN RETURN value; END IF;
  IF has_offset AND abs(value) < 1 THEN result := round(weatherd.exact_numeric(value), 11)::text::double precision;
  ELSE result := to_char(weatherd.exact_numeric(value), '9.99999999999EEEE')::double precision;
  END IF;
  RETURN CASE WHEN result = 0 AND value < 0 THEN '-0'::double precision ELSE result END;
END $$;

CREATE OR REPLACE FUNCTION weatherd.scaled_value(number bigint, scale integer) RETURNS double precision
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  powers double precision[] := '{1,10,100,1000,10000,100000,1000000,10000000}';
  value double precision := number::double precision / powers[scale % 8 + 1];
  conversion record;
BEGIN
  IF scale < 8 THEN RETURN value; END IF;
  SELECT known.factor::double precision AS factor, known."offset"::double precision AS "offset" INTO conversion
  FROM (VALUES ${CONVERSIONS.join(', ')}) AS known (unit, factor, "offset") WHERE known.unit = scale / 8;
  IF NOT FOUND THEN
    RAISE 'a blob of observations has the scale %, which this view does not know', scale
      USING ERRCODE = 'feature_not_supported';
  END IF;
  IF conversion.factor = 1 AND conversion."offset" = 0 THEN RETURN value; END IF;
  RETURN weatherd.rounded_value((value - conversion."offset") / conversion.factor, conversion."offset" <> 0);
END $$;
`;
