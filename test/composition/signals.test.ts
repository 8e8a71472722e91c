import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { readTlsFiles } from '#composition/settings/tls-files.js';
import { makeCertificate } from '../support/certificate.js';
import { eventually, MAIN, statusOf, Workplace } from '../support/process.js';

describe('weatherd, the process › signals, terminal and log', () => {
  let place: Workplace;
  beforeEach(async () => (place = await Workplace.make()));
  afterEach(() => place.remove());

  const certificate = (name: string): [certFile: string, keyFile: string] => {
    const folder = join(place.folder, name);
    mkdirSync(folder);
    makeCertificate(folder);
    return [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  };
  const copy = (from: string, to: string) => writeFileSync(to, readFileSync(from));
  /** The fingerprint of the certificate for a new connection. */
  const presented = (url: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect({
        host: '127.0.0.1',
        port: Number(new URL(url).port),
        rejectUnauthorized: false,
      });
      socket.once('error', reject).once('secureConnect', () => {
        resolve(socket.getPeerCertificate().fingerprint256);
        socket.destroy();
      });
    });

  it('reloads TLS files and log level on SIGHUP, and keeps the present ones if they are faulty', async () => {
    const [cert, key] = certificate('served');
    const [otherCert, otherKey] = certificate('other');
    const [firstCert, firstKey] = [cert, key].map((path) => readFileSync(path));
    const file = join(place.folder, 'weatherd.json');
    const configure = (level: string, port = 0) =>
      writeFileSync(
        file,
        JSON.stringify({ external: { tls: { cert, key } }, log_level: level, rate_limit: port }),
      );
    configure('info');
    const served = await place.serve({}, ['--config', file, 'serve']);
    const { log } = served;
    const hangUp = async (found: RegExp) => {
      served.child.kill('SIGHUP');
      await eventually(log, (text) => found.test(text));
    };
    const first = await presented(served.external);

    copy(otherCert, cert);
    configure('fatal');
    await hangUp(/could not reload; the current settings stay in use/);
    expect(await log()).to.contain(`${key} is not the key of the certificate in ${cert}`);
    expect(await presented(served.external)).to.equal(first);

    copy(otherKey, key);
    configure('info', 7);
    await hangUp(/reloaded the TLS files and the log level/);
    expect(await presented(served.external)).not.to.equal(first);
    await eventually(log, (text) => text.includes('"settings":["WEATHERD_RATE_LIMIT"]'));

    writeFileSync(file, '{');
    const before = (await log()).split('could not reload').length;
    served.child.kill('SIGHUP');
    await eventually(log, (text) => text.split('could not reload').length > before);

    await statusOf(served.internal);
    await eventually(log, (text) => text.includes('"route":"/"'));
    configure('silent');
    writeFileSync(cert, firstCert as Buffer);
    writeFileSync(key, firstKey as Buffer);
    served.child.kill('SIGHUP');
    // The level is set together with the certificate.
    await eventually(
      () => presented(served.external),
      (fingerprint) => fingerprint === first,
    );
    const written = await log();
    await statusOf(served.internal);
    served.child.kill('SIGTERM');
    expect(await served.ended).to.have.property('status', 0);
    expect(await log()).to.equal(written);
  });

  it('ends in order when the terminal goes that it was started from, and says so', async function () {
    if (!existsSync('/usr/bin/script')) this.skip();
    const log = join(place.folder, 'log');
    const command = `exec '${process.execPath}' '${MAIN}' >'${log}' 2>'${log}.err'`;
    const terminal = spawn('script', ['-qec', command, '/dev/null'], {
      cwd: place.folder,
      env: { ...process.env, WEATHERD_EXTERNAL_PORT: '0', WEATHERD_INTERNAL_PORT: '0' },
      // A standard input that never ends.
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const logged = () => Promise.resolve(existsSync(log) ? readFileSync(log, 'utf8') : '');
    await eventually(logged, (text) => text.includes('"listening"'));
    terminal.kill('SIGKILL');
    const text = await eventually(logged, (found) => found.includes('"stopped"'));
    expect(text)
      .to.contain('"signal":"SIGHUP"')
      .and.contain('the terminal was closed; the service is shutting down');
    expect(existsSync(join(place.dataDir, 'weatherd.db-wal')), 'the data file was not closed').to.equal(
      false,
    );
  });

  it('ends on SIGTERM though nobody reads its log', async () => {
    const served = await place.serve();
    served.child.stdout?.pause();
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(Array.from({ length: 50 }, () => statusOf(served.internal)));
    }
    served.child.kill('SIGTERM');
    await eventually(
      () => Promise.resolve(served.child.exitCode),
      (code) => code === 0,
    );
    served.child.stdout?.resume();
  });

  it('says what others may do: an open internal API, a readable data directory, an empty data file', async () => {
    await mkdir(place.dataDir);
    await chmod(place.dataDir, 0o755);
    writeFileSync(join(place.dataDir, 'weatherd.db'), '');
    const served = await place.serve();
    expect(served.greeting)
      .to.contain('every account of this machine can use')
      .and.contain('unix:/PATH')
      .and.contain('WEATHERD_INTERNAL_SECRET');
    served.child.kill('SIGTERM');
    const { stdout } = await served.ended;
    expect(stdout)
      .to.contain('mode 0755')
      .and.contain('is empty; the service starts without data')
      .and.contain('every account of this machine can use the internal API');
    const closed = await place.serve({ WEATHERD_INTERNAL_SECRET: 'an-internal-secret-of-32-bytes-!' });
    expect(closed.greeting).not.to.contain('every account');
    closed.child.kill('SIGTERM');
    expect((await closed.ended).stdout).not.to.contain('is empty');
  });

  it('says that other machines may only read over plain HTTP', async () => {
    const note = 'so it only allows reading and refuses sign-in';
    const served = await place.serve({
      WEATHERD_EXTERNAL_HOST: '0.0.0.0',
      WEATHERD_EXTERNAL_INSECURE: 'true',
    });
    expect(served.greeting).to.contain(note);
    served.child.kill('SIGTERM');
    expect((await served.ended).stdout).to.contain(note);
  });

  it('names setting and file of TLS files that are faulty', () => {
    const [cert, key] = certificate('a');
    const [, otherKey] = certificate('b');
    const read = (certFile: string, keyFile: string) => () =>
      readTlsFiles({ EXTERNAL_TLS_CERT: certFile, EXTERNAL_TLS_KEY: keyFile });
    expect(read(cert, key)()).to.have.keys('cert', 'key');
    expect(read(cert, otherKey)).to.throw(`WEATHERD_EXTERNAL_TLS_KEY: ${otherKey} is not the key of`);
    expect(read(key, key)).to.throw(
      `WEATHERD_EXTERNAL_TLS_CERT: ${key} does not contain a certificate in PEM`,
    );
    expect(read(cert, cert)).to.throw(
      `WEATHERD_EXTERNAL_TLS_KEY: ${cert} does not contain a private key in PEM`,
    );
    expect(read(`${cert}.none`, key)).to.throw(`WEATHERD_EXTERNAL_TLS_CERT: ${cert}.none does not exist`);
  });
});
