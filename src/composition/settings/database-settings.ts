import { z } from 'zod';
import { hostUrls } from '#adapters/store-postgres/database/location.js';

import { optional, setting } from './setting.js';

const POSTGRES = /^postgres(?:ql)?:/;

/**
 * Whether the password in a URL contains a reserved character (`/`, `?` or `#`), at which the parser ends the password too early.
 * The rest of the password would be parsed as a part of the address, and messages would show it.
 */
const isCutPassword = (url: string) =>
  POSTGRES.test(url) &&
  (!hostUrls(url).every((one) => URL.canParse(one)) ||
    url.includes('#') ||
    /^[^/]*\/\/[^/?]*[/?].*@/.test(url));

const isPostgres = (url: string) => /^postgres(?:ql)?:\/\//.test(url) && !isCutPassword(url);

/**
 * Matches a URL of a SQLite database in memory: `memory:`, which former versions accepted, and names such as `sqlite::memory:`,
 * with which SQLite opens a database in memory.
 */
const MEMORY = /^(?:sqlite:)?:?memory:/i;
const NO_MEMORY = 'memory: is no longer supported: use sqlite: with a temporary folder as WEATHERD_DATA_DIR';

const rule = (kinds: string, input: unknown) =>
  `Must be ${kinds}` +
  (isCutPassword(String(input))
    ? '; percent-encode @ : / ? # in user and password: %40 %3A %2F %3F %23'
    : '');

const isSqlite = (value: string) => /^sqlite:.*$/.test(value) && !MEMORY.test(value);

const databaseUrl = z.string().refine((value) => isSqlite(value) || isPostgres(value), {
  error: ({ input }) =>
    MEMORY.test(String(input))
      ? NO_MEMORY
      : rule('sqlite:, sqlite:FILE or postgres://USER:PASSWORD@HOST:PORT/DATABASE', input),
});

const readUrl = z.string().refine(isPostgres, {
  error: ({ input }) => rule('postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE', input),
});

export const DATABASE_SETTINGS = {
  DATABASE_URL: setting(
    databaseUrl,
    'sqlite:',
    'Database: `sqlite:` (the file `weatherd.db` in the data directory), `sqlite:FILE`, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE` (or several `HOST:PORT`, separated by commas).',
    { secret: true },
  ),
  DATABASE_READ_URL: optional(
    readUrl,
    'Replicas of PostgreSQL that answer reads of observations, as a URL of the same form ([replicas.md](operating/replicas.md)).',
    { secret: true },
  ),
} as const;

/** Checks the settings of the database against each other. @param setNames the names of all settings that were set */
export function checkDatabaseSettings(url: string | undefined, setNames: ReadonlySet<string>): string[] {
  if (url === undefined || POSTGRES.test(url) || !setNames.has('DATABASE_READ_URL')) return [];
  return [
    'WEATHERD_DATABASE_READ_URL: replicas exist only for PostgreSQL: set WEATHERD_DATABASE_URL to postgres://…',
  ];
}
