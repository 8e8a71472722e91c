import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { DialectUpload } from '#adapters/uploads/dialects/dialect.js';
import { DIALECTS } from '#adapters/uploads/dialects/dialects.js';
import { REPLIES } from '#adapters/uploads/upload-reply.js';
import { readUpload } from '#adapters/uploads/request/raw-upload.js';
import { SecretMask } from '#adapters/uploads/request/secret-mask.js';
import { shownUpload } from '#adapters/uploads/request/shown-upload.js';
import { unitsOf } from '#domain/weather/units.js';
import { variableNamed } from '#domain/weather/variables.js';
import { ALL, CAPTURES, goldenFile, KEY, requestOf, secretsOf } from '../captures.js';

/** What is read of a request, with times as text and the dialect's name. */
function readText(text: string) {
  const raw = readUpload(requestOf(text));
  const dialect = DIALECTS.find((one) => one.recognizes(raw));
  const read = dialect?.read(raw) ?? null;
  const uploads = Array.isArray(read)
    ? (read as readonly DialectUpload[]).map((upload) => ({
        ...upload,
        time: { ...upload.time, sent: upload.time.sent === undefined ? null : new Date(upload.time.sent) },
      }))
    : null;
  return {
    dialect: dialect?.name ?? null,
    shown: shownUpload(raw, new SecretMask(raw)),
    uploads,
  };
}

const get = (query: string, path = '/') => readText(`GET ${path}?${query} HTTP/1.1\r\n\r\n`);
const post = (body: string, path = '/') =>
  readText(`POST ${path} HTTP/1.1\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);

describe('dialects', () => {
  for (const [name, captures] of Object.entries(CAPTURES)) {
    it(`read the captures of ${name} as the golden file says`, () => {
      const read = Object.fromEntries(captures.map(({ title, text }) => [title, readText(text)]));
      const found = `${JSON.stringify(read, null, 2)}\n`;
      if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(goldenFile(name), found);
      expect(found).to.equal(readFileSync(goldenFile(name), 'utf8'));
    });
  }

  it('are told apart by the fields of a request, whatever its path', () => {
    for (const [dialect, query] of [
      ['wslink', 'wsid=a&wspw=b&ID=a&PASSWORD=b&t1tem=1'],
      ['wow', 'siteid=a&siteAuthenticationKey=b&ID=a&PASSWORD=b'],
      ['ambient', 'PASSKEY=A&stationtype=AMBWeatherV4.3.4'],
      ['ambient', 'MAC=A&stationtype=AMBWeatherPro_V5'],
      ['ambient', 'PASSKEY=A&stationtype=X&soilhum1=1'],
      ['ambient', 'PASSKEY=A&battout=1'],
      ['ambient', 'PASSKEY=A&lightning_day=1'],
      ['ecowitt', 'PASSKEY=A&stationtype=GW1000B_V1.6.8'],
      ['ecowitt', 'MAC=A&ID=a&PASSWORD=b'],
      ['wunderground', 'ID=a&PASSWORD=b&tempf=1'],
      [null, 'tempf=1'],
      [null, 'ID=a&tempf=1'],
      [null, 'siteid=a&tempf=1'],
      [null, 'stationtype=AMBWeatherV4.3.4&tempf=1'],
      [null, 'id=a&password=b&passkey=c'],
    ] as const) {
      for (const path of ['/', '/x.php', '/data/report/', `/u/${KEY}/`])
        expect(get(query, path).dialect, `${path}?${query}`).to.equal(dialect);
    }
    for (const [dialect, body] of [
      ['things-network', '{"end_device_ids":{}}'],
      ['open-weather-map', '{"station_id":"a","dt":1}'],
      ['open-weather-map', '[{"station_id":"a","dt":1}]'],
      ['wow', '{"siteid":"a","siteAuthenticationKey":1}'],
      ['wunderground', '{"ID":"a","PASSWORD":"b"}'],
      ['json', '{}'],
      ['json', '[]'],
      ['json', ' \n{"air_temperature":1}'],
      ['json', '{"cut off'],
      [null, 'text'],
      [null, '"text"'],
    ] as const) {
      expect(post(body).dialect, body).to.equal(dialect);
    }
  });

  it('are told by the path where the fields do not tell', () => {
    for (const [dialect, path] of [
      ['wunderground', '/weatherstation/updateweatherstation.php'],
      ['wunderground', '/weatherstation/updateweatherstation.asp'],
      ['wunderground', '/weatherstation/updateweatherstation'],
      ['wunderground', `/u/${KEY}/weatherstation/updateweatherstation.php`],
      ['pwsweather', '/pwsupdate/pwsupdate.php'],
      ['pwsweather', '/api/v1/submitwx'],
      ['wow', '/automaticreading'],
      ['wow', '/api/v2/send'],
      ['wow', '/api/v2/send/wow'],
      [null, '/weatherstation/other.php'],
    ] as const) {
      expect(get('tempf=50', path).dialect, path).to.equal(dialect);
    }
  });

  it('use only variables and units of the catalogue', () => {
    const readings = ALL.flatMap(({ text }) => readText(text).uploads ?? []).flatMap(
      (upload) => upload.readings,
    );
    expect(readings).to.have.length.greaterThan(200);
    for (const { field, variable: name, unit } of readings) {
      const variable = variableNamed(name);
      expect(variable, `${field}: ${name}`).not.to.equal(undefined);
      if (variable !== undefined && unit !== undefined) expect(unitsOf(variable), field).to.include(unit);
    }
  });

  it('give a variable once and list the other fields that have it', () => {
    const [upload] = get('ID=a&PASSWORD=b&UV=1&uv=2&windgustdir_10m=10&windgustdir=20').uploads ?? [];
    expect(upload?.readings.map(({ field, value }) => [field, value])).to.deep.equal([
      ['UV', 1],
      ['windgustdir', 20],
    ]);
    expect(upload?.fields).to.deep.equal([
      { name: 'uv', value: 2 },
      { name: 'windgustdir_10m', value: 10 },
    ]);
  });

  it('take the rate of the gauge that has measured rain, the tipping one if both have', () => {
    const rate = (query: string) => {
      const [upload] = get(`PASSKEY=A&${query}`).uploads ?? [];
      return upload?.readings.map(({ field }) => field);
    };
    const both = 'rainratein=0.1&rrain_piezo=0.2';
    expect(rate(both)).to.deep.equal(['rainratein']);
    expect(rate(`${both}&yearlyrainin=1&yrain_piezo=1`)).to.deep.equal(['rainratein']);
    expect(rate(`${both}&yearlyrainin=0&yrain_piezo=1`)).to.deep.equal(['rrain_piezo']);
    expect(rate('rrain_piezo=0.2')).to.deep.equal(['rrain_piezo']);
  });

  it('never take what means no value, neither as a reading nor as a counter nor as a field', () => {
    for (const text of ['', '--', '--.-', '-9999', '-9999.0', '-999', 'NaN', 'null', ' ']) {
      const names = ['tempf', 'dailyrainin', 'temp1f', 'unheard_of'];
      const query = names.map((name) => `${name}=${encodeURIComponent(text)}`).join('&');
      const [upload] = get(`PASSKEY=A&${query}`).uploads ?? [];
      expect([upload?.readings, upload?.counters, upload?.fields], text).to.deep.equal([[], [], []]);
    }
    const [upload] = get('PASSKEY=A&lightning=255&lightning_time=4294967295').uploads ?? [];
    expect(upload?.fields).to.deep.equal([]);
  });

  it('list a known field with a text that is no number as unmapped', () => {
    const [upload] = get('PASSKEY=A&tempf=warm&humidity=0x10&winddir=1e999&uv=3').uploads ?? [];
    expect(upload?.readings.map(({ field }) => field)).to.deep.equal(['uv']);
    expect(upload?.fields).to.deep.equal([
      { name: 'tempf', value: 'warm' },
      { name: 'humidity', value: '0x10' },
      { name: 'winddir', value: '1e999' },
    ]);
  });

  it('bound the number and the length of unmapped fields', () => {
    const names = Array.from({ length: 900 }, (_, index) => `f${index}=x${'y'.repeat(10)}`);
    const [many] = get(`PASSKEY=A&${names.join('&')}`).uploads ?? [];
    expect(many?.fields).to.have.length(256);
    const [long] =
      get(`PASSKEY=A&a=${'b_'.repeat(250)}&${'c'.repeat(49)}=1&stationtype=${'d_'.repeat(50)}`).uploads ?? [];
    expect(long?.fields).to.deep.equal([{ name: 'a', value: 'b_'.repeat(32) }]);
    expect(long?.device.firmware).to.have.length(64);
  });

  it('take the names of objects of the language for unknown fields', () => {
    const [upload] = get('PASSKEY=A&__proto__=1&constructor=2&toString=3').uploads ?? [];
    expect(upload?.fields.map(({ name }) => name)).to.deep.equal(['__proto__', 'constructor', 'toString']);
    const [parsed] = post('{"__proto__":{"air_temperature":1},"constructor":2}').uploads ?? [];
    expect(parsed?.readings).to.deep.equal([]);
  });

  it('tell JSON that they cannot read', () => {
    for (const body of [
      '[]',
      '[1]',
      '{"cut off',
      '{"time":"yesterday","air_temperature":1}',
      '{"time":true,"air_temperature":1}',
      '{"units":"furlong","air_temperature":1}',
      '{"air_temperature":{"value":1,"unit":"furlong"}}',
      '{"air_temperature":[1]}',
      '{"air_temperature":true}',
      JSON.stringify(Array.from({ length: 61 }, () => ({ air_temperature: 1 }))),
    ]) {
      expect(post(body), body).to.have.property('uploads', null);
    }
    const imperial = post('{"time":1795273741.5,"units":"imperial","air_temperature":50,"humidity":null}');
    expect(imperial.uploads?.[0]?.time.sent?.toISOString()).to.equal('2026-11-21T15:09:01.500Z');
    expect(imperial.uploads?.[0]?.readings).to.deep.equal([
      { field: 'air_temperature', variable: 'air_temperature', unit: '°F', value: 50 },
    ]);
  });

  it('mask every secret in the text for people, and take none for a field', () => {
    for (const { title, text } of ALL) {
      const { shown, uploads } = readText(text);
      if (uploads === null) continue;
      const listed = JSON.stringify(uploads.map((upload) => ({ ...upload, sender: {} })));
      const secrets = secretsOf(text);
      expect(secrets, title).not.to.have.length(0);
      for (const secret of secrets) {
        expect(shown, title).not.to.contain(secret);
        expect(listed, title).not.to.contain(secret);
      }
    }
  });

  it('mask what looks like a secret under a wrong name or in a wrong place', () => {
    for (const secret of [
      KEY,
      '01234-56789-abcde-fghjk-mnpqrs',
      'a'.repeat(32),
      '00:0E:C6:20:AB:CD',
      '24C86E0A1B2C',
    ]) {
      for (const query of [
        `PASSKEZ=${secret}&ID=a&PASSWORD=b`,
        `ID=a&PASSWORD=b&${secret}=1`,
        `ID=${secret}&PASSWORD=b`,
      ]) {
        const { shown, uploads } = get(query, `/x/${secret}/`);
        expect(shown).not.to.contain(secret);
        expect(uploads?.[0]?.fields).to.deep.equal([]);
      }
    }
  });

  it('mask the key of a path whatever its form', () => {
    expect(get('ID=a&PASSWORD=b', '/x/u/abc/data').shown).to.contain('GET /x/u/***/data\n');
  });

  it('show at most 4 KiB of a request, cut between characters', () => {
    const { shown } = get(`PASSKEY=A&${'a=%C3%A9%E2%82%AC&'.repeat(900)}`);
    expect(Buffer.byteLength(shown)).to.be.within(4000, 4096);
    expect(shown).not.to.contain('\uFFFD');
  });

  it('have short plain replies of which no success contains a word that silences software', () => {
    for (const { name, replies } of DIALECTS) {
      expect(new Set(Object.keys(replies))).to.deep.equal(new Set(Object.keys(REPLIES)));
      for (const [reason, { status, body }] of Object.entries(replies)) {
        expect(body, `${name} ${reason}`).to.match(/^[ -~]{0,40}$/);
        expect(status < 300, `${name} ${reason}`).to.equal(reason === 'accepted');
        if (status < 300) expect(body).not.to.match(/error|invalid/i);
      }
    }
    const statuses = Object.fromEntries(
      DIALECTS.map(({ name, replies }) => [name, Object.values(replies).map(({ status }) => status)]),
    );
    const usual = [200, 401, 400, 400, 429, 503];
    expect(statuses).to.deep.equal({
      wslink: [200, 401, 400, 405, 404, 503],
      wow: [200, 403, 400, 400, 429, 503],
      ambient: usual,
      ecowitt: usual,
      pwsweather: usual,
      wunderground: usual,
      'things-network': usual,
      'open-weather-map': [204, 401, 400, 400, 429, 503],
      json: usual,
    });
  });
});
