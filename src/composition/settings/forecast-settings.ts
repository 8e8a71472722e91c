import { z } from 'zod';
import { MILLISECONDS, PERIOD_RULE, periodOf } from '#domain/time.js';
import { duration } from './durations.js';
import { optional, setting, word } from './setting.js';

/** The scheme, the host and an optional prefix of the path of a provider. */
const address = z
  .string()
  .refine(
    isAddress,
    'Must be an address such as https://open-meteo.example.org, without user, query and fragment',
  );

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return (
    (protocol === 'https:' || protocol === 'http:') &&
    [username, password, search, hash].every((part) => part === '')
  );
}

/** An e-mail address or the address of a page: the characters of a header, without blanks. */
const contact = z.string().regex(/^[!-~]{3,200}$/, 'Must be an e-mail address or the address of a page');

const decimals = z
  .string()
  .regex(/^[0-4]$/, 'Must be a number of decimals, 0 to 4')
  .transform(Number);

const period = z
  .string()
  .transform((text) => periodOf(text) ?? Number.NaN)
  .refine((time) => !Number.isNaN(time), `Must be ${PERIOD_RULE}`)
  .transform((time) => time / MILLISECONDS.second);

/** The settings of forecasts, for `SETTING_TABLE`. */
export const FORECAST_SETTINGS = {
  FORECAST_CONTACT: optional(
    contact,
    'E-mail address or address of a page of the operator, which providers of forecasts get. MET Norway requires it ([forecast.md](forecast.md)).',
  ),
  FORECAST_OPEN_METEO_URL: optional(address, 'Address of Open-Meteo or of an instance of your own.'),
  FORECAST_PREVIOUS_RUNS_URL: optional(address, 'Address of the previous runs of Open-Meteo.'),
  FORECAST_MET_NORWAY_URL: optional(address, 'Address of MET Norway.'),
  FORECAST_API_KEY: optional(word, 'Key for the commercial use of Open-Meteo.', { secret: true }),
  FORECAST_EVERY: setting(duration('1d'), '1h', 'Time between two requests for the forecast of a station.', {
    kind: 'duration',
  }),
  FORECAST_DECIMALS: setting(
    decimals,
    '2',
    'Decimals of the degrees of the positions that providers get, at most 4. 2 decimals are about 1 km.',
  ),
  FORECAST_RETENTION: setting(
    period,
    '3y',
    'How long issued forecasts are kept. Their scores are kept forever.',
    {
      kind: 'period',
    },
  ),
} as const;
