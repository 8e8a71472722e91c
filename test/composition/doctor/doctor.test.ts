import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir, rm, utimes } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Finding } from '#adapters/cli/doctor/doctor-command.js';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { backupName } from '#composition/backups/backup-folder.js';
import { checkClock, checkNode } from '#composition/doctor/machine.js';
import { MILLISECONDS } from '#domain/time.js';
import { makeCertificate } from '../../support/certificate.js';
import { Place } from '../../support/place.js';
import { Workplace } from '../../support/process.js';

const { day, hour } = MILLISECONDS;
const NOW = Date.UTC(2026, 6, 1);

describe('weatherd doctor › machine', () => {
  for (const [version, time, state, text] of [
    ['18.20.4', NOW, 'fail', 'too old'],
    ['20.18.3', NOW, 'fail', 'too old'],
    ['20.19.0', Date.UTC(2026, 3, 30), 'ok', ''],
    ['20.19.0', Date.UTC(2026, 4, 2), 'warn', 'no security updates since 2026-04-30'],
    ['23.1.0', NOW, 'warn', 'only for some months'],
    ['24.0.0', NOW, 'ok', ''],
    ['30.0.0', NOW, 'ok', ''],
  ] as const) {
    it(`has ${state} for Node.js ${version} on ${new Date(time).toISOString().slice(0, 10)}`, () => {
      const found = checkNode(version, '/usr/bin/node', time);
      expect(found).to.include({ check: 'node', state });
      expect(found.text).to.contain(version).and.contain('/usr/bin/node').and.contain(text);
    });
  }

  for (const [what, now, isSynchronized, lastDay, state, text] of [
    ['in 1970', 0, true, null, 'fail', 'which is wrong'],
    ['in 2100', Date.UTC(2100, 0, 1), true, null, 'fail', 'which is wrong'],
    ['that is synchronized', NOW, true, NOW, 'ok', 'synchronized'],
    ['of which nobody tells more', NOW, undefined, null, 'ok', '2026-07-01'],
    ['that is not synchronized', NOW, false, null, 'warn', 'timedatectl set-ntp true'],
    ['with rows of tomorrow in some time zone', NOW, true, NOW + day, 'ok', ''],
    ['with rows of the day after', NOW, true, NOW + 2 * day, 'fail', 'observations of 2026-07-03'],
  ] as const) {
    it(`has ${state} for a clock ${what}`, () => {
      const found = checkClock(now, isSynchronized, lastDay);
      expect(found).to.include({ check: 'clock', state });
      expect(found.text).to.contain(text);
    });
  }
});

describe('weatherd doctor', () => {
  let place: Workplace;
  const servers: Server[] = [];
  beforeEach(async () => {
    place = await Workplace.make();
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) server.close();
    await place.remove();
  });

  /** Ports on which nobody listens. */
  const freePorts = async () => {
    const ports: number[] = [];
    for (let count = 0; count < 2; count += 1) ports.push((await listener()).port);
    for (const server of servers.splice(0)) {
      server.close();
      await once(server, 'close');
    }
    return { WEATHERD_EXTERNAL_PORT: String(ports[0]), WEATHERD_INTERNAL_PORT: String(ports[1]) };
  };
  const listener = async () => {
    const server = createServer((socket) => void socket.resume().end('220 hello\r\n')).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return server.address() as AddressInfo;
  };
  const doctor = async (settings: Readonly<Record<string, string>> = {}) => {
    const given = { ...(await freePorts()), ...settings };
    const { status, stdout, stderr } = await place.run(['doctor', '--json'], '', given);
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    expect(status, stderr).to.equal(findings.some(({ state }) => state === 'fail') ? 1 : 0);
    const of = (check: string) => findings.filter((finding) => finding.check === check);
    return { findings, of, status };
  };
  /** Every file below the folder of the test, with its mode, its time and its content. */
  const everything = () =>
    readdirSync(place.folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const path = join(place.folder, name);
        const stats = statSync(path);
        if (!stats.isFile()) return [name, stats.mode];
        const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
        return [name, stats.mode, stats.mtimeMs, digest];
      });

  it('finds nothing wrong beside a service that does not run, prints one line a check, and changes nothing', async () => {
    await place.makeData();
    const before = everything();
    const ports = await freePorts();
    const { status, stdout } = await place.run(['doctor'], '', ports);
    expect(status, stdout).to.equal(0);
    const [head, ...lines] = stdout.trimEnd().split('\n');
    expect(head).to.match(/^STATE +CHECK +RESULT$/);
    const checks = lines.map((line) => /^(?:ok|warn) +(\S+(?: API)?) +\S/.exec(line)?.[1]);
    expect(checks).to.deep.equal([
      'node',
      'clock',
      'settings',
      'data',
      'disk',
      'keys',
      'database',
      'external API',
      'internal API',
      'service',
      'backups',
    ]);
    expect(stdout)
      .to.contain(`127.0.0.1:${ports.WEATHERD_EXTERNAL_PORT} is free`)
      .and.contain('No service runs with these settings');
    expect(everything()).to.deep.equal(before);
  });

  it('makes no data where there are none', async () => {
    const { of, status } = await doctor();
    expect(status).to.equal(1);
    expect(of('data')[0]).to.deep.include({ state: 'fail' });
    expect(of('data')[0]?.text).to.contain(place.dataDir).and.contain('weatherd init');
    expect(everything()).to.deep.equal([]);
  });

  it('asks a running service, and names its defects', async () => {
    await place.makeData();
    const served = await place.serve({
      WEATHERD_DATA_DIR: place.dataDir,
      WEATHERD_INTERNAL_SECRET: 'cafe0123456789cafe0123456789cafe0123456789',
      WEATHERD_UPLOADS_ENABLED: 'true',
      WEATHERD_UPLOADS_PORT: '0',
      WEATHERD_BACKUP_DIR: join(place.folder, 'missing'),
      WEATHERD_OPENMETEO_PORT: '0',
    });
    const port = (url: string) => new URL(url).port;
    const [uploads = '', openMeteo = ''] = [/uploads +(\S+)/, /Open-Meteo +(\S+)/].map(
      (line) => line.exec(served.greeting)?.[1],
    );
    const settings = {
      WEATHERD_EXTERNAL_PORT: port(served.external),
      WEATHERD_INTERNAL_PORT: port(served.internal),
      WEATHERD_INTERNAL_SECRET: 'cafe0123456789cafe0123456789cafe0123456789',
      WEATHERD_UPLOADS_ENABLED: 'true',
      WEATHERD_UPLOADS_PORT: port(uploads),
      WEATHERD_OPENMETEO_PORT: port(openMeteo),
    };
    const { of, status } = await doctor(settings);
    for (const check of ['external API', 'internal API', 'Open-Meteo', 'uploads'])
      expect(of(check)[0]?.text, check).to.match(/^The service listens on 127\.0\.0\.1:\d+\.$/);
    const taken = await doctor({ ...settings, WEATHERD_OPENMETEO_PORT: port(uploads) });
    expect(taken.of('Open-Meteo').map(({ state }) => state)).to.deep.equal(['fail']);
    expect(of('service').map(({ text }) => text)).to.deep.equal([
      'The check "backups" of the service is degraded: The last backup has failed. The log gives the reason.',
    ]);
    expect(of('commands').map(({ state }) => state)).to.deep.equal(['ok']);
    expect(status).to.equal(0);
    // The service listens again only after some seconds.
    rmSync(`${place.dataFile}.sock`);
    writeFileSync(`${place.dataFile}.sock`, '');
    const [commands] = (await doctor(settings)).of('commands');
    expect(commands?.state).to.equal('warn');
    expect(commands?.text).to.contain('cannot reach the service');
    const other = { ...settings, WEATHERD_INTERNAL_SECRET: `${settings.WEATHERD_INTERNAL_SECRET}x` };
    const refused = (await doctor(other)).of('internal API')[0];
    expect(refused?.state).to.equal('fail');
    expect(refused?.text).to.contain('refuses the secret').and.contain('WEATHERD_INTERNAL_SECRET');
    served.child.kill('SIGKILL');
    await served.ended;
    // The write-ahead log of the killed service is there.
    expect((await doctor(settings)).of('database')[0]).to.include({ state: 'ok' });
  });

  it('names ports of other programs, addresses that the machine does not have, and sockets without a folder', async () => {
    await place.makeData();
    const { port } = await listener();
    const kept = servers.splice(0);
    const { of } = await doctor({ WEATHERD_EXTERNAL_PORT: String(port) });
    expect(of('external API')[0]).to.include({ state: 'fail' });
    expect(of('external API')[0]?.text).to.contain(`127.0.0.1:${port}`).and.contain('WEATHERD_EXTERNAL_PORT');
    servers.push(...kept);
    const away = await doctor({
      WEATHERD_EXTERNAL_HOST: '192.0.2.7',
      WEATHERD_EXTERNAL_TLS_TERMINATED: 'true',
    });
    expect(away.of('external API')[0]?.state).to.equal('fail');
    const socket = join(place.folder, 'run/internal.sock');
    const missing = await doctor({ WEATHERD_INTERNAL_HOST: `unix:${socket}` });
    expect(missing.of('internal API')[0]).to.include({ state: 'warn' });
    expect(missing.of('internal API')[0]?.text).to.contain('RuntimeDirectory');
    await mkdir(join(place.folder, 'run'));
    const free = await doctor({ WEATHERD_INTERNAL_HOST: `unix:${socket}` });
    expect(free.of('internal API')[0]).to.deep.include({ state: 'ok', text: `${socket} is free.` });
  });

  it('lists every fault of the settings', async () => {
    const { of, findings } = await doctor({ WEATHERD_LOG_LEVEL: 'loud', WEATHERD_READ_ACCES: 'token' });
    expect(of('settings').map(({ state }) => state)).to.deep.equal(['fail', 'fail']);
    expect(
      of('settings')
        .map(({ text }) => text)
        .join(),
    )
      .to.contain('LOG_LEVEL')
      .and.contain('READ_ACCESS');
    expect(findings.map(({ check }) => check)).to.include.members(['node', 'clock']);
  });

  it('compares the certificate with the clock, its key and the running service', async () => {
    await place.makeData();
    const folders = ['one', 'two'].map((name) => join(place.folder, name));
    for (const folder of folders) {
      await mkdir(folder);
      makeCertificate(folder);
    }
    const [one = '', two = ''] = folders;
    const tls = {
      WEATHERD_EXTERNAL_TLS_CERT: join(one, 'cert.pem'),
      WEATHERD_EXTERNAL_TLS_KEY: join(one, 'key.pem'),
    };
    chmodSync(join(one, 'key.pem'), 0o644);
    const texts = async (settings: Readonly<Record<string, string>> = {}) =>
      (await doctor({ ...tls, ...settings })).of('certificate').map(({ state, text }) => `${state} ${text}`);
    const [expiry, mode, ...none] = await texts();
    expect(expiry).to.match(/^warn .*expires in [01] days?: renew it/);
    expect(mode).to.match(/^warn .*key\.pem can be read by every user/);
    expect(none).to.deep.equal([]);
    chmodSync(join(one, 'key.pem'), 0o600);
    const service = await place.serveHere(tls);
    const ports = {
      WEATHERD_EXTERNAL_PORT: new URL(service.externalUrl).port,
      WEATHERD_INTERNAL_PORT: new URL(service.internalUrl).port,
    };
    expect(await texts(ports)).to.have.length(1);
    for (const name of ['cert.pem', 'key.pem']) await copyFile(join(two, name), join(one, name));
    expect((await texts(ports))[1])
      .to.contain('uses another certificate')
      .and.contain('systemctl reload');
    await copyFile(join(two, 'cert.pem'), join(one, 'key.pem'));
    expect((await texts())[0]).to.match(/^fail WEATHERD_EXTERNAL_TLS_KEY/);
  });

  it('knows older and newer schemas, damaged keys and rows of the future', async () => {
    await place.makeData();
    const change = (sql: string) => {
      const database = new Sqlite(place.dataFile);
      database.exec(sql);
      database.close();
    };
    const version = new Sqlite(place.dataFile, { readonly: true }).pragma('user_version', {
      simple: true,
    }) as number;
    change(`INSERT INTO block_run (block, level, through, since, rows, stations, first, last, data)
      VALUES (0, 0, 0, 0, 1, 1, 0, ${Date.now() + 3 * day}, x'')`);
    expect((await doctor()).of('clock')[0]).to.include({ state: 'fail' });
    change(`PRAGMA user_version = ${version - 1}`);
    expect((await doctor()).of('database')[0]?.text).to.contain(`migrate it to ${version}`);
    change(`PRAGMA user_version = ${version + 1}`);
    const newer = (await doctor()).of('database')[0];
    expect(newer).to.include({ state: 'fail' });
    expect(newer?.text).to.contain('newer weatherd');
    writeFileSync(place.dataFile, readFileSync(place.dataFile).fill(0x55, 100, 4096));
    expect((await doctor()).of('database')[0]?.text)
      .to.contain(place.dataFile)
      .and.contain('restore a backup');
    const keys = join(place.dataDir, 'keys');
    expect((await doctor()).of('keys')[0]).to.include({ state: 'ok' });
    for (const name of readdirSync(keys)) chmodSync(join(keys, name), 0o644);
    const [open] = (await doctor()).of('keys');
    expect(open).to.include({ state: 'warn' });
    expect(open?.text).to.contain(`chmod 600 ${keys}/`);
    for (const name of readdirSync(keys)) writeFileSync(join(keys, name), '{}');
    expect((await doctor()).of('keys')[0]).to.include({ state: 'fail' });
    chmodSync(place.dataDir, 0o755);
    expect((await doctor()).of('data')[0]).to.include({ state: 'warn' });
  });

  it('wants a recent backup that can be restored', async () => {
    await place.makeData();
    const folder = join(place.folder, 'backups');
    const backups = async () => (await doctor({ WEATHERD_BACKUP_DIR: folder })).of('backups')[0];
    expect(await backups()).to.include({ state: 'fail' });
    await mkdir(folder);
    expect(await backups()).to.include({ state: 'warn' });
    expect((await backups())?.text)
      .to.contain('has no backup')
      .and.contain('after its start');
    const old = join(folder, backupName(Date.now() - 50 * hour));
    await place.run(['backup', old]);
    expect((await backups())?.text).to.contain('2 days old');
    const fresh = join(folder, backupName(Date.now() - 3 * hour));
    await copyFile(old, fresh);
    expect((await backups())?.text).to.equal(`2 backups in ${folder}; the newest is 3 hours old and intact.`);
    const future = join(folder, backupName(Date.UTC(2099, 11, 31)));
    await copyFile(old, future);
    const found = (await doctor({ WEATHERD_BACKUP_DIR: folder })).of('backups');
    expect(found.map(({ state }) => state)).to.deep.equal(['ok', 'warn']);
    expect(found[0]?.text).to.contain('2 backups in').and.contain('3 hours old');
    expect(found[1]?.text).to.contain(future).and.contain('the clock was wrong');
    writeFileSync(fresh, readFileSync(fresh).fill(0, 8192, 16_384));
    await utimes(fresh, 0, 0);
    expect(await backups()).to.include({ state: 'fail' });
    expect((await backups())?.text)
      .to.contain('use another backup')
      .and.not.contain('stop the service');
    await rm(fresh);
    await rm(old);
    expect((await backups())?.text).to.contain('has no backup');
    expect((await doctor()).of('backups')[0]).to.include({ state: 'warn' });
  });

  it('examines a database of PostgreSQL, with and without tables of ours', async () => {
    const postgres = await Place.make('postgres');
    const settings = { WEATHERD_DATABASE_URL: postgres.databaseUrl };
    expect((await doctor(settings)).of('database')[0]?.text).to.contain('no data of weatherd yet');
    await (await postgres.open()).close();
    const { of, status } = await doctor(settings);
    expect(status).to.equal(0);
    expect(of('database')[0]?.text).to.match(
      /^postgres:\/\/\S+ \(PostgreSQL \d+\S*.*\) has version \d+ of the schema\.$/,
    );
    expect(of('backups')[0]?.text).to.contain('pg_dump');
    const gone = { WEATHERD_DATABASE_URL: postgres.databaseUrl.replace(/\/\w+(?=$|\?)/, '/missing') };
    expect((await doctor(gone)).of('database')[0]).to.include({ state: 'fail' });
    await postgres.remove();
  });
});
