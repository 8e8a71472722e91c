import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, resolve } from 'node:path';
import { circlesOf } from './circles.js';

export interface SourceFile {
  /** Path from `src`, with slashes. */
  readonly path: string;
  readonly text: string;
  /** Imported packages, modules of Node.js, and own files as paths from `src`. Type imports are included. */
  readonly imports: readonly string[];
  /** The same as they are written. */
  readonly names: readonly string[];
}

/** @returns the path of an own file from `src`; the name itself for a package and a module of Node.js */
function importedFrom(path: string, name: string): string {
  if (name.startsWith('#')) return name.slice(1).replace(/\.js$/, '.ts');
  return name.startsWith('.') ? posix.join(posix.dirname(path), name).replace(/\.js$/, '.ts') : name;
}

export function sourceFile(path: string, text: string): SourceFile {
  const specifiers = [...text.matchAll(/(?:^|[;}\s(])(?:from|import)\s*\(?\s*'([^'\s]+)'/gm)];
  const names = specifiers.map(([, name = '']) => name);
  return { path, text, names, imports: names.map((name) => importedFrom(path, name)) };
}

/** All source files below `folder`, with paths from it; `name` stands before them. */
export function readSource(folder: string, name = ''): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) =>
      // An import does not tell whether a file has JSX, so the rules do not either.
      sourceFile(
        posix.join(name, relative(folder, resolve(folder, path)).replace(/\.tsx$/, '.ts')),
        readFileSync(join(folder, path), 'utf8'),
      ),
    );
}

/**
 * The files that a rule examines. A rule about a folder without files would check nothing, so an empty folder is a
 * violation too.
 */
export class House {
  readonly files: readonly SourceFile[];
  readonly violations: string[] = [];

  constructor(files: readonly SourceFile[]) {
    this.files = files;
  }

  /** The files of a folder and of its subfolders. */
  in(folder: string): SourceFile[] {
    const found = this.files.filter(({ path }) => path.startsWith(`${folder}/`));
    if (found.length === 0) this.violations.push(`${folder} has no file`);
    return found;
  }

  /** Reports each file of `folder` that imports an own file which does not match `allowed`. */
  allow(folder: string, allowed: RegExp): void {
    for (const { path, imports } of this.in(folder)) {
      for (const name of imports.filter(isOwn)) if (!allowed.test(name)) this.report(path, `imports ${name}`);
    }
  }

  report(path: string, reason: string): void {
    this.violations.push(`${path} ${reason}`);
  }
}

export interface Rule {
  readonly title: string;
  readonly check: (house: House) => void;
  /** Path and text of one or more files that break this rule when they are added to the real ones. */
  readonly violation: PlantedFiles;
  /** Other ways to break it, each tested alone. */
  readonly others?: readonly PlantedFiles[];
}

/** Text by path below `src/`. */
export type PlantedFiles = Readonly<Record<string, string>>;

/** @returns the violations, one line each */
export function violationsOf({ check }: Rule, files: readonly SourceFile[]): string[] {
  const house = new House(files);
  check(house);
  return house.violations;
}

const isOwn = (name: string) => name.endsWith('.ts');
const foldersOf = (house: House, folder: string) => [
  ...new Set(
    house.in(folder).flatMap(({ path }) => {
      const [name = '', ...rest] = path.slice(folder.length + 1).split('/');
      return rest.length > 0 ? [name] : [];
    }),
  ),
];

/**
 * The subjects of the application, each with the subjects that it may import. Subjects that do not exist yet are listed
 * too.
 */
const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  accounts: [],
  stations: ['accounts'],
  observations: ['stations', 'accounts'],
  uploads: ['observations', 'stations', 'accounts'],
  climate: ['observations', 'stations', 'accounts'],
  hooks: ['observations', 'stations', 'accounts'],
  alarms: ['hooks', 'observations', 'stations', 'accounts'],
  // Serves all the others: checks and housekeeping.
  operation: ['alarms', 'hooks', 'uploads', 'observations', 'stations', 'accounts'],
};
const SUBJECTS_BUILT = ['accounts', 'stations', 'observations', 'uploads', 'hooks', 'alarms', 'operation'];

/** The rooms of the HTTP adapter, each with the rooms that it may import. */
const HTTP_ROOMS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  server: ['core'],
  shared: ['core'],
  external: ['core', 'shared'],
  internal: ['core', 'shared'],
  express: ['core'],
  fastify: ['core'],
};

/** The suite for transports, whose sources the rules see beside those of `src`. */
const SUITE = 'transport-suite/';

const PACKAGES: readonly (readonly [name: string, folder: string])[] = [
  ['express', 'adapters/http/express/'],
  ['fastify', 'adapters/http/fastify/'],
  ['inversify', 'composition/'],
  ['better-sqlite3', 'adapters/store-sqlite/'],
  ['pg', 'adapters/store-postgres/'],
  ['lru-cache', 'adapters/'],
  ['ipaddr.js', 'adapters/'],
  ['jsonwebtoken', 'adapters/token-jwt/'],
  ['@node-rs/argon2', 'adapters/password-argon2/'],
  ['commander', 'adapters/cli/'],
  ['cli-progress', 'adapters/cli/'],
  ['read', 'adapters/cli/'],
  ['pino', 'adapters/log-pino/'],
  ['piscina', 'adapters/'],
  ['kdbush', 'adapters/search-kdbush/'],
  ['mqtt', 'adapters/broker-mqtt/'],
  ['temporal-polyfill', 'adapters/calendar-temporal/'],
  ['proxy-addr', 'adapters/http/server/'],
  ['negotiator', 'adapters/http/core/'],
  ['preact', 'adapters/site/client/'],
  ['preact-render-to-string', 'adapters/site/client/'],
  ['@preact/signals-core', 'adapters/site/client/'],
  ['leaflet', 'adapters/site/client/'],
  ['hyparquet-writer', 'adapters/formats/'],
  ['hyparquet', 'adapters/formats/'],
  ['metar-taf-parser', 'adapters/formats/'],
  ['yauzl', 'adapters/cli/'],
  ['chai', 'transport-suite/'],
  ['zod', ''],
];

/** A constant for a unit of time, or the milliseconds, seconds or minutes of an hour or a day. */
const UNIT_OF_TIME =
  /const (?:SECOND|MINUTE|HOUR|DAY)(?:_\w+)?(?:: \w+)? =|\b(?:86_?400(?:_?000)?|3_?600_?000|1_?440)\b|\b24 \* (?:60|3_?600)\b/;

/** Rules for sent rows, or a conversion of what was sent. */
const JUDGES_ROWS = /'is in the future'|'is before 1600'|converter\([^)]*'stored'\)|\bsift\(/;

const READS_ENVIRONMENT = /process\.env|\benv\b[^;\n]*from '(?:node:)?process'/;

const CSV_PACKAGE = /^(?:csv-parse|fast-csv|papaparse)\b/;

/** Queues, budgets and gates that all requests share. */
const SHARED =
  /new (?:CommitQueue|RowBudget|ReadGate|BulkGate|SignInQueue|LocalAnnouncer|WriteTally|TextThreads|StationDirectory|ObservationFeed|StreamSlots)\(/;

/** What gives requests their places at the read gate, and what counts them. */
const HOLD_GATE = new Set([
  'adapters/http/external/read-permits.ts',
  'application/operation/publish-state.ts',
]);

/** A statement that makes a question to the database and does not ask it. */
const ASKS_NOTHING =
  /^ *(?:if \(.*\) |else )?(?:ask\.\w+|send|rowFrom|rowsFrom|raiseVersion|lockVersion)[(<].*/gm;

/** What the code that the stores share may import: of the application its ports, the forms of records, and what judging a change of stations needs. */
const SHARED_BY_STORES =
  /^(?:domain|application\/ports|adapters\/formats|adapters\/packed-store|adapters\/store)\/|^application\/(?:record-forms|stations\/recheck-of-changes)\.ts$|^node:crypto$/;

/** Files of the application that belong to no subject: they name no other file of the application. */
const WITHOUT_SUBJECT = /^application\/[^/]+$/;

/** The folder in which a file may import others by relative paths. */
function roomOf(path: string): string {
  const [top = '', adapter = ''] = path.split('/');
  return top === 'adapters' ? `${top}/${adapter}` : top;
}

/** Code of tests, and packages for it. */
const FOR_TESTS = /^(?:\.\.\/)*(?:test|transport-suite)\/|^(?:chai|mocha|sinon|fast-check|node:test)$/;

/** What the suite for transports may import beside packages and itself. */
const TESTED_BY_SUITE =
  /^(?:transport-suite|\.\.\/src\/adapters\/http\/(?:core|server))\/|^\.\.\/src\/domain\/domain-error\.ts$/;

/** Alternative of a pattern: the TypeScript client, with which the site reads the API as others do. */
const API_CLIENT = '|\\.\\./clients/typescript/src';

export const RULES: readonly Rule[] = [
  {
    title: 'the domain imports only itself',
    check: (house) => {
      for (const { path, imports } of house.in('domain'))
        for (const name of imports) if (!name.startsWith('domain/')) house.report(path, `imports ${name}`);
    },
    violation: { 'domain/weather/planted.ts': "import { crc32 } from 'node:zlib';" },
  },
  {
    title:
      'the accounts and the weather of the domain do not import each other, and of these uploads and alarms import the weather',
    check: (house) => {
      house.allow('domain/accounts', /^domain\/(?:accounts\/|[^/]+$)/);
      house.allow('domain/weather', /^domain\/(?:weather\/|[^/]+$)/);
      house.allow('domain/uploads', /^domain\/(?:uploads\/|weather\/|[^/]+$)/);
      house.allow('domain/alarms', /^domain\/(?:alarms\/|weather\/|hooks\/|[^/]+$)/);
    },
    violation: { 'domain/weather/planted.ts': "import type { User } from '../accounts/user.js';" },
    others: [
      { 'domain/weather/planted.ts': "import type { Upload } from '../uploads/upload.js';" },
      { 'domain/uploads/planted.ts': "import type { User } from '../accounts/user.js';" },
      { 'domain/alarms/planted.ts': "import type { User } from '../accounts/user.js';" },
    ],
  },
  {
    title: 'the application imports only the domain and itself, and no package',
    check: (house) => {
      for (const { path, imports } of house.in('application'))
        for (const name of imports)
          if (!/^(?:domain|application)\//.test(name)) house.report(path, `imports ${name}`);
    },
    violation: { 'application/planted.ts': "import { z } from 'zod';" },
  },
  {
    title: 'a subject of the application imports only subjects below it',
    check: (house) => {
      for (const subject of SUBJECTS_BUILT) house.in(`application/${subject}`);
      for (const subject of foldersOf(house, 'application').filter((name) => name !== 'ports')) {
        const known = SUBJECTS[subject];
        if (known === undefined) {
          house.report(`application/${subject}`, 'is not among the subjects');
          continue;
        }
        const own = ['ports', subject, ...known].join('|');
        house.allow(`application/${subject}`, new RegExp(`^(?:domain/|application/(?:(?:${own})/|[^/]+$))`));
      }
    },
    violation: {
      'application/stations/planted.ts': "import type { Derive } from '../observations/read/derive.js';",
    },
    others: [
      {
        'application/accounts/planted.ts':
          "import type { StationDirectory } from '../stations/station-directory.js';",
      },
      { 'application/planted/one.ts': 'export {};' },
    ],
  },
  {
    title: 'a file of the application outside of the subjects imports no subject',
    check: (house) => {
      house.in('application');
      for (const { path, imports } of house.files.filter((file) => WITHOUT_SUBJECT.test(file.path)))
        for (const name of imports)
          if (/^application\/(?!ports\/)[^/]+\//.test(name)) house.report(path, `imports ${name}`);
    },
    violation: { 'application/planted.ts': "import { Revoke } from './accounts/sessions/revoke.js';" },
  },
  {
    title: 'a file of an adapter is in the folder of the adapter, and one of HTTP in a listed folder',
    check: (house) => {
      for (const { path } of house.in('adapters')) {
        const [, adapter, room = '', ...rest] = path.split('/');
        if (room === '') house.report(path, 'is in no folder of an adapter');
        else if (adapter === 'http' && (rest.length === 0 || HTTP_ROOMS[room] === undefined))
          house.report(path, 'is in no listed folder of HTTP');
      }
    },
    violation: { 'adapters/planted.ts': 'export {};' },
    others: [{ 'adapters/http/planted.ts': 'export {};' }, { 'adapters/http/planted/live.ts': 'export {};' }],
  },
  {
    title: 'ports are only declarations, without code that runs',
    check: (house) => {
      for (const { path, text } of house.in('application/ports')) {
        if (!/^export interface [A-Z]\w+/m.test(text)) house.report(path, 'exports no interface');
        if (/^export (?:class|function|const)/m.test(text)) house.report(path, 'exports something that runs');
        if (/interface (?:I[A-Z]|\w+Port\b)/.test(text)) house.report(path, 'names what kind of thing it is');
      }
    },
    violation: { 'application/ports/planted.ts': 'export interface Planted {}\nexport const planted = 1;' },
    others: [
      { 'application/ports/planted.ts': 'export type Planted = string;' },
      { 'application/ports/planted.ts': 'export interface PlantedPort {}' },
    ],
  },
  {
    title:
      'an adapter imports only the application, the domain, the formats, packages and its own folder, and stores also what they share',
    check: (house) => {
      for (const adapter of foldersOf(house, 'adapters')) {
        const own = adapter.startsWith('store') ? `(?:${adapter}|packed-store|store)` : adapter;
        house.allow(
          `adapters/${adapter}`,
          new RegExp(
            `^(?:domain|application|adapters/formats|adapters/${own}${adapter === 'site' ? API_CLIENT : ''})/`,
          ),
        );
      }
    },
    violation: {
      'adapters/cli/planted.ts': "import { pg } from '../store-postgres/database/postgres-database.js';",
    },
    others: [
      { 'adapters/cli/planted.ts': "import { RunWriter } from '../packed-store/run-writer.js';" },
      { 'adapters/packed-store/planted.ts': "import { Sqlite } from '../store-sqlite/database/driver.js';" },
      { 'adapters/packed-store/planted.ts': "import { sql } from '#adapters/store/sql.js';" },
    ],
  },
  {
    title: 'what the stores share imports of the application only its ports and forms, and no package',
    check: (house) => {
      for (const { path, imports } of [...house.in('adapters/packed-store'), ...house.in('adapters/store')])
        for (const name of imports) if (!SHARED_BY_STORES.test(name)) house.report(path, `imports ${name}`);
    },
    violation: { 'adapters/packed-store/planted.ts': "import { LRUCache } from 'lru-cache';" },
    others: [{ 'adapters/store/planted.ts': "import pg from 'pg';" }],
  },
  {
    title: 'an operation on stored data asks by `yield*`, without which nothing happens',
    check: (house) => {
      for (const { path, text } of house.in('adapters/store'))
        for (const [asked] of text.matchAll(ASKS_NOTHING))
          house.report(path, `does nothing: ${asked.trim()}`);
    },
    violation: { 'adapters/store/planted.ts': '  ask.storeDays();' },
    others: [
      { 'adapters/store/planted.ts': '  if (isDone) send(sql`DELETE FROM weatherd.alarm`);' },
      { 'adapters/store/planted.ts': '  else rowFrom<Row>(sql`SELECT 1`);' },
    ],
  },
  {
    title: 'formats import only the domain',
    check: (house) => house.allow('adapters/formats', /^(?:domain|adapters\/formats)\//),
    violation: {
      'adapters/formats/planted.ts': "import type { Clock } from '../../application/ports/clock.js';",
    },
  },
  {
    title: 'a folder of the HTTP adapter imports only the folders listed for it',
    check: (house) => {
      for (const [room, known] of Object.entries(HTTP_ROOMS)) {
        const own = [room, ...known].join('|');
        house.allow(
          `adapters/http/${room}`,
          new RegExp(`^(?:domain/|application/|adapters/formats/|adapters/http/(?:${own})/)`),
        );
      }
    },
    violation: {
      'adapters/http/internal/planted.ts': "import { ELEVATED } from '../external/access.js';",
    },
  },
  {
    title:
      'the site knows the API and not the use-cases, and what runs in browsers only itself and the domain',
    check: (house) => {
      house.allow('adapters/site', new RegExp(`^(?:domain|adapters/site${API_CLIENT})/`));
      house.allow(
        'adapters/site/client',
        new RegExp(`^(?:domain/|adapters/site/client/|adapters/site/renderer\\.ts$${API_CLIENT}/)`),
      );
      for (const { path, imports } of house.in('adapters/site/client'))
        if (imports.some((name) => name.startsWith('node:')))
          house.report(path, 'imports a module of Node.js');
    },
    violation: {
      'adapters/site/planted.ts': "import type { GetInfo } from '../../application/operation/get-info.js';",
    },
    others: [
      { 'adapters/site/client/planted.ts': "import { openSite } from '../site.js';" },
      { 'adapters/site/client/planted.ts': "import { readFileSync } from 'node:fs';" },
    ],
  },
  {
    title: 'only the composition imports from itself',
    check: (house) => {
      house.in('composition');
      for (const { path, imports } of house.files.filter((file) => !file.path.startsWith('composition/')))
        if (imports.some((name) => name.startsWith('composition/')))
          house.report(path, 'imports the composition');
    },
    violation: { 'adapters/cli/planted.ts': "import '../../composition/main.js';" },
  },
  {
    title: 'no imports form a circle, type imports included',
    check: (house) => {
      house.in('domain');
      for (const circle of circlesOf(new Map(house.files.map(({ path, imports }) => [path, imports]))))
        house.report(circle.join(' → '), 'is a circle');
    },
    violation: {
      'domain/planted-one.ts': "import type { Two } from './planted-two.js';",
      'domain/planted-two.ts': "import type { One } from './planted-one.js';",
    },
  },
  {
    title: 'each package is imported in one place only',
    check: (house) => {
      for (const [name, folder] of PACKAGES) {
        const users = house.files.filter(({ imports }) =>
          imports.some((used) => used === name || used.startsWith(`${name}/`)),
        );
        if (users.length === 0) house.report('src', `has no use of ${name}`);
        for (const { path } of users) if (!path.startsWith(folder)) house.report(path, `imports ${name}`);
      }
    },
    violation: { 'adapters/cli/planted.ts': "import pg from 'pg';" },
    others: [
      { 'adapters/cli/planted.ts': "import Client from 'pg/lib/client.js';" },
      { 'application/planted.ts': "import { Piscina } from 'piscina';" },
    ],
  },
  {
    title: 'the production sources import no code of tests',
    check: (house) => {
      house.in('domain');
      for (const { path, imports } of house.files.filter((file) => !file.path.startsWith(SUITE)))
        for (const name of imports.filter((imported) => FOR_TESTS.test(imported)))
          house.report(path, `imports ${name}`);
    },
    violation: { 'adapters/cli/planted.ts': "import { header } from '#transport-suite/raw-http.js';" },
    others: [
      { 'adapters/cli/planted.ts': "import { request } from '../../../transport-suite/src/raw-http.js';" },
      { 'composition/planted.ts': "import { post } from '../../test/support/client.js';" },
      { 'domain/planted.ts': "import { describe } from 'mocha';" },
    ],
  },
  {
    title: 'the suite for transports imports only the core and the server of HTTP, DomainError and packages',
    check: (house) => house.allow('transport-suite', TESTED_BY_SUITE),
    violation: {
      'transport-suite/planted.ts':
        "import { readPlaces } from '../../src/adapters/http/external/read-permits.js';",
    },
    others: [
      { 'transport-suite/planted.ts': "import { crc32 } from '../../src/domain/crc32.js';" },
      { 'transport-suite/planted.ts': "import { post } from '../../test/support/client.js';" },
    ],
  },
  {
    title: 'only the configuration reads the environment',
    check: (house) => {
      house.in('composition');
      for (const { path, text } of house.files)
        if (READS_ENVIRONMENT.test(text) && path !== 'composition/config.ts')
          house.report(path, 'reads the environment');
    },
    violation: { 'adapters/cli/planted.ts': 'export const home = process.env.HOME;' },
    others: [{ 'adapters/cli/planted.ts': "import { env } from 'node:process';" }],
  },
  {
    title: 'objects that all requests share are created by the composition, not by a use-case or on import',
    check: (house) => {
      house.in('application/observations');
      for (const { path, text } of house.files.filter((file) => !file.path.startsWith('composition/')))
        if (SHARED.test(text)) house.report(path, 'makes what the container should make once');
    },
    violation: { 'application/planted.ts': 'const queue = new CommitQueue(observations, announcer);' },
  },
  {
    title: 'a request has one permit of the read gate: use-cases get a permit, and not the gate',
    check: (house) => {
      const may = new Set([
        ...house.in('application/observations/read/gate'),
        ...house.in('composition/modules'),
        ...house.in('composition/graph'),
        ...house.files.filter(({ path }) => HOLD_GATE.has(path)),
      ]);
      for (const file of house.files.filter((one) => !may.has(one)))
        if (/\bReadGate\b|\bpermitFor\(/.test(file.text))
          house.report(file.path, 'enters the read gate by itself');
    },
    violation: { 'application/planted.ts': 'const place = this.#gate.permitFor(reader);' },
    others: [
      { 'application/planted.ts': "import type { ReadGate } from './observations/read/gate/read-gate.js';" },
    ],
  },
  {
    title: 'only ingest decides which sent rows are rejected, and converts them to stored units',
    check: (house) => {
      const ingest = 'application/observations/ingest/';
      // Converts integers in the unit that was sent, with the function that ingest has used.
      const packed = 'adapters/formats/packed/columns/unit-scale.ts';
      // A threshold is no value that a station has sent.
      const threshold = 'application/alarms/sent-threshold.ts';
      if (
        !house
          .in('application/observations')
          .some(({ path, text }) => path.startsWith(ingest) && JUDGES_ROWS.test(text))
      )
        house.report(ingest, 'judges no rows');
      for (const { path, text } of house.files.filter(
        (file) => !file.path.startsWith(ingest) && file.path !== packed && file.path !== threshold,
      ))
        if (JUDGES_ROWS.test(text)) house.report(path, 'judges sent rows');
    },
    violation: { 'adapters/cli/planted.ts': "const toStored = converter(variable, unit, 'stored');" },
  },
  {
    title: 'CSV has one reader, in adapters/formats/csv',
    check: (house) => {
      house.in('adapters/formats/csv');
      for (const { path, imports, text } of house.files) {
        if (imports.some((name) => CSV_PACKAGE.test(name))) house.report(path, 'has another reader of CSV');
        if (!path.startsWith('adapters/formats/') && /\bCsvReader\b/.test(text))
          house.report(path, 'reads CSV');
      }
    },
    violation: { 'adapters/cli/planted.ts': "import { parse } from 'csv-parse/sync';" },
    others: [{ 'adapters/cli/planted.ts': 'const reader = new CsvReader();' }],
  },
  {
    title: 'units of time are defined only in domain/time.ts',
    check: (house) => {
      house.in('domain');
      for (const { path, text } of house.files.filter((file) => file.path !== 'domain/time.ts'))
        if (UNIT_OF_TIME.test(text)) house.report(path, 'has a unit of time of its own');
    },
    violation: { 'domain/weather/planted.ts': 'const DAY = 24 * 3600;' },
    others: [
      'const DAY_MS = 5;',
      'const HOUR: number = 5;',
      'x * 86400',
      'x / 3600000',
      '24 * 60 * 60',
      '1440 * x',
    ].map((text) => ({ 'domain/weather/planted.ts': text })),
  },
  {
    title: 'no code uses decorators',
    check: (house) => {
      house.in('composition');
      for (const { path, text } of house.files)
        if (/^\s*@\w+\(/m.test(text)) house.report(path, 'has a decorator');
    },
    violation: { 'application/planted.ts': '@injectable()\nexport class Planted {}' },
  },
  {
    title: 'files have kebab-case names',
    check: (house) => {
      house.in('domain');
      for (const { path } of house.files)
        if (!/^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)+[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/.test(path))
          house.report(path, 'is not named in kebab-case');
    },
    violation: { 'domain/plantedName.ts': 'export {};' },
  },
  {
    title: 'an import of another room begins with #, and one of the same room goes up two folders at most',
    check: (house) => {
      house.in('domain');
      for (const { path, names, imports } of house.files)
        for (const [index, name] of names.entries()) {
          const target = imports[index] as string;
          if (!name.startsWith('.') || target.startsWith('../')) continue;
          if (roomOf(target) !== roomOf(path)) house.report(path, `imports ${target} without #`);
          else if (name.startsWith('../../../')) house.report(path, `imports ${name}`);
        }
    },
    violation: {
      'adapters/cli/planted.ts': "import type { Clock } from '../../application/ports/clock.js';",
    },
    others: [
      { 'adapters/cli/planted.ts': "import { readCsv } from '../formats/csv/csv-columns.js';" },
      { 'domain/weather/quality/checks/planted.ts': "import { MILLISECONDS } from '../../../time.js';" },
    ],
  },
];
