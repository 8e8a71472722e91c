import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { foreignOwner } from '#composition/data/data-owner.js';
import { postgresServer } from '../../support/postgres.js';
import { waitForEnd, signIn, Workplace } from '../../support/process.js';

const PASSWORD = 'correct horse battery staple';
const NOBODY = 65_534;
const COMMANDS = [
  ['user', 'list'],
  ['user', 'add', 'ada'],
  ['keys', 'rotate'],
  ['export', '--station', 'garden', 'garden.csv'],
  ['import', 'garden.csv', '--station', 'garden', '--map', 't=air_temperature'],
  ['backup', 'backup.db'],
];

describe('the command line and the data', () => {
  let place: Workplace;
  beforeEach(async () => (place = await Workplace.make()));
  afterEach(() => place.remove());

  const init = (name = 'ada') => place.run(['init', name], PASSWORD);
  const asAda = (base: string) => signIn(base, { username: 'ada', email: null, password: PASSWORD });

  describe('where there are no data', () => {
    it('a command prints where it looked and how to name another place, and creates nothing', async () => {
      await writeFile(join(place.folder, 'garden.csv'), 'time,t\n');
      const before = await readdir(place.folder);
      const saysWhere = async (command: readonly string[]) => {
        const { status, stdout, stderr } = await place.run(command, PASSWORD);
        expect([status, stdout], command.join(' ')).to.deep.equal([1, '']);
        expect(stderr).to.contain(place.dataDir).and.contain('WEATHERD_DATA_DIR sets the data directory');
      };
      await Promise.all(COMMANDS.map(saysWhere));
      expect(await readdir(place.folder)).to.deep.equal(before);
    });

    it('a missing data file is distinguished from a missing folder, and a named file from the default one', async () => {
      await mkdir(place.dataDir);
      expect((await place.run(['user', 'list'])).stderr).to.match(
        /^weatherd: The data directory \S+data has no data file\./,
      );
      const file = join(place.folder, 'elsewhere.db');
      const { stderr } = await place.run(['user', 'list'], '', { WEATHERD_DATABASE_URL: `sqlite:${file}` });
      expect(stderr).to.contain(`The data file ${file} does not exist. WEATHERD_DATABASE_URL`);
      const { stderr: memory } = await place.run(['user', 'list'], '', { WEATHERD_DATABASE_URL: 'memory:' });
      expect(memory).to.contain('a temporary folder');
      const demo = await place.run(['demo'], '', { WEATHERD_DATABASE_URL: 'memory:' });
      expect([demo.status, demo.stdout]).to.deep.equal([1, '']);
      expect(demo.stderr).to.contain('a temporary folder');
      expect(await readdir(place.dataDir)).to.deep.equal([]);
      expect(existsSync(file)).to.equal(false);
    });

    it('a command does not make the schema in PostgreSQL, and init does', async () => {
      const server = await postgresServer();
      const url = await server.newDatabase();
      const settings = { WEATHERD_DATABASE_URL: url };
      const refused = await place.run(['user', 'list'], '', settings);
      expect(refused.status).to.equal(1);
      expect(refused.stderr).to.match(/The database postgres:\/\/\S+ has no data of weatherd/);
      expect(refused.stderr).not.to.contain(new URL(url).password || 'no password');
      const schemas = await server.run(url, "SELECT 1 FROM pg_namespace WHERE nspname = 'weatherd'");
      expect(schemas.rows).to.deep.equal([]);
      const made = await place.run(['init', 'ada'], PASSWORD, settings);
      expect([made.status, made.stderr]).to.deep.equal([0, '']);
      const added = await place.run(['user', 'add', 'bob'], PASSWORD, settings);
      expect(added.stderr).to.match(/^Changed the data in postgres:\/\/[^@]+\n$/);
      expect((await place.run(['init', 'eve'], PASSWORD, settings)).status).to.equal(1);
      const backup = await place.run(['backup', 'b.db'], '', settings);
      expect([backup.status, existsSync(join(place.folder, 'b.db'))]).to.deep.equal([1, false]);
      expect(backup.stderr).to.contain('pg_dump');
      expect((await place.run(['restore', 'b.db'], '', settings)).stderr).to.contain('pg_restore');
    });

    it('serve ends at once where no folder can be made', async () => {
      for (const [dataDir, run] of [
        ['/proc/x/y', place.runProcess.bind(place)],
        ['/dev/null/x', place.run.bind(place)],
      ] as const) {
        const { status, stderr } = await run(['serve'], '', { WEATHERD_DATA_DIR: dataDir });
        expect(status).to.equal(1);
        expect(stderr).to.contain(`The data directory ${dataDir} (WEATHERD_DATA_DIR) cannot be used: `);
      }
    });
  });

  describe('beside the data of another user', () => {
    it('root is refused, and nobody else', () => {
      expect(foreignOwner(0, [0, 1000])).to.equal(1000);
      expect(foreignOwner(0, [0, 0])).to.equal(undefined);
      expect(foreignOwner(0, [])).to.equal(undefined);
      expect(foreignOwner(1000, [0, 1001])).to.equal(undefined);
      expect(foreignOwner(undefined, [1000])).to.equal(undefined);
    });

    const asRoot = process.getuid?.() === 0 ? it : it.skip; // Only root may change the owner of a file.

    asRoot('a user who may not use them is told who may, and that is not taken for data', async () => {
      await place.makeData();
      await chmod(place.folder, 0o755);
      const module = new URL('../../../src/composition/data/data-owner.js', import.meta.url);
      // A process cannot become root again.
      const script = `
        import { assertOwnData } from '${module.href}';
        process.setgroups([]);
        process.setgid(${NOBODY});
        process.setuid(${NOBODY});
        const config = { DATABASE_URL: 'sqlite:', DATA_DIR: process.argv[1] };
        try {
          assertOwnData(config, { argv: [], variables: [] }, 'nearest');
        } catch ({ message }) {
          console.log(message);
        }`;
      for (const [folder, closed] of [
        [place.dataDir, place.dataDir],
        [join(place.dataDir, 'below'), place.dataDir],
        [join(place.folder, 'new'), undefined],
      ] as const) {
        const child = spawn(process.execPath, ['--input-type=module', '--eval', script, folder]);
        const { stdout, stderr } = await waitForEnd(child);
        const expected = closed && `${closed} belongs to root and is not accessible to `;
        expect(stdout, stderr).to.match(new RegExp(`^${expected ?? '$'}`));
        if (closed !== undefined) expect(stdout).to.contain('run the command as the owner');
      }
    });

    asRoot('root gets the command to type, and changes nothing', async () => {
      await place.makeData();
      await chown(place.dataDir, NOBODY, NOBODY);
      const snapshot = async () => {
        const names = (await readdir(place.dataDir, { recursive: true })).sort();
        return Promise.all(
          names.map(async (name) => {
            const { uid, size, mtimeMs } = await stat(join(place.dataDir, name));
            return [name, uid, size, mtimeMs];
          }),
        );
      };
      const before = await snapshot();
      const isRefused = async (command: readonly string[]) => {
        const { status, stderr } = await place.run(command, PASSWORD);
        expect(status, command.join(' ')).to.equal(1);
        expect(stderr).to.match(
          /Type: sudo -u (?:nobody|'#65534') env WEATHERD_DATA_DIR=\S+\/data node \S*bin\/weatherd\.mjs /,
        );
      };
      await Promise.all([['user', 'list'], ['init', 'ada'], ['restore', 'b c'], ['demo']].map(isRefused));
      expect(await snapshot()).to.deep.equal(before);
      expect((await place.run(['restore', 'b c'])).stderr).to.contain("weatherd.mjs restore 'b c'\n");
      const below = { WEATHERD_DATA_DIR: join(place.dataDir, 'below') };
      const { status, stderr } = await place.run(['demo'], '', below);
      expect([status, stderr.includes('sudo -u')]).to.deep.equal([1, true]);
      expect(await snapshot()).to.deep.equal(before);
    });

    asRoot(
      'the command to type keeps the settings of the environment, and shows no value of them',
      async () => {
        const file = join(place.folder, 'elsewhere.db');
        const settings = {
          WEATHERD_DATABASE_URL: `sqlite:${file}`,
          WEATHERD_INTERNAL_SECRET: '0123456789abcdef0123456789abcdef',
          WEATHERD_READ_ACCESS: '',
          HOME: '/root',
        };
        await place.makeData(settings);
        await chown(file, NOBODY, NOBODY);
        const { stderr } = await place.run(['user', 'list'], '', settings);
        expect(stderr)
          .to.contain(' --preserve-env=WEATHERD_DATABASE_URL,WEATHERD_INTERNAL_SECRET env WEATHERD_DATA_DIR=')
          .and.not.contain('0123456789')
          .and.not.contain('sqlite:');
      },
    );

    asRoot('only what makes data is refused for a folder above the data directory', async () => {
      await chown(place.folder, NOBODY, NOBODY);
      const said = async (command: readonly string[], settings = {}) =>
        (await place.run(command, PASSWORD, settings)).stderr;
      for (const command of [['user', 'list'], ['backup', join(place.folder, 'b.db')], ['audit']]) {
        expect(await said(command), command.join(' ')).to.match(/The data directory \S+ does not exist/);
      }
      for (const command of [['init', 'ada'], ['demo'], ['restore', join(place.folder, 'b.db')]]) {
        expect(await said(command), command.join(' ')).to.contain(`${place.folder} belongs to `);
      }
      const url = await (await postgresServer()).newDatabase();
      expect(await said(['init', 'ada'], { WEATHERD_DATABASE_URL: url })).to.equal('');
    });

    asRoot(
      'root is refused for a file or a key alone, by serve too, and for an empty folder by init',
      async () => {
        await place.makeData();
        const [key = ''] = await readdir(join(place.dataDir, 'keys'));
        for (const name of ['weatherd.db', join('keys', key)]) {
          await chown(join(place.dataDir, name), NOBODY, NOBODY);
          const { status, stderr } = await place.run(['serve']);
          expect([status, stderr.includes('sudo -u')], name).to.deep.equal([1, true]);
          await chown(join(place.dataDir, name), 0, 0);
        }
        const empty = join(place.folder, 'empty');
        await mkdir(empty);
        await chown(empty, NOBODY, NOBODY);
        const { stderr } = await place.run(['init', 'ada'], PASSWORD, { WEATHERD_DATA_DIR: empty });
        expect(stderr).to.contain('sudo -u');
        expect(await readdir(empty)).to.deep.equal([]);
      },
    );
  });

  describe('init', () => {
    it('creates the folder, the key and the first administrator, and prints them', async () => {
      const { status, stdout, stderr } = await init();
      expect([status, stderr]).to.deep.equal([0, '']);
      const [key = ''] = await readdir(join(place.dataDir, 'keys'));
      const [next, ...created] = stdout.trim().split('\n').toReversed();
      expect(created.toReversed()).to.deep.equal([
        `Created ${place.dataFile}.`,
        `The signing key is ${key.replace('.json', '')}.`,
        'Created the administrator ada.',
      ]);
      // The tests do not start the command by its name.
      expect(next).to.match(/^Next: (?:WEATHERD_DATA_DIR=\S+ )?node \S*bin\/weatherd\.mjs serve$/);
      expect((await place.run(['user', 'list'])).stdout).to.match(/^ada .* administrator /m);
      expect((await stat(place.dataDir)).mode & 0o777).to.equal(0o700);
      expect(await asAda((await place.serveHere()).externalUrl)).to.have.property('status', 200);
    });

    it('refuses if data exist, and changes nothing', async () => {
      await init();
      const before = await readFile(place.dataFile);
      const { status, stdout, stderr } = await init('eve');
      expect([status, stdout]).to.deep.equal([1, '']);
      expect(stderr).to.contain(place.dataDir).and.contain('weatherd user add NAME --administrator');
      expect(await readFile(place.dataFile)).to.deep.equal(before);
    });

    it('refuses if the named data file exists, also without a data directory', async () => {
      const file = join(place.folder, 'elsewhere.db');
      const settings = { WEATHERD_DATABASE_URL: `sqlite:${file}` };
      await place.run(['init', 'ada'], PASSWORD, settings);
      const before = await readFile(file);
      const empty = { ...settings, WEATHERD_DATA_DIR: join(place.folder, 'none') };
      const { status, stderr } = await place.run(['init', 'eve'], PASSWORD, empty);
      expect([status, stderr.includes(`${file} already contains data`)]).to.deep.equal([1, true]);
      expect(await readFile(file)).to.deep.equal(before);
      expect(existsSync(empty.WEATHERD_DATA_DIR)).to.equal(false);
    });

    it('creates nothing for an invalid name or password', async () => {
      for (const [command, input, status] of [
        [['init', 'a b'], PASSWORD, 1],
        [['init', 'ada'], 'short', 1],
        [['init'], PASSWORD, 2],
      ] as const) {
        expect((await place.run(command, input)).status).to.equal(status);
      }
      expect(existsSync(place.dataDir)).to.equal(false);
    });
  });

  describe('backup and restore', () => {
    const backupFile = () => join(place.folder, 'backup.db');
    const elsewhere = () => ({ WEATHERD_DATA_DIR: join(place.folder, 'restored') });

    it('copy everything from a running service during writes, and its tokens stay valid', async () => {
      await place.initialize('ada', PASSWORD);
      await place.run([
        'station',
        'add',
        'garden',
        '--latitude',
        '1',
        '--longitude',
        '2',
        '--time-zone',
        'UTC',
      ]);
      const served = await place.serve();
      const token = (await asAda(served.external)).body.token ?? '';
      const elevation = await post(served.external, '/v1/auth/elevate/', token, {
        password: PASSWORD,
        duration: null,
      });
      const elevated = ((await elevation.json()) as { token: string }).token;
      const writing = { on: true, acknowledged: 0 };
      const writer = (async () => {
        for (let row = 0; writing.on; row += 1) {
          const body = {
            time: [new Date(row * 60_000).toISOString()],
            air_temperature: [row % 30],
          };
          const response = await post(served.external, '/v1/stations/garden/observations', elevated, body);
          if (!response.ok) throw new Error(await response.text());
          await response.arrayBuffer();
          writing.acknowledged = row + 1;
        }
      })();
      while (writing.acknowledged < 20) await Promise.race([writer, new Promise(setImmediate)]);
      const before = writing.acknowledged;
      const { status, stdout, stderr } = await place.run(['backup', backupFile()]);
      writing.on = false;
      await writer;
      expect([status, stderr]).to.deep.equal([0, '']);
      expect(stdout).to.contain(`Wrote ${place.dataFile} and 1 signing key to ${backupFile()}.`);
      expect(writing.acknowledged).to.be.above(before); // The other process has written meanwhile.
      expect((await stat(backupFile())).mode & 0o777).to.equal(0o600);
      expect((await readdir(place.folder)).sort()).to.deep.equal(['backup.db', 'data']);
      served.child.kill('SIGTERM');
      await served.ended;

      const restored = await place.run(['restore', backupFile()], '', elsewhere());
      expect([restored.status, restored.stderr]).to.deep.equal([0, '']);
      const folder = elsewhere().WEATHERD_DATA_DIR;
      const modes = await Promise.all(
        [folder, join(folder, 'weatherd.db'), join(folder, 'keys')].map(
          async (path) => (await stat(path)).mode & 0o777,
        ),
      );
      expect(modes).to.deep.equal([0o700, 0o600, 0o700]);
      expect(await readFile(join(folder, 'weatherd.db'), 'latin1')).not.to.contain('PRIVATE KEY');
      const again = (await place.serveHere(elsewhere())).externalUrl;
      expect((await post(again, '/v1/auth/drop/', token)).status).to.equal(200);
      expect(await asAda(again)).to.have.property('status', 200);
      const read = await fetch(
        `${again}/v1/stations/garden/observations?limit=100000&from=1970-01-01T00:00:00Z`,
      );
      const { observations } = (await read.json()) as { observations: { time: string[] } };
      expect(observations.time.length).to.be.within(before, writing.acknowledged);
    });

    it('repair an empty data file, which no command treats as new data', async () => {
      await place.initialize('ada', PASSWORD);
      await writeFile(place.dataFile, '');
      for (const command of [['station', 'list'], ['user', 'list'], ['check'], ['backup', backupFile()]]) {
        const { status, stdout, stderr } = await place.run(command);
        expect([status, stdout], command.join(' ')).to.deep.equal([1, '']);
        expect(stderr).to.contain(`The data file ${place.dataFile} is empty: restore a backup`);
      }
      expect((await stat(place.dataFile)).size).to.equal(0);
    });

    it('protect their files from other users, whatever the mode of the backup is', async () => {
      await place.initialize('ada', PASSWORD);
      await place.run(['backup', backupFile()]);
      await chmod(backupFile(), 0o644);
      const folder = join(place.folder, 'again');
      // A new file system has this folder, which is no data.
      await mkdir(join(folder, 'lost+found'), { recursive: true });
      const restored = await place.run(['restore', backupFile()], '', { WEATHERD_DATA_DIR: folder });
      expect(restored.status, restored.stderr).to.equal(0);
      expect((await stat(join(folder, 'weatherd.db'))).mode & 0o777).to.equal(0o600);
    });

    it('change existing files only with --force, and then replace all of them', async () => {
      await place.initialize('ada', PASSWORD);
      expect((await place.run(['backup', backupFile()])).status).to.equal(0);
      const refused = await place.run(['backup', backupFile()]);
      expect([refused.status, refused.stderr.includes('--force')]).to.deep.equal([1, true]);
      expect((await place.run(['backup', backupFile(), '--force'])).status).to.equal(0);
      expect((await place.run(['backup', place.dataFile, '--force'])).stderr).to.contain(
        'is among the data',
      );

      await place.run(['user', 'add', 'later'], PASSWORD);
      await place.run(['keys', 'rotate']);
      await mkdir(join(place.dataDir, 'imports'));
      const full = await place.run(['restore', backupFile()]);
      expect([full.status, full.stderr.includes('is not empty')]).to.deep.equal([1, true]);
      expect((await place.run(['restore', backupFile(), '--force'])).status).to.equal(0);
      expect((await place.run(['user', 'list'])).stdout).not.to.contain('later');
      expect(await readdir(join(place.dataDir, 'keys'))).to.have.length(1);
      expect(existsSync(join(place.dataDir, 'imports'))).to.equal(false);
    });

    it('do not restore data while a service runs', async () => {
      await place.initialize('ada', PASSWORD);
      await place.run(['backup', backupFile()]);
      const { externalUrl } = await place.serveHere();
      const { status, stderr } = await place.run(['restore', backupFile(), '--force']);
      expect([status, stderr.includes('stop the service first')]).to.deep.equal([1, true]);
      expect(await asAda(externalUrl)).to.have.property('status', 200);
    });

    it('refuse a file that is not a backup, is damaged or is newer', async () => {
      await place.initialize('ada', PASSWORD);
      await place.run(['backup', backupFile()]);
      const whole = await readFile(backupFile());
      const flipped = Buffer.from(whole);
      flipped.fill(0xff, 4096, 4096 + 512);
      const write = async (name: string, content: Buffer | string) => {
        await writeFile(join(place.folder, name), content);
        return name;
      };
      const changed = async (name: string, statement: string) => {
        await copyFile(backupFile(), join(place.folder, name));
        const database = new Sqlite(join(place.folder, name));
        database.exec(statement);
        database.close();
        return name;
      };
      for (const [name, reason] of [
        ['none.db', /The file \S+none\.db does not exist\.$/m],
        [await write('text.db', 'no database '.repeat(500)), /text\.db: the file is not an SQLite database .*: use another backup, or write a new one/],
        [await write('empty.db', ''), /empty\.db is empty: name the file of a backup/],
        [await write('flipped.db', flipped), /flipped\.db:? .*(?:damaged|malformed).*: use another backup/],
        [await write('cut.db', whole.subarray(0, whole.length - 8192)), /cut\.db:? .*(?:damaged|malformed).*: use another backup/],
        [await changed('newer.db', 'PRAGMA user_version = 1000'), /newer/],
        [await changed('foreign.db', 'PRAGMA application_id = 7'), /another program/],
        [await changed('data.db', 'DROP TABLE backup_key'), /not a backup: name a file that "weatherd backup" has written/],
      ] as const) {
        const { status, stderr } = await place.run(['restore', join(place.folder, name)], '', elsewhere());
        expect(status, name).to.equal(1);
        expect(stderr)
          .to.match(reason)
          .and.not.match(/^\s+at /m);
      }
      expect(existsSync(elsewhere().WEATHERD_DATA_DIR)).to.equal(false);
    });

    it('leave no partial backup if the data are damaged or the folder cannot be written', async () => {
      await place.initialize('ada', PASSWORD);
      const data = await readFile(place.dataFile);
      data.fill(0xff, 4096, 8192);
      await writeFile(place.dataFile, data);
      expect((await place.run(['backup', backupFile()])).status).to.equal(1);
      expect((await place.run(['backup', join(place.folder, 'none', 'b.db')])).stderr).to.contain(
        `The folder ${join(place.folder, 'none')} of `,
      );
      expect(await readdir(place.folder)).to.deep.equal(['data']);
    });
  });

  describe('what commands print', () => {
    /** The greeting of a service without settings. */
    let greeting: string;
    before(async () => {
      const own = await Workplace.make();
      ({ greeting } = await own.serve());
      await own.remove();
    });

    it('is dropped if nobody reads it, and the command succeeds', async () => {
      await place.makeData();
      for (const command of [['audit'], ['user', 'add', 'ada']]) {
        const child = place.spawn(command);
        child.stdout?.destroy();
        child.stdin?.end(PASSWORD);
        let stderr = '';
        child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
        const [status] = (await once(child, 'close')) as [number];
        expect([status, stderr.includes('EPIPE')], command.join(' ')).to.deep.equal([0, false]);
      }
      expect((await place.run(['user', 'list'])).stdout).to.contain('ada');
    });

    it('prints the location of changed data to standard error, and nothing after a read', async () => {
      await place.initialize('ada', PASSWORD);
      for (const command of [
        ['keys', 'rotate'],
        ['user', 'remove', 'ada'],
      ]) {
        expect((await place.run(command)).stderr).to.equal(`Changed the data in ${place.dataFile}\n`);
      }
      for (const command of [['user', 'list'], ['audit']]) {
        expect((await place.run(command)).stderr).to.equal('');
      }
      expect((await place.run(['user', 'promote', 'eve'])).stderr).not.to.contain('Changed');
    });

    it('names the nearest command, and marks the options that are required', async () => {
      const unknown = await place.run(['statoin', 'list']);
      expect(unknown.status).to.equal(2);
      expect(unknown.stderr).to.contain("unknown command 'statoin'").and.contain('station');
      const help = await place.run(['station', 'add', '--help']);
      expect(help.stdout).to.match(/--latitude <degrees> .*\(required\)/);
      expect(help.stdout).not.to.match(/--name <text> .*\(required\)/);
      const file = join(place.folder, 'weatherd.json');
      await writeFile(file, '{"log": {"level": "wrong"}}');
      for (const options of [['--config', file], [`--config=${file}`]]) {
        expect((await place.run(options)).stderr).to.contain('WEATHERD_LOG_LEVEL'); // The service has read the file.
      }
      expect((await place.run(['--config'])).status).to.equal(2);
    });

    it('reports whether a user exists before a password is read', async () => {
      await place.initialize('ada', PASSWORD);
      for (const command of [
        ['user', 'add', 'ADA'],
        ['user', 'password', 'eve'],
        ['user', 'add', 'a b'],
      ]) {
        // Standard input stays open without any data.
        const { status } = await place.run(command, new PassThrough());
        expect(status, command.join(' ')).to.equal(1);
      }
      // The open input does not keep the process alive.
      const [status] = (await once(place.spawn(['user', 'add', 'ADA']), 'close')) as [number];
      expect(status).to.equal(1);
    });

    it('greets with commands that find the same data in another terminal', async () => {
      const config = join(place.folder, "ada's.json");
      await writeFile(config, '{}');
      const dataDir = join(place.folder, 'other data');
      const file = join(place.folder, 'elsewhere.db');
      expect(greeting).to.match(/^Try next, in another terminal:\n(?:.*\n)* {2}node \S+ backup/m);
      for (const [settings, parameters, expected] of [
        [
          { WEATHERD_DATA_DIR: dataDir },
          ['--config', "ada's.json"],
          / {2}WEATHERD_DATA_DIR='\/\S+\/other data' node \S+ --config '\/\S+\/ada'\\''s\.json' backup /,
        ],
        [{ WEATHERD_DATABASE_URL: `sqlite:${file}` }, [], / with the same WEATHERD_DATABASE_URL:\n/],
      ] as const) {
        const served = await place.serve(settings, parameters);
        served.child.kill('SIGTERM');
        await served.ended;
        expect(served.greeting).to.match(expected);
      }
    });

    it('greets with commands that do not use a package registry', () => {
      expect(greeting)
        .to.match(/^ {2}node \S*bin\/weatherd\.mjs demo --live/m)
        .and.contain(' backup ');
      expect(greeting).not.to.contain('npx');
    });
  });

  it('a data directory that others may read keeps its mode', async () => {
    await mkdir(place.dataDir, { mode: 0o750 });
    await chmod(place.dataDir, 0o750);
    await init();
    expect((await stat(place.dataDir)).mode & 0o777).to.equal(0o750);
  });
});

function post(base: string, path: string, token: string, body?: object): Promise<Response> {
  return fetch(base + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
