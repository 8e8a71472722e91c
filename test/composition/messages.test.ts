import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { reasonOf, sentenceOf } from '#composition/reason.js';
import { expiryFault } from '#composition/settings/tls-files.js';
import { makeCertificate } from '../support/certificate.js';
import { Workplace } from '../support/process.js';
import { STATION } from '../support/weather-world.js';

const DAY = 86_400_000;
/** What a person should not have to read: a stack, a code of the system alone, or Node.js' form of an error. */
const RAW = /^\s+at |\bE[A-Z]{3,}:|error:0|node:internal/m;
/** A sentence; or an item of a list or a command to type, as the last line. */
const ENDS = /[.?]\n$|\n {2}\S.*\n$/;

interface Situation {
  readonly name: string;
  readonly command: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** Standard error without `weatherd: ` and the line end. `@` is the folder. */
  readonly message: string;
}

const IMPORT = '--station JFK --map t=air_temperature:°C';
const dataIn = (folder: string) => ({ WEATHERD_DATA_DIR: `@/${folder}` });
const tls = (cert: string, key: string) => ({
  WEATHERD_EXTERNAL_TLS_CERT: `@/${cert}`,
  WEATHERD_EXTERNAL_TLS_KEY: `@/${key}`,
});
const cannotUse = (reason: string) => `The data file cannot be used. @/${reason}.`;
const NO_DATABASE =
  'the file is not an SQLite database (file is not a database): restore a backup, or name the right file';
const IS_DAMAGED =
  'the file is damaged (database disk image is malformed): stop the service, and restore a backup';

const BACKUPS: readonly Situation[] = [
  {
    name: 'a backup into a folder that is missing',
    command: 'backup @/none/b.db',
    message: 'The folder @/none of @/none/b.db does not exist. Create it.',
  },
  {
    name: 'a backup onto a folder',
    command: 'backup @/folder',
    message: '@/folder is a folder. Name a file in the folder.',
  },
  {
    name: 'a backup below a file',
    command: 'backup @/text/b.db',
    message: '@/text/b.db is not a folder, or a part of the path is a file.',
  },
  {
    name: 'a backup of a file that is no database',
    command: 'backup @/b.db',
    settings: dataIn('garbage'),
    message: `@/garbage/weatherd.db: ${NO_DATABASE}.`,
  },
  {
    name: 'a backup of a damaged file',
    command: 'backup @/b.db',
    settings: dataIn('damaged'),
    message: `@/damaged/weatherd.db: ${IS_DAMAGED}.`,
  },
  { name: 'no backup', command: 'restore @/none', message: 'The file @/none does not exist.' },
  {
    name: 'a folder instead of a backup',
    command: 'restore @/folder',
    message: '@/folder is not a regular file: name the file of a backup.',
  },
  {
    name: 'an empty backup',
    command: 'restore @/empty',
    message: '@/empty is empty: name the file of a backup.',
  },
  {
    name: 'a backup that is a text',
    command: 'restore @/text',
    settings: dataIn('new'),
    message:
      '@/text: the file is not an SQLite database (file is not a database): use another backup, or write a new one with ' +
      '"weatherd backup", and check the disk.',
  },
  {
    name: 'data where a backup is restored',
    command: 'restore @/backup.db',
    message:
      '@/data is not empty (@/data/keys). With --force, the existing data and keys are renamed and kept.',
  },
  {
    name: 'a backup restored below a file',
    command: 'restore @/backup.db',
    settings: dataIn('text/data'),
    message: '@/text is not a folder.',
  },
];

const FILES: readonly Situation[] = [
  {
    name: 'no file to import',
    command: `import @/none.csv ${IMPORT}`,
    message: '@/none.csv does not exist.',
  },
  {
    name: 'a folder to import',
    command: `import @/folder ${IMPORT}`,
    message: '@/folder is a folder. Name the files in the folder.',
  },
  {
    name: 'an empty file to import',
    command: `import @/empty ${IMPORT}`,
    message: 'empty: The file is empty.',
  },
  {
    name: 'an empty standard input to import',
    command: `import - ${IMPORT}`,
    message: 'standard input: The file is empty.',
  },
  {
    name: 'a file to import below a file',
    command: `import @/text/a.csv ${IMPORT}`,
    message: '@/text/a.csv is not a folder, or a part of the path is a file.',
  },
  {
    name: 'an import for an unknown station',
    command: `import @/rows.csv ${IMPORT.replace('JFK', 'none')}`,
    message:
      'There is no station "none". "weatherd station list" shows the stations, and "weatherd station add" creates one.',
  },
  {
    name: 'an export into a folder that is missing',
    command: `export --station JFK @/none/a.csv`,
    message: 'The folder @/none of @/none/a.csv does not exist. Create it.',
  },
  {
    name: 'a file with a secret that is missing',
    command: 'hook add one --all --post https://example.org --secret-file @/none',
    message: '--secret-file @/none does not exist.',
  },
  {
    name: 'a folder instead of a file with a secret',
    command: 'alarm add one --all --silent --post https://example.org --secret-file @/folder',
    message: '--secret-file @/folder: the path is a folder and not a file.',
  },
  {
    name: 'a file with a URL that is missing',
    command: 'copy --to-file @/none',
    message: '--to-file: @/none does not exist.',
  },
  {
    name: 'a copy of a station that cannot be read',
    command: 'copy --to sqlite:@/copy/weatherd.db --data-dir @/copy',
    settings: dataIn('unreadable'),
    message: cannotUse(
      'unreadable/weatherd.db: the station "JFK" is damaged: its column limits is not JSON. "weatherd check" says how to repair it',
    ),
  },
];

const STARTS: readonly Situation[] = [
  {
    name: 'a data directory that is a file',
    command: 'serve',
    settings: dataIn('text'),
    message: 'The data directory @/text (WEATHERD_DATA_DIR) cannot be used: @/text is not a folder.',
  },
  {
    name: 'a folder of keys that is a file',
    command: 'serve',
    settings: dataIn('folder'),
    message: 'The data directory @/folder (WEATHERD_DATA_DIR) cannot be used: @/folder/keys is not a folder.',
  },
  {
    name: 'a data file that is a folder',
    command: 'serve',
    settings: { WEATHERD_DATABASE_URL: 'sqlite:@/folder' },
    message: 'The data file cannot be used. @/folder is a folder and not a file.',
  },
  {
    name: 'a data file that is no database',
    command: 'serve',
    settings: dataIn('garbage'),
    message: cannotUse(`garbage/weatherd.db: ${NO_DATABASE}`),
  },
  {
    name: 'a damaged data file',
    command: 'serve',
    settings: dataIn('damaged'),
    message: cannotUse(`damaged/weatherd.db: ${IS_DAMAGED}`),
  },
  {
    name: 'a damaged data file of a command',
    command: 'user list',
    settings: dataIn('damaged'),
    message: cannotUse(`damaged/weatherd.db: ${IS_DAMAGED}`),
  },
  {
    name: 'a port in use',
    command: 'serve',
    settings: { WEATHERD_EXTERNAL_PORT: '#' },
    message:
      'The external API cannot listen on 127.0.0.1 port #: the port is in use. ' +
      'Stop the program that uses it, or set WEATHERD_EXTERNAL_PORT to another port.',
  },
  {
    name: 'an address of another machine',
    command: 'serve',
    // Of a block that no machine has (RFC 5737).
    settings: { WEATHERD_EXTERNAL_HOST: '203.0.113.5', WEATHERD_EXTERNAL_INSECURE: 'true' },
    message:
      'The external API cannot listen on 203.0.113.5 port 0: this machine does not have the address: correct WEATHERD_EXTERNAL_HOST.',
  },
  {
    name: 'a socket without a folder',
    command: 'serve',
    settings: { WEATHERD_INTERNAL_HOST: 'unix:@/none/s' },
    message:
      'The internal API cannot listen on unix:@/none/s: the folder @/none does not exist: create it, or set WEATHERD_INTERNAL_HOST to another path.',
  },
  {
    name: 'no certificate',
    command: 'serve',
    settings: tls('none', 'tls/key.pem'),
    message: 'WEATHERD_EXTERNAL_TLS_CERT: @/none does not exist.',
  },
  {
    name: 'a certificate that is a folder',
    command: 'serve',
    settings: tls('folder', 'tls/key.pem'),
    message: 'WEATHERD_EXTERNAL_TLS_CERT: @/folder: the path is a folder and not a file.',
  },
  {
    name: 'a key instead of the certificate',
    command: 'serve',
    settings: tls('tls/key.pem', 'tls/key.pem'),
    message:
      'WEATHERD_EXTERNAL_TLS_CERT: @/tls/key.pem does not contain a certificate in PEM: name the file of the certificate.',
  },
  {
    name: 'the key of another certificate',
    command: 'serve',
    settings: tls('tls/cert.pem', 'other/key.pem'),
    message:
      'WEATHERD_EXTERNAL_TLS_KEY: @/other/key.pem is not the key of the certificate in @/tls/cert.pem ' +
      '(WEATHERD_EXTERNAL_TLS_CERT): name two files that belong together.',
  },
  {
    name: 'a database server that is away',
    command: 'serve',
    settings: { WEATHERD_DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/weather' },
    message:
      'The database cannot be used. postgres://127.0.0.1:1/weather: no server listens there: start it, or correct host and port ' +
      '(connect ECONNREFUSED 127.0.0.1:1).',
  },
];

const SETTINGS: readonly Situation[] = [
  {
    name: 'no configuration file',
    command: '--config @/none config',
    message: 'The configuration has 1 fault(s):\n  @/none does not exist',
  },
  {
    name: 'a configuration file that is not JSON',
    command: '--config @/text config',
    message: 'The configuration has 1 fault(s):\n  @/text: the file is not valid JSON: line 1, column 1',
  },
  {
    name: 'a wrong value in the configuration file',
    command: '--config @/settings.json config',
    message:
      'The configuration has 1 fault(s):\n' +
      '  WEATHERD_SITE (site in @/settings.json): Must be true or false; it is "yes"',
  },
  {
    name: 'wrong values in the environment, of which secrets are not shown',
    command: 'config',
    settings: {
      WEATHERD_EXTERNAL_PORT: 'http',
      WEATHERD_INTERNAL_SECRET: 'qwertyuiop',
      WEATHERD_MQTT_URL: 'http://ada:secret@h',
    },
    message:
      'The configuration has 4 fault(s):\n' +
      '  WEATHERD_EXTERNAL_PORT: Must be a port number, 0 to 65535; it is "http"\n' +
      '  WEATHERD_INTERNAL_SECRET: Must have at least 32 bytes\n' +
      '  WEATHERD_MQTT_URL: Must be mqtt://HOST:PORT or mqtts://HOST:PORT; set WEATHERD_MQTT_USERNAME and WEATHERD_MQTT_PASSWORD instead\n' +
      '  WEATHERD_MQTT_URL: set WEATHERD_MQTT_MAPPING too, the file that maps fields of messages to variables, or WEATHERD_MQTT_PUBLISH',
  },
  {
    name: 'a file with a secret of the settings that is missing',
    command: 'config',
    settings: { WEATHERD_INTERNAL_SECRET_FILE: '@/none' },
    message: 'The configuration has 1 fault(s):\n  WEATHERD_INTERNAL_SECRET_FILE: @/none does not exist',
  },
];

describe('messages', () => {
  let place: Workplace;
  let port: string;
  const taken = createServer();

  before(async () => {
    place = await Workplace.make();
    const file = (name: string) => join(place.folder, name);
    await place.makeData({}, [STATION]);
    await place.run(['backup', file('backup.db')]);
    for (const name of ['garbage', 'damaged', 'unreadable', 'folder', 'tls', 'other', 'copy'])
      await mkdir(file(name), { mode: 0o700 });
    await writeFile(file('text'), 'no database '.repeat(100));
    await writeFile(file('empty'), '');
    await writeFile(file('rows.csv'), 'time,t\n2024-01-01T00:00:00Z,5\n');
    await writeFile(file('settings.json'), '{"site": "yes"}');
    await writeFile(file('folder/keys'), '');
    await copyFile(file('text'), file('garbage/weatherd.db'));
    const data = await readFile(place.dataFile);
    await writeFile(file('damaged/weatherd.db'), data.fill(0xff, 4096));
    await copyFile(place.dataFile, file('unreadable/weatherd.db'));
    const database = new Sqlite(file('unreadable/weatherd.db'));
    database.exec("UPDATE station SET limits = '{'");
    database.close();
    makeCertificate(file('tls'));
    makeCertificate(file('other'));
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    port = String((taken.address() as AddressInfo).port);
  });
  after(async () => {
    taken.close();
    await place.remove();
  });

  const given = (text: string) => text.replaceAll('@/', `${place.folder}/`).replaceAll('#', port);
  /** The command, without the log of a service that starts. */
  const run = async ({ command, settings = {} }: Situation) =>
    await place.run(command.split(' ').map(given), '', {
      WEATHERD_EXTERNAL_PORT: '0',
      WEATHERD_INTERNAL_PORT: '0',
      WEATHERD_LOG_LEVEL: 'silent',
      ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, given(value)])),
    });

  for (const situation of [...BACKUPS, ...FILES, ...STARTS, ...SETTINGS]) {
    it(`say what is wrong, where, and what to do: ${situation.name}`, async () => {
      const { status, stdout, stderr } = await run(situation);
      expect(stderr).to.equal(`weatherd: ${given(situation.message)}\n`);
      expect([status, stdout]).to.deep.equal([1, '']);
      expect(stderr)
        .to.match(ENDS)
        .and.not.match(RAW)
        .and.not.match(/secret@|qwertyuiop/);
    });
  }

  it('of the doctor are sentences too', async () => {
    for (const folder of ['garbage', 'text', 'folder']) {
      const settings = { ...dataIn(folder), WEATHERD_DATABASE_URL: 'sqlite:@/garbage/weatherd.db' };
      const { status, stdout } = await run({ name: '', message: '', command: 'doctor --json', settings });
      expect(status).to.equal(1);
      const { findings } = JSON.parse(stdout) as { findings: { state: string; text: string }[] };
      for (const { text } of findings.filter(({ state }) => state === 'fail'))
        expect(text).to.match(/\.$/).and.not.match(RAW);
    }
  });

  it('say that a certificate has expired, or is not valid yet', async () => {
    const [cert, key] = await Promise.all(
      ['cert.pem', 'key.pem'].map((name) => readFile(join(place.folder, 'tls', name), 'utf8')),
    );
    const faultAt = (time: number) => expiryFault({ cert: cert ?? '', key: key ?? '' }, 'c.pem', time);
    expect(faultAt(Date.now())).to.equal(undefined);
    expect(faultAt(Date.now() + 3 * DAY)).to.match(
      /^c\.pem has expired on \d{4}-\d\d-\d\d: renew it, then reload/,
    );
    expect(faultAt(Date.now() - 3 * DAY)).to.match(
      /^c\.pem is not valid before \d{4}-\d\d-\d\d: check the clock$/,
    );
  });
});

describe('the reason of an error', () => {
  const ofSystem = (code: string, syscall: string, path?: string) =>
    Object.assign(new Error(`${code}: as the system says, ${syscall}`), {
      code,
      syscall,
      ...(path && { path }),
    });

  it('is in plain words where the system has failed', () => {
    for (const [code, syscall, path, reason] of [
      ['EACCES', 'open', '/a', /^\/a is not accessible to the user \S+: give this user access/],
      ['EPERM', 'mkdir', '/a', /^\/a is not accessible to the user /],
      ['ENOENT', 'stat', '/a', /^\/a does not exist$/],
      ['ENOTDIR', 'stat', '/a', /^\/a is not a folder, or a part of the path is a file$/],
      ['EISDIR', 'read', undefined, /^the path is a folder and not a file$/],
      ['EEXIST', 'mkdir', '/a', /^\/a is not a folder$/],
      ['EEXIST', 'link', '/a', /^\/a exists already$/],
      ['ENOSPC', 'write', undefined, /^the disk is full: remove files/],
      ['ENOSPC', 'open', '/a', /^the disk is full \(\/a\): remove files/],
      ['EDQUOT', 'write', undefined, /^the disk quota of the user \S+ is used up: /],
      ['EFBIG', 'write', undefined, /^the file is larger than /],
      ['EROFS', 'open', '/a', /^\/a is on a disk that is mounted read-only: /],
      ['EIO', 'read', '/a', /^the disk reports an error \(\/a\): /],
      ['EMFILE', 'open', '/a', /^too many files are open: raise the limit/],
      ['ENFILE', 'open', '/a', /^too many files are open: raise the limit/],
      ['ENAMETOOLONG', 'open', '/a', /^\/a is too long$/],
      ['ELOOP', 'open', '/a', /^\/a contains a cycle of symbolic links$/],
      ['ENODEV', 'open', '/a', /^as the system says, open \(ENODEV\)$/],
    ] as const) {
      const error = ofSystem(code, syscall, path);
      expect(reasonOf(error), code).to.match(reason);
      expect(reasonOf(new Error('X cannot be used:', { cause: error }))).to.equal(
        `X cannot be used: ${reasonOf(error)}`,
      );
      expect(reasonOf(new Error(`X: ${error.message}.`, { cause: error }))).to.equal(
        `X: ${reasonOf(error)}.`,
      );
      // As an error arrives from another thread.
      expect(reasonOf(new Error(error.message, { cause: { code, syscall, path } }))).to.equal(
        reasonOf(error),
      );
    }
  });

  it('names a file once, and has no messages of OpenSSL', () => {
    const missing = ofSystem('ENOENT', 'open', '/a');
    expect(reasonOf(new Error(`/a: ${missing.message}`, { cause: missing }))).to.equal('/a does not exist');
    const ofOpenSsl = Object.assign(new Error('error:0480006C:PEM'), { code: 'ERR_OSSL_PEM_NO_START_LINE' });
    expect(reasonOf(new Error('no certificate', { cause: ofOpenSsl }))).to.equal('no certificate');
  });

  it('ends with a full stop, unless it ends with a list or a command', () => {
    expect(['a', 'a.', 'a?', 'a:\n  b', 'a. Type: b c'].map(sentenceOf)).to.deep.equal([
      'a.',
      'a.',
      'a?',
      'a:\n  b',
      'a. Type: b c',
    ]);
  });
});
