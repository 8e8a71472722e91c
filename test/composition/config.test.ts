import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { ConfigError, describeConfig, loadConfig } from '#composition/config.js';
import { jsonFaultAt } from '#composition/settings/json-fault.js';
import { isLoopback, SETTING_TABLE } from '#composition/settings/settings.js';
import { expectSection } from '../support/generated-section.js';

const SECRET = 'an-internal-secret-of-32-bytes-!';

/** The headings of docs/configuration.md, by the setting that follows. */
const HEADINGS: Readonly<Record<string, string>> = {
  EXTERNAL_TRANSPORT: 'External API',
  INTERNAL_TRANSPORT: 'Internal API',
  UPLOADS_ENABLED: 'Uploads',
  SITE: 'Site',
  DATA_DIR: 'Data',
  BACKUP_DIR: 'Backups',
  READ_ACCESS: 'Access',
  AUDIT_RETENTION: 'Retention',
  RATE_LIMIT: 'Limits, metrics and hooks',
  MQTT_URL: 'MQTT broker',
  WORKERS: 'Processes and log',
};

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
      EXTERNAL_INSECURE: false,
      EXTERNAL_ALLOWED_ORIGINS: [],
      INTERNAL_TRANSPORT: 'fastify',
      INTERNAL_HOST: '127.0.0.1',
      INTERNAL_PORT: 8081,
      INTERNAL_SECRET: undefined,
      INTERNAL_ALLOWED_HOSTS: [],
      UPLOADS_ENABLED: false,
      UPLOADS_HOST: '127.0.0.1',
      UPLOADS_PORT: 8082,
      UPLOADS_INSECURE: false,
      DATA_DIR: resolve('data'),
      DATABASE_URL: 'sqlite:',
      DATABASE_READ_URL: undefined,
      DATABASE_DISTRIBUTED: false,
      FEELS_LIKE: 'apparent_temperature',
      FORECAST_CONTACT: undefined,
      FORECAST_OPEN_METEO_URL: undefined,
      FORECAST_PREVIOUS_RUNS_URL: undefined,
      FORECAST_MET_NORWAY_URL: undefined,
      FORECAST_API_KEY: undefined,
      FORECAST_EVERY: 3600,
      FORECAST_DECIMALS: 2,
      FORECAST_RETENTION: 94_672_800,
      READ_ACCESS: 'public',
      AUTH_ENABLED: true,
      TOKEN_DURATION: 2_592_000,
      ELEVATION_DURATION: 300,
      AUDIT_RETENTION: 31_536_000,
      RATE_LIMIT: 6000,
      SITE: true,
      SITE_MAP: undefined,
      PUBLIC_URL: undefined,
      IMPORT_FORMAT_MODULES: [],
      SOURCE_MODULES: [],
      TARGET_MODULES: [],
      TRUSTED_PROXIES: [],
      LANGUAGE: 'en',
      SMTP_URL: undefined,
      MAIL_FROM: undefined,
      METRICS_STATIONS: false,
      HOOKS_ALLOW_PRIVATE: false,
      OPENMETEO_RADIUS: 20,
      OPENMETEO_PORT: undefined,
      IMPORT_LIMIT: 2 ** 30,
      MQTT_URL: undefined,
      MQTT_USERNAME: undefined,
      RETENTION: undefined,
      MQTT_PASSWORD: undefined,
      BACKUP_DIR: undefined,
      BACKUP_EVERY: 86_400,
      BACKUP_KEEP: 7,
      MQTT_CA: undefined,
      MQTT_MAPPING: undefined,
      MQTT_PUBLISH: undefined,
      MQTT_PUBLISH_STATIONS: ['*'],
      LOG_LEVEL: 'info',
      SHUTDOWN_DEADLINE: 10,
      WORKERS: 1,
      uploadsSource: 'default',
    });
  });

  it('says the range of a whole number', () => {
    for (const [name, text, range] of [
      ['RATE_LIMIT', '-1', '0 to 999999999'],
      ['RATE_LIMIT', 'x', '0 to 999999999'],
      ['OPENMETEO_RADIUS', '0', '1 to 1000'],
      ['OPENMETEO_RADIUS', '1001', '1 to 1000'],
      ['OPENMETEO_RADIUS', '-1', '1 to 1000'],
    ] as const)
      expect(faultsOf({ [`WEATHERD_${name}`]: text })).to.deep.equal([
        `WEATHERD_${name}: Must be a whole number from ${range}; it is "${text}"`,
      ]);
  });

  it('reports a host that cannot exist, together with other faults', () => {
    const other = { WEATHERD_EXTERNAL_TLS_TERMINATED: 'x', WEATHERD_UPLOADS_ENABLED: 'x' };
    for (const text of ['999.1.1.1', '10.0.0', '1', 'a b', 'http://a', 'a:80', '[::1]'])
      for (const [name, socket] of [
        ['EXTERNAL_HOST', ''],
        ['UPLOADS_HOST', ''],
        ['INTERNAL_HOST', ', or unix:/PATH with at most 103 bytes'],
      ] as const) {
        const rule =
          socket === ''
            ? 'the name of a host or an IP address'
            : `the name of a host, an IP address${socket}`;
        const faults = faultsOf({ ...other, [`WEATHERD_${name}`]: text });
        expect(faults).to.have.lengthOf(3);
        expect(faults).to.include(`WEATHERD_${name}: Must be ${rule}; it is "${text}"`);
      }
    for (const host of ['localhost', 'weather.lan', 'host-1', 'a1', '::1', '127.0.0.2'])
      expect(faultsOf({ WEATHERD_EXTERNAL_HOST: host, WEATHERD_EXTERNAL_INSECURE: 'true' })).to.deep.equal(
        [],
      );
  });

  it('reads the number of worker processes', () => {
    const workers = (text: string) => loadConfig(undefined, { WEATHERD_WORKERS: text }).WORKERS;
    expect([workers('1'), workers('64')]).to.deep.equal([1, 64]);
    for (const text of ['0', '65', '-1', '1.5', 'two', '1e1'])
      expect(faultsOf({ WEATHERD_WORKERS: text })).to.deep.equal([
        `WEATHERD_WORKERS: Must be a whole number from 1 to 64; it is "${text}"`,
      ]);
  });

  it('reads how long observations are kept, and prints it in a form that it reads', () => {
    const keep = (text: string) => loadConfig(undefined, { WEATHERD_RETENTION: text });
    for (const [text, hours] of [
      ['10y', 87_660],
      ['400d', 9600],
      ['1000y', 8_766_000],
    ] as const) {
      expect(keep(text).RETENTION, text).to.equal(hours * 3600);
      expect(describeConfig(keep(text))).to.contain(`WEATHERD_RETENTION=${hours}h\n`);
      expect(keep(`${hours}h`).RETENTION).to.equal(hours * 3600);
    }
    for (const text of ['0d', '10', '1001y', '5m', '1.5y'])
      expect(() => keep(text), text).to.throw('such as 400d or 10y');
  });

  it('uses the environment before the file, and the file before the defaults', () => {
    const file = write('a.json', '{"external": {"port": 1000, "host": "::1"}, "auth_enabled": false}');
    const config = loadConfig(file, { WEATHERD_EXTERNAL_PORT: '2000', WEATHERD_LOG_LEVEL: '', OTHER: 'x' });
    expect(config).to.include({
      EXTERNAL_PORT: 2000,
      EXTERNAL_HOST: '::1',
      AUTH_ENABLED: false,
      LOG_LEVEL: 'info',
    });
  });

  it('reads a file with any nesting, with lists and nulls', () => {
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

  it('reports all faults at once', () => {
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
    expect(faultsOf({ WEATHERD_INTERNAL_SECRET_FILE: join(folder, 'none') })[0]).to.contain(
      'none does not exist',
    );
    expect(faultsOf({ WEATHERD_EXTERNAL_HOST_FILE: file })[0]).to.contain('does not exist');
  });

  it('never quotes a secret in a fault', () => {
    const faults = faultsOf({
      WEATHERD_INTERNAL_SECRET: 'short secret',
      WEATHERD_DATABASE_URL: 'pg://u:hunter2@h',
    });
    expect(faults.join()).not.to.match(/short secret|hunter2/);
    const file = write('broken.json', `{"internal": {"secret": "${SECRET}" oops`);
    expect(faultsOf({}, file)).to.deep.equal([`${file}: the file is not valid JSON: line 1, column 60`]);
  });

  it('never shows a part of a database password or user, in whatever form the URL has', () => {
    const REDACTED = /qx|xq|zj|jz/i;
    const secret = fc
      .array(fc.oneof(fc.constantFrom('qx', 'zj', 'QX'), fc.constantFrom(...Array.from('@:/?#%&=[];+ 1'))), {
        minLength: 1,
        maxLength: 8,
      })
      .map((parts) => parts.join(''));
    const url = fc
      .tuple(fc.constantFrom('postgres:', 'postgresql:'), fc.nat(8), secret, secret)
      .map(([scheme, form, user, password]) => {
        const encoded = [user, password].map(encodeURIComponent).join(':');
        return [
          `${scheme}//${user}:${password}@host/base`,
          `${scheme}//${encoded}@host:5432/base`,
          `${scheme}//host/base?user=${user}&password=${password}`,
          `${scheme}//host/base?sslpassword=${password}&password=${user}`,
          `${scheme}${user}:${password}@host/base`,
          `${scheme}//:${password}@host/base`,
          `${scheme}//${user}:${password}@host/base?password=${password}`,
          `${scheme}//${user}:${password}@/base`,
          `${scheme}///base?password=${password}`,
        ][form] as string;
      });
    fc.assert(
      fc.property(url, (text) => {
        const faults = faultsOf({ WEATHERD_DATABASE_URL: text });
        expect(faults.join('\n')).not.to.match(REDACTED);
        if (faults.length > 0) return;
        const printed = describeConfig(loadConfig(undefined, { WEATHERD_DATABASE_URL: text }));
        expect(printed).not.to.match(REDACTED);
        expect(printed).to.match(/DATABASE_URL=postgres:\/\/(?:host)?(?::5432)?\/base\n/);
      }),
      { numRuns: 2000 },
    );
    const sound = { WEATHERD_DATABASE_URL: 'postgres://u:p%40ss@h:5433/d?password=secret' };
    expect(describeConfig(loadConfig(undefined, sound))).to.contain('DATABASE_URL=postgres://h:5433/d\n');
  });

  it('reports that reserved characters in a database password must be encoded', () => {
    for (const text of ['postgres://u:98#qx@h/d', 'postgres://u:98/qx@h/d', 'postgres://u:98?qx@h/d']) {
      const [fault = ''] = faultsOf({ WEATHERD_DATABASE_URL: text });
      expect(fault, text).to.contain('percent-encode').and.not.match(/98|qx/);
    }
    expect(faultsOf({ WEATHERD_DATABASE_URL: 'mysql://h' })[0]).not.to.contain('percent-encode');
  });

  it('reads sizes with a unit, and prints a size that it can read again', () => {
    const limit = (text: string) => loadConfig(undefined, { WEATHERD_IMPORT_LIMIT: text });
    for (const [text, bytes] of [
      ['1KiB', 1024],
      ['200MiB', 200 * 2 ** 20],
      ['3GiB', 3 * 2 ** 30],
    ] as const) {
      expect(limit(text).IMPORT_LIMIT).to.equal(bytes);
      const [, printed = ''] = /^WEATHERD_IMPORT_LIMIT=(.*)$/m.exec(describeConfig(limit(text))) ?? [];
      expect(limit(printed).IMPORT_LIMIT).to.equal(bytes);
    }
    for (const text of ['0MiB', '1', '1GB', '1.5GiB', '-1MiB', 'MiB'])
      expect(() => limit(text), text).to.throw('WEATHERD_IMPORT_LIMIT');
  });

  it('refuses data in memory, and says what to use instead', () => {
    for (const url of ['memory:', 'MEMORY:', 'memory:x', 'sqlite::memory:', 'sqlite:memory:'])
      expect(faultsOf({ WEATHERD_DATABASE_URL: url }), url).to.deep.equal([
        'WEATHERD_DATABASE_URL: memory: is no longer supported: use sqlite: with a temporary folder as WEATHERD_DATA_DIR',
      ]);
    expect(faultsOf({ WEATHERD_DATABASE_URL: 'memory' })[0]).to.contain(
      'Must be sqlite:, sqlite:FILE or postgres://',
    );
  });

  it('accepts several hosts of PostgreSQL, and replicas, and prints them without passwords', () => {
    const url = 'postgres://ada:98,q@one:1,two:2,[::1]:3/d?sslmode=require';
    const both = { WEATHERD_DATABASE_URL: url, WEATHERD_DATABASE_READ_URL: url.replace('one:1,', '') };
    const printed = describeConfig(loadConfig(undefined, both));
    expect(printed).to.contain('DATABASE_URL=postgres://one:1,two:2,[::1]:3/d\n');
    expect(printed).to.contain('DATABASE_READ_URL=postgres://two:2,[::1]:3/d\n');
    expect(faultsOf({ ...both, WEATHERD_DATABASE_URL: 'postgres://u:98@one,two:x/d' })[0]).not.to.match(/98/);
    expect(faultsOf({ WEATHERD_DATABASE_READ_URL: 'sqlite:' })).to.have.length(2);
    expect(faultsOf({ ...both, WEATHERD_DATABASE_URL: 'sqlite:' })).to.deep.equal([
      'WEATHERD_DATABASE_READ_URL: replicas exist only for PostgreSQL: set WEATHERD_DATABASE_URL to postgres://…',
    ]);
  });

  it('reports faults between settings as well as those of single ones, and missing transports', () => {
    const faults = faultsOf({
      WEATHERD_EXTERNAL_TRANSPORT: 'koa-none',
      WEATHERD_INTERNAL_TRANSPORT: './none.js',
      WEATHERD_EXTERNAL_PORT: '99999',
      WEATHERD_EXTERNAL_HOST: '0.0.0.0',
      WEATHERD_INTERNAL_HOST: '192.168.1.2',
    });
    expect(faults.map((fault) => fault.split(':')[0])).to.have.members([
      'WEATHERD_EXTERNAL_TRANSPORT',
      'WEATHERD_INTERNAL_TRANSPORT',
      'WEATHERD_EXTERNAL_PORT',
      'WEATHERD_EXTERNAL_HOST',
      'WEATHERD_INTERNAL_HOST',
    ]);
    const existing = write('transport.mjs', 'throw new Error("must not run")');
    expect(faultsOf({ WEATHERD_EXTERNAL_TRANSPORT: existing })).to.deep.equal([]);
    // A secret that is too short is not reported as missing too.
    const short = faultsOf({ WEATHERD_INTERNAL_HOST: '192.168.1.2', WEATHERD_INTERNAL_SECRET: 'short' });
    expect(short.filter((fault) => fault.startsWith('WEATHERD_INTERNAL_HOST'))).to.deep.equal([]);
  });

  it('names the file, the key and a similar setting for an unknown one', () => {
    const file = write('unknown.json', '{"external": {"prt": 1}, "weather": {"of": {"tomorrow": true}}}');
    expect(faultsOf({ WEATHERD_EXTERNL_HOST: 'x' }, file)).to.deep.equal([
      `WEATHERD_EXTERNAL_PRT (external.prt in ${file}): this setting does not exist; the most similar one is WEATHERD_EXTERNAL_PORT`,
      `WEATHERD_WEATHER_OF_TOMORROW (weather.of.tomorrow in ${file}): this setting does not exist`,
      'WEATHERD_EXTERNL_HOST: this setting does not exist; the most similar one is WEATHERD_EXTERNAL_HOST',
    ]);
  });

  it('reads neither an endless file nor a file that is not regular', () => {
    expect(faultsOf({}, '/dev/zero')).to.deep.equal(['/dev/zero: the file is not a regular file']);
    expect(faultsOf({}, folder)).to.deep.equal([`${folder}: the file is not a regular file`]);
    const large = write('large.json', `{"log_level": "${'x'.repeat(1_048_576)}"}`);
    expect(faultsOf({}, large)[0]).to.contain('more than 1048576 bytes');
    expect(faultsOf({ WEATHERD_INTERNAL_SECRET_FILE: '/dev/zero' })[0]).to.contain('more than');
  });

  it('reports an origin with a slash at its end, and a secret that is too simple', () => {
    const origin = (text: string) => faultsOf({ WEATHERD_EXTERNAL_ALLOWED_ORIGINS: text })[0];
    expect(origin('https://a.example/')).to.contain('without the slash');
    expect(origin('https://a.example/b')).to.contain('such as');
    expect(faultsOf({ WEATHERD_INTERNAL_SECRET: 'a'.repeat(64) })[0]).to.contain('different characters');
  });

  it('finds the place where a text stops being JSON, wherever that is', () => {
    const cut = (text: string, at: number, junk: string) => text.slice(0, at) + junk + text.slice(at);
    for (const [text, at] of [
      ['{"a": 1,}', 8],
      ['{"a": 1,\n "b" 2}', 14],
      ['[1, 2', 5],
      ['', 0],
      ['{"a": tru}', 6],
      ['{"a": "x', 6],
      ['{} x', 3],
      ['[01]', 2],
      ["{'a': 1}", 1],
    ] as const) {
      expect(jsonFaultAt(text), text).to.equal(at);
    }
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, seed) => {
        // No JSON text continues with this character outside of a string, so complete JSON has its fault at its end.
        const at = jsonFaultAt(text);
        expect(at).to.equal(text.trimEnd().length + (text.length - text.trimEnd().length));
        const broken = cut(text, seed % (text.length + 1), '\u0001');
        expect(jsonFaultAt(broken)).to.be.at.most((seed % (text.length + 1)) + 1);
      }),
    );
  });

  it('refuses a file that is missing or no object', () => {
    expect(faultsOf({}, join(folder, 'none.json'))[0]).to.equal(
      `${join(folder, 'none.json')} does not exist`,
    );
    expect(faultsOf({}, write('list.json', '[]'))[0]).to.contain('JSON object');
  });

  it('refuses to listen where others can reach it until it is secured', () => {
    expect(faultsOf({ WEATHERD_EXTERNAL_HOST: '0.0.0.0' })[0]).to.contain('TLS');
    expect(
      faultsOf({ WEATHERD_EXTERNAL_HOST: '0.0.0.0', WEATHERD_EXTERNAL_TLS_TERMINATED: 'true' }),
    ).to.deep.equal([]);
    const plain = { WEATHERD_EXTERNAL_HOST: '0.0.0.0', WEATHERD_EXTERNAL_INSECURE: 'true' };
    expect(faultsOf(plain)).to.deep.equal([]);
    expect(faultsOf({ ...plain, WEATHERD_READ_ACCESS: 'token' })[0]).to.contain('nobody can read');
    const tls = { WEATHERD_EXTERNAL_TLS_CERT: 'c', WEATHERD_EXTERNAL_TLS_KEY: 'k' };
    expect(faultsOf({ WEATHERD_EXTERNAL_HOST: '::', ...tls })).to.deep.equal([]);
    expect(faultsOf({ WEATHERD_EXTERNAL_TLS_CERT: 'c' })[0]).to.contain('set both settings or none');
    expect(faultsOf({ WEATHERD_INTERNAL_HOST: '192.168.1.2' })[0]).to.contain('WEATHERD_INTERNAL_SECRET');
    expect(
      faultsOf({ WEATHERD_INTERNAL_HOST: '192.168.1.2', WEATHERD_INTERNAL_SECRET: SECRET }),
    ).to.deep.equal([]);
    expect(faultsOf({ WEATHERD_INTERNAL_SECRET: SECRET.slice(1) })[0]).to.contain('32 bytes');
  });

  it('needs a mail server and a sender together, and never shows the password', () => {
    const from = { WEATHERD_MAIL_FROM: 'Weather <weather@example.org>' };
    const server = { WEATHERD_SMTP_URL: 'smtps://me:hunter22@mail.example.org' };
    expect(faultsOf({ ...from, ...server })).to.deep.equal([]);
    expect(faultsOf({ ...from, WEATHERD_SMTP_URL: 'smtp://me:50%25%40@mail.example.org' })).to.deep.equal([]);
    expect(faultsOf(from)).to.deep.equal(['WEATHERD_MAIL_FROM: set WEATHERD_SMTP_URL too']);
    expect(faultsOf(server)).to.deep.equal(['WEATHERD_SMTP_URL: set WEATHERD_MAIL_FROM too']);
    for (const url of [
      'http://me:hunter22@b',
      'smtp://me@b',
      'smtp://me:hunter22@b/path',
      'smtp://me:hunter22%@b',
      'smtp://me%zz:hunter22@b',
      'smtp://me:hunter22%ff@b',
      'hunter22',
    ]) {
      const [fault = ''] = faultsOf({ ...from, WEATHERD_SMTP_URL: url });
      expect(fault).to.contain('Must be smtp://USER:PASSWORD@HOST:PORT').and.not.contain('hunter22');
    }
    expect(faultsOf({ ...server, WEATHERD_MAIL_FROM: 'weather' })[0]).to.contain('Must be an address');
  });

  it('refuses a language without texts', () => {
    expect(faultsOf({ WEATHERD_LANGUAGE: 'nl' })).to.deep.equal([]);
    const fault = 'WEATHERD_LANGUAGE: Must be one of en, de, nl; it is "fr"';
    expect(faultsOf({ WEATHERD_LANGUAGE: 'fr' })).to.deep.equal([fault]);
  });

  it('refuses backups by schedule where there is no data file, and among the data', () => {
    const backups = { WEATHERD_BACKUP_DIR: '/backups' };
    expect(faultsOf({ ...backups, WEATHERD_BACKUP_EVERY: '12h', WEATHERD_BACKUP_KEEP: '14' })).to.deep.equal(
      [],
    );
    const postgres = { ...backups, WEATHERD_DATABASE_URL: 'postgres://one/d' };
    expect(faultsOf(postgres)[0]).to.contain('pg_dump --format=custom --schema=weatherd');
    for (const place of ['/srv/data', '/srv/data/backups', '/srv/x/../data/b'])
      expect(faultsOf({ WEATHERD_DATA_DIR: '/srv/data', WEATHERD_BACKUP_DIR: place })[0]).to.contain(
        'in the data directory',
      );
    for (const place of ['/srv/data-backups', '/srv', '/srv/..data'])
      expect(faultsOf({ WEATHERD_DATA_DIR: '/srv/data', WEATHERD_BACKUP_DIR: place })).to.deep.equal([]);
    const link = join(folder, 'link');
    mkdirSync(join(folder, 'data'));
    symlinkSync(join(folder, 'data'), link);
    for (const place of [link, join(link, 'backups')])
      expect(faultsOf({ WEATHERD_DATA_DIR: join(folder, 'data'), WEATHERD_BACKUP_DIR: place })[0]).to.contain(
        'in the data directory',
      );
    expect(faultsOf({ WEATHERD_BACKUP_EVERY: '1d', WEATHERD_BACKUP_KEEP: '3' })).to.deep.equal([
      'WEATHERD_BACKUP_EVERY: set WEATHERD_BACKUP_DIR too',
      'WEATHERD_BACKUP_KEEP: set WEATHERD_BACKUP_DIR too',
    ]);
    expect(faultsOf({ ...backups, WEATHERD_BACKUP_KEEP: '0' })[0]).to.contain('1 to 9999');
    expect(faultsOf({ ...backups, WEATHERD_BACKUP_EVERY: '0s' })[0]).to.contain('Must be longer than 0');
    expect(faultsOf({ ...backups, WEATHERD_BACKUP_EVERY: '00s' })[0]).to.contain('a whole number and a unit');
    expect(loadConfig(undefined, { WEATHERD_BACKUP_DIR: 'b' }).BACKUP_DIR).to.equal(resolve('b'));
  });

  it('refuses uploads without TLS where others can reach them, until that is wanted', () => {
    const open = { WEATHERD_UPLOADS_ENABLED: 'true', WEATHERD_UPLOADS_HOST: '0.0.0.0' };
    expect(faultsOf(open)).to.have.length(1);
    expect(faultsOf(open)[0]).to.contain('WEATHERD_UPLOADS_INSECURE=true');
    expect(faultsOf({ ...open, WEATHERD_UPLOADS_INSECURE: 'true' })).to.deep.equal([]);
    expect(faultsOf({ ...open, WEATHERD_UPLOADS_HOST: '127.0.0.1' })).to.deep.equal([]);
    expect(faultsOf({ WEATHERD_UPLOADS_HOST: '0.0.0.0' })).to.deep.equal([]);
    expect(faultsOf({ WEATHERD_UPLOADS_HOST: 'unix:/run/x' })[0]).to.contain('host');
  });

  it('distinguishes loopback from other addresses', () => {
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
    expect(printed.split('\n')).to.have.length(Object.keys(SETTING_TABLE).length + 1);
  });

  it('is listed in docs/configuration.md', async () => {
    const items = Object.entries(SETTING_TABLE).map(([name, { initial, text, secret, reloads }]) => {
      const heading = Object.hasOwn(HEADINGS, name) ? `\n## ${HEADINGS[name] ?? ''}\n\n` : '';
      const standard = initial === '' ? '' : ` (default \`${initial}\`)`;
      const file = secret ? ` \`WEATHERD_${name}_FILE\` names a file that contains it.` : '';
      return `${heading}- **\`WEATHERD_${name}\`**${standard}: ${text}${file}${reloads ? ' SIGHUP reloads it.' : ''}\n`;
    });
    expect(SETTING_TABLE).to.include.keys(Object.keys(HEADINGS));
    await expectSection('configuration.md', 'settings', items.join(''));
  });
});
