import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { ConfigError, describeConfig, loadConfig } from '../../src/composition/config.js';
import { isLoopback, SETTINGS } from '../../src/composition/settings.js';

const SECRET = 'an-internal-secret-of-32-bytes-!';

describe('configuration', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'weatherd-config-'))));
  after(() => rmSync(folder, { recursive: true }));

  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const faultsOf = (environment: Record<string, string>, file?: string): readonly string[] => {
    try {
      loadConfig(file, environment);
    } catch (error) {
      expect(error).to.be.instanceOf(ConfigError);
      return (error as ConfigError).faults;
    }
    return [];
  };

  it('has the documented defaults', () => {
    expect(loadConfig(undefined, {})).to.deep.equal({
      EXTERNAL_TRANSPORT: 'express',
      EXTERNAL_HOST: '127.0.0.1',
      EXTERNAL_PORT: 8080,
      EXTERNAL_TLS_CERT: undefined,
      EXTERNAL_TLS_KEY: undefined,
      EXTERNAL_TLS_TERMINATED: false,
      EXTERNAL_ALLOWED_ORIGINS: [],
      INTERNAL_TRANSPORT: 'fastify',
      INTERNAL_HOST: '127.0.0.1',
      INTERNAL_PORT: 8081,
      INTERNAL_SECRET: undefined,
      INTERNAL_ALLOWED_HOSTS: [],
      DATA_DIR: resolve('data'),
      DATABASE_URL: 'sqlite:',
      READ_ACCESS: 'public',
      AUTH_ENABLED: true,
      TOKEN_DURATION: 2_592_000,
      ELEVATION_DURATION: 300,
      AUDIT_RETENTION: 31_536_000,
      RATE_LIMIT: 6000,
      TRUSTED_PROXIES: [],
      LOG_LEVEL: 'info',
      SHUTDOWN_DEADLINE: 10,
    });
  });

  it('comes from the environment before the file before the defaults', () => {
    const file = write('a.json', '{"external": {"port": 1000, "host": "::1"}, "auth_enabled": false}');
    const config = loadConfig(file, { WEATHERD_EXTERNAL_PORT: '2000', WEATHERD_LOG_LEVEL: '', OTHER: 'x' });
    expect(config).to.include({
      EXTERNAL_PORT: 2000,
      EXTERNAL_HOST: '::1',
      AUTH_ENABLED: false,
      LOG_LEVEL: 'info',
    });
  });

  it('takes a file nested in any way, with lists and nulls', () => {
    const file = write(
      'b.json',
      JSON.stringify({
        external: {
          tls: { terminated: true },
          allowed: { origins: ['https://a.example', 'https://b.example'] },
        },
        data: { dir: '/srv/weather' },
        token_duration: '12h',
        internal: { secret: null },
        trusted: { proxies: '10.0.0.0/8, ::1' },
      }),
    );
    expect(loadConfig(file, {})).to.deep.include({
      EXTERNAL_TLS_TERMINATED: true,
      EXTERNAL_ALLOWED_ORIGINS: ['https://a.example', 'https://b.example'],
      DATA_DIR: '/srv/weather',
      TOKEN_DURATION: 43_200,
      INTERNAL_SECRET: undefined,
      TRUSTED_PROXIES: ['10.0.0.0/8', '::1'],
    });
  });

  it('tells every fault at once', () => {
    const faults = faultsOf({
      WEATHERD_EXTERNAL_PORT: '70000',
      WEATHERD_INTERNAL_PORT: '8o81',
      WEATHERD_AUTH_ENABLED: 'yes',
      WEATHERD_TOKEN_DURATION: '30',
      WEATHERD_LOG_LEVEL: 'loud',
      WEATHERD_TRUSTED_PROXIES: '10.0.0.0/33',
      WEATHERD_EXTERNAL_ALLOWED_ORIGINS: 'https://a.example/',
      WEATHERD_DATABASE_URL: 'mysql://h',
      WEATHERD_SHUTDOWN_DEADLINE: '2h',
      WEATHERD_EXTERNL_HOST: 'x',
    });
    expect(faults.map((fault) => fault.split(':')[0])).to.have.members([
      'WEATHERD_EXTERNAL_PORT',
      'WEATHERD_INTERNAL_PORT',
      'WEATHERD_AUTH_ENABLED',
      'WEATHERD_TOKEN_DURATION',
      'WEATHERD_LOG_LEVEL',
      'WEATHERD_TRUSTED_PROXIES',
      'WEATHERD_EXTERNAL_ALLOWED_ORIGINS',
      'WEATHERD_DATABASE_URL',
      'WEATHERD_SHUTDOWN_DEADLINE',
      'WEATHERD_EXTERNL_HOST',
    ]);
  });

  it('reads secrets from files, without the line end', () => {
    const file = write('secret', `${SECRET}\n`);
    expect(loadConfig(undefined, { WEATHERD_INTERNAL_SECRET_FILE: file })).to.include({
      INTERNAL_SECRET: SECRET,
    });
    expect(
      faultsOf({ WEATHERD_INTERNAL_SECRET_FILE: file, WEATHERD_INTERNAL_SECRET: SECRET }),
    ).to.have.length(1);
    expect(faultsOf({ WEATHERD_INTERNAL_SECRET_FILE: join(folder, 'none') })[0]).to.contain('ENOENT');
    expect(faultsOf({ WEATHERD_EXTERNAL_HOST_FILE: file })[0]).to.contain('no such setting');
  });

  it('never quotes a secret in a fault', () => {
    const faults = faultsOf({
      WEATHERD_INTERNAL_SECRET: 'short secret',
      WEATHERD_DATABASE_URL: 'pg://u:hunter2@h',
    });
    expect(faults.join()).not.to.match(/short secret|hunter2/);
    const file = write('broken.json', `{"internal": {"secret": "${SECRET}" oops`);
    expect(faultsOf({}, file)).to.deep.equal([`${file}: it is not valid JSON`]);
  });

  it('refuses a file that is missing or no object', () => {
    expect(faultsOf({}, join(folder, 'none.json'))[0]).to.contain('ENOENT');
    expect(faultsOf({}, write('list.json', '[]'))[0]).to.contain('JSON object');
  });

  it('refuses to listen where others can reach it until it is secured', () => {
    expect(faultsOf({ WEATHERD_EXTERNAL_HOST: '0.0.0.0' })[0]).to.contain('TLS');
    expect(
      faultsOf({ WEATHERD_EXTERNAL_HOST: '0.0.0.0', WEATHERD_EXTERNAL_TLS_TERMINATED: 'true' }),
    ).to.deep.equal([]);
    const tls = { WEATHERD_EXTERNAL_TLS_CERT: 'c', WEATHERD_EXTERNAL_TLS_KEY: 'k' };
    expect(faultsOf({ WEATHERD_EXTERNAL_HOST: '::', ...tls })).to.deep.equal([]);
    expect(faultsOf({ WEATHERD_EXTERNAL_TLS_CERT: 'c' })[0]).to.contain('go together');
    expect(faultsOf({ WEATHERD_INTERNAL_HOST: '192.168.1.2' })[0]).to.contain('WEATHERD_INTERNAL_SECRET');
    expect(
      faultsOf({ WEATHERD_INTERNAL_HOST: '192.168.1.2', WEATHERD_INTERNAL_SECRET: SECRET }),
    ).to.deep.equal([]);
    expect(faultsOf({ WEATHERD_INTERNAL_SECRET: SECRET.slice(1) })[0]).to.contain('32 bytes');
  });

  it('knows loopback from the rest of the world', () => {
    for (const host of ['127.0.0.1', '127.9.9.9', '::1', 'localhost', 'LOCALHOST']) {
      expect(isLoopback(host), host).to.equal(true);
    }
    for (const host of [
      '0.0.0.0',
      '::',
      '10.0.0.1',
      'example.org',
      'localhost.example.org',
      '128.0.0.1',
      '',
    ]) {
      expect(isLoopback(host), host).to.equal(false);
    }
  });

  it('prints what is in force, secrets redacted', () => {
    const printed = describeConfig(
      loadConfig(undefined, { WEATHERD_INTERNAL_SECRET: SECRET, WEATHERD_TRUSTED_PROXIES: '::1,10.0.0.0/8' }),
    );
    expect(printed).to.contain('WEATHERD_INTERNAL_SECRET=[redacted]\n').and.not.contain(SECRET);
    expect(printed).to.contain('WEATHERD_TRUSTED_PROXIES=::1,10.0.0.0/8\n');
    expect(printed).to.contain('WEATHERD_TOKEN_DURATION=2592000s\n');
    expect(printed.split('\n')).to.have.length(Object.keys(SETTINGS).length + 1);
  });

  it('is all in the README', () => {
    const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
    const listed = [...readme.matchAll(/^\| `WEATHERD_(\w+)`/gm)].map(([, name]) => name);
    expect(listed).to.have.members(Object.keys(SETTINGS));
  });
});
