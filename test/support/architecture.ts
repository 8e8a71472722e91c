import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, resolve } from 'node:path';
import { cyclesOf } from './cycles.js';

export interface SourceFile {
  /** Path relative to `src`, with slashes. */
  readonly path: string;
  readonly text: string;
  /** Imported packages, modules of Node.js, and files of the project as paths relative to `src`. Type imports are included. */
  readonly imports: readonly string[];
  /** The specifiers of the imports, as they are written in the file: `#domain/time.js`. */
  readonly names: readonly string[];
}

/** @returns the path relative to `src` for a file of the project; the name itself for a package or a module of Node.js */
function importedFrom(path: string, name: string): string {
  if (name.startsWith('#')) return name.slice(1).replace(/\.js$/, '.ts');
  return name.startsWith('.') ? posix.join(posix.dirname(path), name).replace(/\.js$/, '.ts') : name;
}

export function sourceFile(path: string, text: string): SourceFile {
  const specifiers = [...text.matchAll(/(?:^|[;}\s(])(?:from|import)\s*\(?\s*'([^'\s]+)'/gm)];
  const names = specifiers.map(([, name = '']) => name);
  return { path, text, names, imports: names.map((name) => importedFrom(path, name)) };
}

/** Reads all source files below `folder`. Their paths are relative to `folder`, with the prefix `name`. */
export function readSource(folder: string, name = ''): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) =>
      // Imports of `.ts` and `.tsx` files both end with `.js`, so `.tsx` is treated as `.ts`.
      sourceFile(
        posix.join(name, relative(folder, resolve(folder, path)).replace(/\.tsx$/, '.ts')),
        readFileSync(join(folder, path), 'utf8'),
      ),
    );
}

/**
 * The source files that a rule checks, and the violations that it reports. A rule for an empty folder would check nothing, so an
 * empty folder is a violation too.
 */
export class SourceTree {
  readonly files: readonly SourceFile[];
  readonly violations: string[] = [];

  constructor(files: readonly SourceFile[]) {
    this.files = files;
  }

  /** The files in a folder and in its subfolders. */
  in(folder: string): SourceFile[] {
    const found = this.files.filter(({ path }) => path.startsWith(`${folder}/`));
    if (found.length === 0) this.violations.push(`${folder} has no file`);
    return found;
  }

  /** Reports each file in `folder` that imports a file of the project whose path does not match `allowed`. */
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
  readonly check: (tree: SourceTree) => void;
  /** Files that violate this rule when they are added to the real files. */
  readonly violation: PlantedFiles;
  /** Other violations, each tested separately. */
  readonly others?: readonly PlantedFiles[];
}

/** Texts of files by path relative to `src`. */
export type PlantedFiles = Readonly<Record<string, string>>;

/** Checks a rule. @returns the violations, one line each */
export function violationsOf({ check }: Rule, files: readonly SourceFile[]): string[] {
  const tree = new SourceTree(files);
  check(tree);
  return tree.violations;
}

const isOwn = (name: string) => name.endsWith('.ts');
const foldersOf = (tree: SourceTree, folder: string) => [
  ...new Set(
    tree.in(folder).flatMap(({ path }) => {
      const [name = '', ...rest] = path.slice(folder.length + 1).split('/');
      return rest.length > 0 ? [name] : [];
    }),
  ),
];

/**
 * The subjects, which are folders of the application, each with the subjects that it may import. The table also contains subjects
 * whose folders do not exist yet.
 */
const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  accounts: [],
  stations: ['accounts'],
  observations: ['stations', 'accounts'],
  sensors: ['stations', 'accounts'],
  uploads: ['sensors', 'observations', 'stations', 'accounts'],
  sources: ['uploads', 'sensors', 'observations', 'stations', 'accounts'],
  forecast: ['stations', 'accounts'],
  climate: ['observations', 'stations', 'accounts'],
  hooks: ['forecast', 'observations', 'stations', 'accounts'],
  alarms: ['hooks', 'forecast', 'sensors', 'observations', 'stations', 'accounts'],
  publishing: ['alarms', 'forecast', 'observations', 'stations'],
  // This folder contains checks and housekeeping, which use the other folders.
  demo: ['observations', 'stations'],
  operation: [
    'alarms',
    'hooks',
    'forecast',
    'sources',
    'uploads',
    'sensors',
    'observations',
    'stations',
    'accounts',
  ],
};
/** The folders of the application in `SUBJECTS` that exist. */
const SUBJECTS_BUILT = [
  'accounts',
  'stations',
  'observations',
  'sensors',
  'uploads',
  'sources',
  'forecast',
  'hooks',
  'alarms',
  'publishing',
  'demo',
  'operation',
];

/** The folders of the HTTP adapter, each with the folders that it may import. */
const HTTP_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  server: ['core'],
  shared: ['core'],
  external: ['core', 'shared'],
  internal: ['core', 'shared'],
  express: ['core'],
  fastify: ['core'],
};

/**
 * The path prefix of the transport suite, which are the tests that every transport (a module that routes HTTP requests, such as
 * Express) must pass. The rules check the files of the suite together with the files of `src`.
 */
const SUITE = 'transport-suite/';

/** Packages, each with the only folder that may import it. */
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
  ['@resvg/resvg-wasm', 'adapters/site/card/'],
  ['kdbush', 'adapters/search-kdbush/'],
  ['lineclip', 'adapters/geography/'],
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
  ['yauzl', 'adapters/imports/'],
  ['chai', 'transport-suite/'],
  ['zod', ''],
];

/** Matches a constant for a unit of time, or the number of milliseconds, seconds or minutes in an hour or a day. */
const UNIT_OF_TIME =
  /const (?:SECOND|MINUTE|HOUR|DAY)(?:_\w+)?(?:: \w+)? =|\b(?:86_?400(?:_?000)?|3_?600_?000|1_?440)\b|\b24 \* (?:60|3_?600)\b/;

/** Matches code that checks sent rows or converts sent values. */
const CHECKS_ROWS = /'is in the future'|'is before 1600'|converter\([^)]*'stored'\)|\bsift\(/;

const READS_ENVIRONMENT = /process\.env|\benv\b[^;\n]*from '(?:node:)?process'/;

const CSV_PACKAGE = /^(?:csv-parse|fast-csv|papaparse)\b/;

/** Matches the creation of an object that all requests share, such as a queue or a limiter of concurrent reads. */
const SHARED =
  /new (?:CommitQueue|RowBudget|ReadGate|BulkGate|SignInQueue|LocalAnnouncer|WriteTally|TextThreads|StationDirectory|ObservationFeed|StreamSlots)\(/;

/**
 * The files that may use the read gate, a limiter of concurrent reads, although they are outside of its folder. The first file
 * gets a permit to read for each request; the second file counts the permits.
 */
const MAY_USE_GATE = new Set([
  'adapters/http/external/read-permits.ts',
  'application/operation/publish-state.ts',
]);

/** Matches a statement that creates a request to the database but does not run this request. */
const REQUEST_NOT_RUN =
  /^ *(?:if \(.*\) |else )?(?:ask\.\w+|send|rowFrom|rowsFrom|raiseVersion|lockVersion)[(<].*/gm;

/** Adapters that use another adapter, with its name. The command line and the service import files in the same way. */
const SHARED_ADAPTERS: Readonly<Record<string, string>> = {
  cli: 'imports',
  'delivery-http': 'http-client',
  'source-network': 'http-client',
  'target-network': 'http-client',
  'target-kinds': 'uploads',
};

/**
 * Matches the imports that the common code of the SQLite store and of the PostgreSQL store may use: the domain, the interfaces of
 * the application (ports), the formats of stored data, the list of the fields of stored records, and the rules that say which
 * rows are checked again after a change of stations.
 */
const SHARED_BY_STORES =
  /^(?:domain|application\/ports|adapters\/formats|adapters\/packed-store|adapters\/store)\/|^application\/(?:record-forms|stations\/recheck-of-changes)\.ts$|^node:crypto$/;

/** Matches files directly in the folder of the application. Such files belong to none of its subfolders (the subjects). */
const WITHOUT_SUBJECT = /^application\/[^/]+$/;

/** The folder inside which a file may use relative imports. */
function importFolderOf(path: string): string {
  const [top = '', adapter = ''] = path.split('/');
  return top === 'adapters' ? `${top}/${adapter}` : top;
}

/** Matches test code and packages for tests. */
const FOR_TESTS = /^(?:\.\.\/)*(?:test|transport-suite)\/|^(?:chai|mocha|sinon|fast-check|node:test)$/;

/** Matches the files of the project that the transport suite may import. */
const TESTED_BY_SUITE = new RegExp(
  [
    /^transport-suite\//,
    /^\.\.\/src\/adapters\/(?:http\/(?:core|server)|source-network|target-network|calendar-temporal|formats\/(?:files|import-formats|tables))\//,
    /^\.\.\/src\/adapters\/store-sqlite\/database\/foreign-file\.ts$/,
    /^\.\.\/src\/application\/(?:ports\/(?:source-kind|target-kind|delivery)|hooks\/(?:target-kinds|observations\/sent-weather)|observations\/ingest\/rejection)\.ts$/,
    /^\.\.\/src\/domain\/(?:domain-error|sources\/[^/]+|weather\/(?:station|units|variables))\.ts$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** Alternative for a pattern of allowed imports. It matches the TypeScript client, with which the site reads the API. */
const API_CLIENT = '|\\.\\./clients/typescript/src';

export const RULES: readonly Rule[] = [
  {
    title: 'the domain imports only itself',
    check: (tree) => {
      for (const { path, imports } of tree.in('domain'))
        for (const name of imports) if (!name.startsWith('domain/')) tree.report(path, `imports ${name}`);
    },
    violation: { 'domain/weather/planted.ts': "import { crc32 } from 'node:zlib';" },
  },
  {
    title:
      'in the domain, accounts and weather do not import each other, and uploads and alarms do not import accounts',
    check: (tree) => {
      tree.allow('domain/accounts', /^domain\/(?:accounts\/|[^/]+$)/);
      tree.allow('domain/weather', /^domain\/(?:weather\/|[^/]+$)/);
      tree.allow('domain/uploads', /^domain\/(?:uploads\/|weather\/|[^/]+$)/);
      tree.allow('domain/alarms', /^domain\/(?:alarms\/|forecast\/|sensors\/|weather\/|hooks\/|[^/]+$)/);
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
    check: (tree) => {
      for (const { path, imports } of tree.in('application'))
        for (const name of imports)
          if (!/^(?:domain|application)\//.test(name)) tree.report(path, `imports ${name}`);
    },
    violation: { 'application/planted.ts': "import { z } from 'zod';" },
  },
  {
    title: 'a subject of the application imports only subjects below it',
    check: (tree) => {
      for (const subject of SUBJECTS_BUILT) tree.in(`application/${subject}`);
      for (const subject of foldersOf(tree, 'application').filter((name) => name !== 'ports')) {
        const known = SUBJECTS[subject];
        if (known === undefined) {
          tree.report(`application/${subject}`, 'is not among the subjects');
          continue;
        }
        const own = ['ports', subject, ...known].join('|');
        tree.allow(`application/${subject}`, new RegExp(`^(?:domain/|application/(?:(?:${own})/|[^/]+$))`));
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
    check: (tree) => {
      tree.in('application');
      for (const { path, imports } of tree.files.filter((file) => WITHOUT_SUBJECT.test(file.path)))
        for (const name of imports)
          if (/^application\/(?!ports\/)[^/]+\//.test(name)) tree.report(path, `imports ${name}`);
    },
    violation: { 'application/planted.ts': "import { Revoke } from './accounts/sessions/revoke.js';" },
  },
  {
    title: 'a file of an adapter is in the folder of the adapter, and one of HTTP in a listed folder',
    check: (tree) => {
      for (const { path } of tree.in('adapters')) {
        const [, adapter, room = '', ...rest] = path.split('/');
        if (room === '') tree.report(path, 'is in no folder of an adapter');
        else if (adapter === 'http' && (rest.length === 0 || HTTP_FOLDERS[room] === undefined))
          tree.report(path, 'is in no listed folder of HTTP');
      }
    },
    violation: { 'adapters/planted.ts': 'export {};' },
    others: [{ 'adapters/http/planted.ts': 'export {};' }, { 'adapters/http/planted/live.ts': 'export {};' }],
  },
  {
    title: 'ports are only declarations, without code that runs',
    check: (tree) => {
      for (const { path, text } of tree.in('application/ports')) {
        if (!/^export interface [A-Z]\w+/m.test(text)) tree.report(path, 'exports no interface');
        if (/^export (?:class|function|const)/m.test(text)) tree.report(path, 'exports code that runs');
        if (/interface (?:I[A-Z]|\w+Port\b)/.test(text))
          tree.report(path, 'has the word Port or a leading I in a name');
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
      'an adapter imports only the application, the domain, the formats, packages and its own folder, and stores also their shared code',
    check: (tree) => {
      for (const adapter of foldersOf(tree, 'adapters')) {
        const shared = adapter.startsWith('store') ? 'packed-store|store' : SHARED_ADAPTERS[adapter];
        const own = shared === undefined ? adapter : `(?:${adapter}|${shared})`;
        tree.allow(
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
    title:
      'the shared code of the stores imports only ports and record forms of the application, and no package',
    check: (tree) => {
      for (const { path, imports } of [...tree.in('adapters/packed-store'), ...tree.in('adapters/store')])
        for (const name of imports) if (!SHARED_BY_STORES.test(name)) tree.report(path, `imports ${name}`);
    },
    violation: { 'adapters/packed-store/planted.ts': "import { LRUCache } from 'lru-cache';" },
    others: [{ 'adapters/store/planted.ts': "import pg from 'pg';" }],
  },
  {
    title: 'an operation on stored data sends its requests with `yield*`, because they do nothing without it',
    check: (tree) => {
      for (const { path, text } of tree.in('adapters/store'))
        for (const [asked] of text.matchAll(REQUEST_NOT_RUN))
          tree.report(path, `does nothing: ${asked.trim()}`);
    },
    violation: { 'adapters/store/planted.ts': '  ask.storeDays();' },
    others: [
      { 'adapters/store/planted.ts': '  if (isDone) send(sql`DELETE FROM weatherd.alarm`);' },
      { 'adapters/store/planted.ts': '  else rowFrom<Row>(sql`SELECT 1`);' },
    ],
  },
  {
    title: 'formats import only the domain',
    check: (tree) => tree.allow('adapters/formats', /^(?:domain|adapters\/formats)\//),
    violation: {
      'adapters/formats/planted.ts': "import type { Clock } from '../../application/ports/clock.js';",
    },
  },
  {
    title: 'a folder of the HTTP adapter imports only the folders listed for it',
    check: (tree) => {
      for (const [room, known] of Object.entries(HTTP_FOLDERS)) {
        const own = [room, ...known].join('|');
        tree.allow(
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
      'the site imports no use-cases, and its code for browsers imports only itself, the domain and the API client',
    check: (tree) => {
      tree.allow('adapters/site', new RegExp(`^(?:domain|adapters/formats|adapters/site${API_CLIENT})/`));
      tree.allow(
        'adapters/site/client',
        new RegExp(`^(?:domain/|adapters/site/client/|adapters/site/renderer\\.ts$${API_CLIENT}/)`),
      );
      for (const { path, imports } of tree.in('adapters/site/client'))
        if (imports.some((name) => name.startsWith('node:')))
          tree.report(path, 'imports a module of Node.js');
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
    check: (tree) => {
      tree.in('composition');
      for (const { path, imports } of tree.files.filter((file) => !file.path.startsWith('composition/')))
        if (imports.some((name) => name.startsWith('composition/')))
          tree.report(path, 'imports the composition');
    },
    violation: { 'adapters/cli/planted.ts': "import '../../composition/main.js';" },
  },
  {
    title: 'imports form no cycle, type imports included',
    check: (tree) => {
      tree.in('domain');
      for (const cycle of cyclesOf(new Map(tree.files.map(({ path, imports }) => [path, imports]))))
        tree.report(cycle.join(' → '), 'is a cycle');
    },
    violation: {
      'domain/planted-one.ts': "import type { Two } from './planted-two.js';",
      'domain/planted-two.ts': "import type { One } from './planted-one.js';",
    },
  },
  {
    title: 'each package is imported in one place only',
    check: (tree) => {
      for (const [name, folder] of PACKAGES) {
        const users = tree.files.filter(({ imports }) =>
          imports.some((used) => used === name || used.startsWith(`${name}/`)),
        );
        if (users.length === 0) tree.report('src', `has no use of ${name}`);
        for (const { path } of users) if (!path.startsWith(folder)) tree.report(path, `imports ${name}`);
      }
    },
    violation: { 'adapters/cli/planted.ts': "import pg from 'pg';" },
    others: [
      { 'adapters/cli/planted.ts': "import Client from 'pg/lib/client.js';" },
      { 'application/planted.ts': "import { Piscina } from 'piscina';" },
    ],
  },
  {
    title: 'production code imports no test code',
    check: (tree) => {
      tree.in('domain');
      for (const { path, imports } of tree.files.filter((file) => !file.path.startsWith(SUITE)))
        for (const name of imports.filter((imported) => FOR_TESTS.test(imported)))
          tree.report(path, `imports ${name}`);
    },
    violation: { 'adapters/cli/planted.ts': "import { header } from '#transport-suite/raw-http.js';" },
    others: [
      { 'adapters/cli/planted.ts': "import { request } from '../../../transport-suite/src/raw-http.js';" },
      { 'composition/planted.ts': "import { post } from '../../test/support/client.js';" },
      { 'domain/planted.ts': "import { describe } from 'mocha';" },
    ],
  },
  {
    title:
      'the suites for packages import only the core and the server of HTTP, the network and the contract of sources, the reader of files, and packages',
    check: (tree) => tree.allow('transport-suite', TESTED_BY_SUITE),
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
    check: (tree) => {
      tree.in('composition');
      for (const { path, text } of tree.files)
        if (READS_ENVIRONMENT.test(text) && path !== 'composition/config.ts')
          tree.report(path, 'reads the environment');
    },
    violation: { 'adapters/cli/planted.ts': 'export const home = process.env.HOME;' },
    others: [{ 'adapters/cli/planted.ts': "import { env } from 'node:process';" }],
  },
  {
    title: 'objects that all requests share are created by the composition, not by a use-case or on import',
    check: (tree) => {
      tree.in('application/observations');
      for (const { path, text } of tree.files.filter((file) => !file.path.startsWith('composition/')))
        if (SHARED.test(text)) tree.report(path, 'creates an object that the container must create once');
    },
    violation: { 'application/planted.ts': 'const queue = new CommitQueue(observations, announcer);' },
  },
  {
    title: 'a request has one permit of the read gate: use-cases use the permit, and not the gate',
    check: (tree) => {
      const may = new Set([
        ...tree.in('application/observations/read/gate'),
        ...tree.in('composition/modules'),
        ...tree.in('composition/graph'),
        ...tree.files.filter(({ path }) => MAY_USE_GATE.has(path)),
      ]);
      for (const file of tree.files.filter((one) => !may.has(one)))
        if (/\bReadGate\b|\bpermitFor\(/.test(file.text))
          tree.report(file.path, 'uses the read gate directly');
    },
    violation: { 'application/planted.ts': 'const place = this.#gate.permitFor(reader);' },
    others: [
      { 'application/planted.ts': "import type { ReadGate } from './observations/read/gate/read-gate.js';" },
    ],
  },
  {
    title: 'only ingest decides which sent rows are rejected, and converts them to stored units',
    check: (tree) => {
      const ingest = 'application/observations/ingest/';
      // Two files outside of ingest (the code that accepts sent rows) may convert values too. `unit-scale.ts` packs stored values
      // as integers in the unit in which they were sent, so it must use the same conversion as ingest.
      const packed = 'adapters/formats/packed/columns/unit-scale.ts';
      // The threshold of an alarm is not a value from a station, so `sent-threshold.ts` may convert the threshold.
      const threshold = 'application/alarms/sent-threshold.ts';
      // Forecasts are not rows.
      const forecastFile = 'adapters/cli/forecasts/forecast-file.ts';
      const simulated = 'application/demo/simulated-provider.ts';
      // The sum of the rain of a gap is not stored.
      const rainOfGap = 'application/sources/store-reports.ts';
      if (
        !tree
          .in('application/observations')
          .some(({ path, text }) => path.startsWith(ingest) && CHECKS_ROWS.test(text))
      )
        tree.report(ingest, 'checks no rows');
      // The suites for packages compare values in stored units, and store none.
      const others = tree.files.filter(({ path }) => !path.startsWith(ingest) && !path.startsWith(SUITE));
      for (const { path, text } of others.filter(
        (file) => ![packed, threshold, forecastFile, simulated, rainOfGap].includes(file.path),
      ))
        if (CHECKS_ROWS.test(text)) tree.report(path, 'checks sent rows');
    },
    violation: { 'adapters/cli/planted.ts': "const toStored = converter(variable, unit, 'stored');" },
  },
  {
    title: 'CSV has one reader, in adapters/formats/csv',
    check: (tree) => {
      tree.in('adapters/formats/csv');
      for (const { path, imports, text } of tree.files) {
        if (imports.some((name) => CSV_PACKAGE.test(name))) tree.report(path, 'has another reader of CSV');
        if (!path.startsWith('adapters/formats/') && /\bCsvReader\b/.test(text))
          tree.report(path, 'reads CSV');
      }
    },
    violation: { 'adapters/cli/planted.ts': "import { parse } from 'csv-parse/sync';" },
    others: [{ 'adapters/cli/planted.ts': 'const reader = new CsvReader();' }],
  },
  {
    title: 'units of time are defined only in domain/time.ts',
    check: (tree) => {
      tree.in('domain');
      for (const { path, text } of tree.files.filter((file) => file.path !== 'domain/time.ts'))
        if (UNIT_OF_TIME.test(text)) tree.report(path, 'defines a unit of time');
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
    title:
      'no signal depends on others: Node.js keeps such a signal until it aborts, and before version 22 it forgets a time limit in it (withinTime)',
    check: (tree) => {
      // The signal of a connection to a broker aborts when the connection closes. The code of the site runs in a browser.
      const aborts = /^adapters\/(?:broker-mqtt\/broker-connection\.ts$|site\/client\/)/;
      tree.in('adapters');
      for (const { path, text } of tree.files)
        if (text.includes('AbortSignal.any(') && !aborts.test(path))
          tree.report(path, 'makes a signal that depends on others');
    },
    violation: { 'adapters/http/planted.ts': 'export const own = AbortSignal.any([signal]);' },
    others: [
      {
        'application/planted.ts': 'export const limit = AbortSignal.any([signal, AbortSignal.timeout(5)]);',
      },
    ],
  },
  {
    title: 'no code uses decorators',
    check: (tree) => {
      tree.in('composition');
      for (const { path, text } of tree.files)
        if (/^\s*@\w+\(/m.test(text)) tree.report(path, 'has a decorator');
    },
    violation: { 'application/planted.ts': '@injectable()\nexport class Planted {}' },
  },
  {
    title: 'files have kebab-case names',
    check: (tree) => {
      tree.in('domain');
      for (const { path } of tree.files)
        if (!/^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)+[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/.test(path))
          tree.report(path, 'is not named in kebab-case');
    },
    violation: { 'domain/plantedName.ts': 'export {};' },
  },
  {
    title:
      'an import from another room starts with #, and an import within a room goes up at most two folders',
    check: (tree) => {
      tree.in('domain');
      for (const { path, names, imports } of tree.files)
        for (const [index, name] of names.entries()) {
          const target = imports[index] as string;
          if (!name.startsWith('.') || target.startsWith('../')) continue;
          if (importFolderOf(target) !== importFolderOf(path))
            tree.report(path, `imports ${target} without #`);
          else if (name.startsWith('../../../')) tree.report(path, `imports ${name}`);
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
