import { expect } from 'chai';
import sinon from 'sinon';
import { AddressLimit } from '#application/uploads/arrivals/address-limit.js';
import { DIALECTS } from '#adapters/uploads/dialects/dialects.js';
import { type Receive, UploadReceiver } from '#adapters/uploads/receiver.js';
import { DomainError } from '#domain/domain-error.js';
import type { Arrival, Upload, UploadOutcome } from '#domain/uploads/upload.js';
import { FakeClock } from '../../application/fakes/fakes.js';
import { ALL, KEY, requestOf } from './captures.js';

/** One request of each dialect. */
const REQUESTS: Readonly<Record<string, string>> = {
  wslink: 'GET /data/upload.php?wsid=a&wspw=b&t1tem=1 HTTP/1.1\r\n\r\n',
  wow: 'GET /automaticreading?siteid=a&siteAuthenticationKey=b&tempf=1 HTTP/1.1\r\n\r\n',
  ambient: 'GET /?PASSKEY=A&stationtype=AMBWeatherV4 HTTP/1.1\r\n\r\n',
  ecowitt: 'GET /?PASSKEY=A&stationtype=GW1000 HTTP/1.1\r\n\r\n',
  pwsweather: 'GET /pwsupdate/pwsupdate.php?ID=a&PASSWORD=b HTTP/1.1\r\n\r\n',
  wunderground: 'GET /?ID=a&PASSWORD=b HTTP/1.1\r\n\r\n',
  'things-network': 'POST / HTTP/1.1\r\nContent-Length: 21\r\n\r\n{"end_device_ids":{}}',
  'open-weather-map': 'POST / HTTP/1.1\r\nContent-Length: 27\r\n\r\n{"station_id":"a", "dt": 1}',
  json: 'POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}',
};

const refused = (reason: 'key' | 'time' | 'rate'): UploadOutcome => ({
  kind: 'refused',
  reason,
  detail: 'SECRET',
});

class Setting {
  readonly clock = new FakeClock();
  readonly received: [Upload, Arrival][] = [];
  readonly failures: unknown[] = [];
  readonly receiver: UploadReceiver;

  constructor(
    outcome: () => UploadOutcome | Promise<UploadOutcome> = () => ({ kind: 'stored' }),
    attempts = 1000,
  ) {
    const receive: Receive = async (upload, arrival, admission) => {
      const lookUp = { find: async () => true, isValid: () => false, isGuessable: true };
      if ((await admission.identify(lookUp)) === undefined) return refused('rate');
      this.received.push([upload, arrival]);
      return outcome();
    };
    this.receiver = new UploadReceiver({
      receive,
      clock: this.clock,
      addresses: new AddressLimit(this.clock, (address) => address, {
        limit: { requests: attempts, seconds: 60 },
      }),
      onFailure: (error) => this.failures.push(error),
    });
  }

  async reply(text: string, address = '192.0.2.1') {
    const { reply, dialect } = await this.receiver.execute(requestOf(text), address);
    return { status: reply.status, body: reply.body, dialect };
  }
}

describe('UploadReceiver', () => {
  it('has a request for each dialect here', () => {
    expect(Object.keys(REQUESTS)).to.have.members(DIALECTS.map(({ name }) => name));
  });

  it('passes uploads on with dialect, digest, text, time of receipt and address', async () => {
    const setting = new Setting();
    for (const text of Object.values(REQUESTS)) await setting.reply(text, '198.51.100.7');
    expect(setting.received.map(([{ dialect }]) => dialect)).to.deep.equal(Object.keys(REQUESTS));
    for (const [upload, arrival] of setting.received) {
      expect(arrival).to.deep.equal({
        receivedAt: setting.clock.time,
        isApi: false,
        address: '198.51.100.7',
      });
      expect(upload.digest).to.match(/^[\w-]{43}$/);
      expect(upload.raw).to.match(/^(?:GET|POST) \//);
    }
  });

  it('passes on that a request with a key cannot be read, and drops one without a key', async () => {
    const setting = new Setting(() => ({ kind: 'refused', reason: 'content', detail: '' }));
    const post = (path: string) => setting.reply(`POST ${path} HTTP/1.1\r\nContent-Length: 5\r\n\r\n{"a":`);
    expect([await post('/u/abc/'), await post('/')].map(({ status }) => status)).to.deep.equal([400, 400]);
    expect(
      setting.received.map(([{ sender, problem, readings }]) => [sender, problem, readings]),
    ).to.deep.equal([[{ key: 'abc' }, 'The body begins like JSON, but it is not valid JSON.', []]]);
  });

  it('names the field and the value of readable JSON that cannot be stored, without secrets', async () => {
    const cannot = 'The JSON cannot be stored: ';
    const instant = 'is not a time such as 2024-02-29T12:00:00Z';
    const ofTemperature = 'is not a unit of this variable (°C, °F, K).';
    const password = 'a long password of a person, which is cut';
    for (const [json, problem] of [
      [{ time: 'yesterday', air_temperature: 3 }, `${cannot}time: "yesterday" ${instant}.`],
      [
        { time: '2026-02-30T00:00:00Z' },
        `${cannot}time: "2026-02-30T00:00:00Z" is not a date: February 2026 has 28 days.`,
      ],
      [{ time: [1] }, `${cannot}time: [1] ${instant} or seconds since 1970-01-01T00:00:00Z.`],
      [
        { air_temperature: { value: 3, unit: 'parsec' } },
        `${cannot}air_temperature.unit: "parsec" ${ofTemperature}`,
      ],
      [
        { air_temperature: { value: 3, unit: null }, units: { air_temperature: 7 } },
        `${cannot}units.air_temperature: 7 ${ofTemperature}`,
      ],
      [
        { units: 'yards' },
        `${cannot}units: "yards" is not a system of units (metric, imperial, si) and not an object with the unit of each variable.`,
      ],
      [{ air_temperature: true }, `${cannot}air_temperature: true is not a number.`],
      [
        { air_temperature: { value: Array.from({ length: 30 }, () => 1) } },
        `${cannot}air_temperature.value: [${'1,'.repeat(19)}… is not a number.`,
      ],
      [[{}, { time: 'x' }], `${cannot}object 2 of 2, time: "x" ${instant}.`],
      [[], 'The JSON is an empty array. Send an object, or an array of 1 to 60 objects.'],
      [[null], 'Element 1 of the array is null. Each element must be an object with the values of one time.'],
      [
        [{ station_id: 'a', dt: 1 }, []],
        'Element 2 of the array is an array. Each element must be an object with the values of one time.',
      ],
      [
        Array.from({ length: 61 }, () => ({})),
        'The array has 61 elements. Send at most 60 objects in one request.',
      ],
      // Secrets, also where a shortened text would contain a part of one.
      [{ time: `${'-'.repeat(30)}${KEY}` }, `${cannot}time: "${'-'.repeat(30)}***" ${instant}.`],
      [{ password, time: `my ${password}` }, `${cannot}time: "my ***" ${instant}.`],
      [
        { air_temperature: { value: { password } } },
        `${cannot}air_temperature.value: {"password":"***"} is not a number.`,
      ],
    ] as const) {
      const body = JSON.stringify(json);
      const setting = new Setting(() => ({ kind: 'refused', reason: 'content', detail: '' }));
      const length = Buffer.byteLength(body);
      await setting.reply(`POST /u/${KEY}/ HTTP/1.1\r\nContent-Length: ${length}\r\n\r\n${body}`);
      expect(setting.received[0]?.[0].problem, body).to.equal(problem);
    }
  });

  it('has the reply of the dialect for each outcome', async () => {
    const success: Readonly<Record<string, readonly [number, string]>> = {
      wow: [200, '{}'],
      ecowitt: [200, '{"errcode":"0","errmsg":"ok"}'],
      'things-network': [200, '{}'],
      'open-weather-map': [204, ''],
      json: [200, '{"success":true}'],
    };
    for (const [dialect, text] of Object.entries(REQUESTS)) {
      const isWow = dialect === 'wow';
      const isWslink = dialect === 'wslink';
      for (const [outcome, status, body] of [
        [{ kind: 'stored' }, ...(success[dialect] ?? [200, 'success'])],
        [{ kind: 'unchanged' }, ...(success[dialect] ?? [200, 'success'])],
        [{ kind: 'pending' }, ...(success[dialect] ?? [200, 'success'])],
        [refused('key'), isWow ? 403 : 401, isWow ? 'forbidden' : 'unauthorized'],
        [refused('time'), 400, 'bad request'],
        [refused('rate'), isWslink ? 404 : 429, 'too many requests'],
      ] as const) {
        const setting = new Setting(() => outcome);
        expect(await setting.reply(text)).to.deep.equal({ status, body, dialect });
      }
    }
  });

  it('has 503 while the store does not answer, and reports only what nobody expects', async () => {
    const error = new TypeError('unexpected');
    for (const [failure, reported] of [
      [new DomainError('STORE_UNAVAILABLE', 'SECRET'), []],
      [error, [error]],
    ] as const) {
      const setting = new Setting(() => Promise.reject(failure));
      for (const text of Object.values(REQUESTS)) {
        const { status, body } = await setting.reply(text);
        expect([status, body]).to.deep.equal([503, 'unavailable']);
      }
      expect(new Set(setting.failures)).to.deep.equal(new Set(reported));
    }
  });

  it('answers after four seconds in any case, and waits for the store at the end', async () => {
    const clock = sinon.useFakeTimers();
    try {
      let finish: (outcome: UploadOutcome) => void = () => undefined;
      const setting = new Setting(() => new Promise((resolve) => (finish = resolve)));
      const reply = setting.reply(REQUESTS['ecowitt'] ?? '');
      let isIdle = false;
      await clock.tickAsync(3999);
      expect(await Promise.race([reply, Promise.resolve('none yet')])).to.equal('none yet');
      await clock.tickAsync(1);
      expect(await reply).to.have.property('status', 503);
      const idle = setting.receiver.idle().then(() => (isIdle = true));
      await clock.tickAsync(0);
      expect(isIdle).to.equal(false);
      finish({ kind: 'stored' });
      await idle;
      expect(clock.countTimers()).to.equal(0);
    } finally {
      clock.restore();
    }
  });

  it('turns uploads away at once while thousands wait for the store', async () => {
    const setting = new Setting(() => new Promise(() => undefined), 10_000);
    const request = requestOf(REQUESTS['ecowitt'] ?? '');
    const replies = Array.from({ length: 4097 }, () => setting.receiver.execute(request, '192.0.2.1'));
    const last = await replies.at(-1);
    expect(last?.reply.status).to.equal(503);
    await new Promise((resolve) => setImmediate(resolve));
    expect(setting.received).to.have.length(4096);
  });

  it('stops at the first of several times that is refused', async () => {
    const text = ALL.find(({ title }) => title.startsWith('OpenWeatherMap'))?.text ?? '';
    const outcomes: UploadOutcome[] = [{ kind: 'stored' }, { kind: 'unchanged' }];
    const both = new Setting(() => outcomes.shift() ?? refused('key'));
    expect(await both.reply(text)).to.have.property('status', 204);
    expect(both.received.map(([{ time }]) => time.sent)).to.deep.equal([1795273741000, 1795273801000]);
    expect(new Set(both.received.map(([{ digest }]) => digest)).size).to.equal(2);
    const first = new Setting(() => refused('time'));
    expect(await first.reply(text)).to.have.property('status', 400);
    expect(first.received).to.have.length(1);
  });

  it('gives equal digests to equal contents only, and none of the secrets changes them', async () => {
    const setting = new Setting();
    const digest = async (query: string) => {
      await setting.reply(`GET /?${query} HTTP/1.1\r\n\r\n`);
      return setting.received.at(-1)?.[0].digest;
    };
    const one = await digest('ID=a&PASSWORD=b&tempf=50&dateutc=now');
    expect(await digest('ID=a&dateutc=now&PASSWORD=b&tempf=50')).to.equal(one);
    expect(await digest('ID=a&PASSWORD=c&tempf=50&dateutc=now')).to.equal(one);
    expect(await digest('ID=a&PASSWORD=b&tempf=51&dateutc=now')).not.to.equal(one);
    expect(await digest('ID=x&PASSWORD=b&tempf=50&dateutc=now')).not.to.equal(one);
  });

  it('passes on no secret, whatever the field into which it was typed and however deep', async () => {
    const spoken = KEY.toUpperCase().replace(/(.{6})/g, '$1-');
    const json = (value: unknown) => {
      const body = JSON.stringify(value);
      return `POST /u/${KEY}/ HTTP/1.1\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    };
    const get = (path: string, query: string) => `GET ${path}?${query} HTTP/1.1\r\n\r\n`;
    const agent = (text: string, name: string) => text.replace('\r\n', `\r\nUser-Agent: ${name}\r\n`);
    const forms = (one: string) => [one, `${one}.`, `m/${one}`, `${one}x`, `"${one}"`, `x${one}`];
    for (const secret of [...forms(KEY), ...forms(spoken)]) {
      for (const text of [
        json({ temperature: 1, login: { PASSKEY: secret } }),
        json({ temperature: 1, login: [{ deeper: { name: secret } }] }),
        json({ temperature: 1, device: { model: secret, firmware: secret } }),
        json({ temperature: 1, model: secret, firmware: secret, software: secret }),
        get(`/u/${KEY}/data/report/`, `PASSKEY=A&tempf=50&model=${secret}&stationtype=GW1000`),
        get(`/u/${KEY}/data/report/`, `PASSKEY=A&tempf=50&stationtype=${secret}&note=${secret}`),
        get('/', `ID=a&PASSWORD=${secret}&tempf=50&softwaretype=${secret}&note=${secret}`),
        get('/data/upload.php', `wsid=a&wspw=${secret}&t1tem=1&apiver=${secret}`),
        get(`/u/${KEY}/data/report/`, `PASSKEY=A&tempf=50&x${secret}=1`),
        agent(get(`/u/${KEY}/data/report/`, 'PASSKEY=A&tempf=50'), secret),
        agent(json({ temperature: 1, [secret]: { note: 1 } }), secret),
        get('/automaticreading', `siteid=a&siteAuthenticationKey=${secret}&tempf=1&softwaretype=${secret}`),
      ]) {
        const setting = new Setting();
        await setting.reply(text);
        const [[upload] = []] = setting.received;
        if (upload === undefined) throw new Error(`not received: ${text}`);
        const { fields, device, raw, dialect } = upload;
        const shown = JSON.stringify({ fields, device, raw });
        for (const one of [KEY, spoken]) expect(shown, `${dialect}: ${text}`).not.to.contain(one);
      }
    }
  });

  it('masks a password of any kind wherever it stands in its request, and no other text', async () => {
    for (const [password, note, shown] of [
      ['tulips7', 'my tulips7!', 'my ***!'],
      ['tulips7', 'tulips', 'tulips'],
      // Too short to be told from other text.
      ['50', 'tempf is 50', 'tempf is 50'],
    ] as const) {
      const setting = new Setting();
      await setting.reply(
        `GET /?ID=a&PASSWORD=${password}&tempf=50&note=${encodeURIComponent(note)} HTTP/1.1\r\n\r\n`,
      );
      expect(setting.received[0]?.[0].raw).to.equal(`GET /\nID=a&PASSWORD=***&tempf=50&note=${shown}`);
    }
  });

  it('shows no text of a request with more secrets than it searches for', async () => {
    const { receiver, received } = new Setting();
    const keys = Array.from({ length: 65 }, (_, index) => `secret${index}`);
    const fields = [...keys.map((key) => `key=${key}`), ...keys.map((key) => `note=${key}`)].join('&');
    await receiver.execute(
      requestOf(`GET /?ID=a&PASSWORD=b&tempf=50&softwaretype=WeeWX&${fields} HTTP/1.1\r\n\r\n`),
      '192.0.2.1',
    );
    const [[upload]] = received as [[Upload, Arrival]];
    expect(upload.readings).to.have.lengthOf(1);
    const { raw, fields: unmapped, device } = upload;
    expect(JSON.stringify({ raw, unmapped, device })).not.to.match(/secret\d|WeeWX/);
  });

  it('stores nothing for HEAD', async () => {
    const setting = new Setting();
    for (const text of Object.values(REQUESTS)) {
      const { status } = await setting.reply(text.replace(/^\w+/, 'HEAD'));
      expect(status).to.be.oneOf([200, 204]);
    }
    expect(setting.received).to.have.length(0);
  });

  it('tells browsers what it is for, and refuses what no dialect has', async () => {
    const setting = new Setting();
    for (const [line, status, body] of [
      ['GET /', 200, 'weatherd: weather stations upload here.\n'],
      ['HEAD /', 200, 'weatherd: weather stations upload here.\n'],
      ['GET /favicon.ico', 404, 'not found'],
      ['GET /u/abc/', 404, 'not found'],
      ['POST /', 400, 'bad request'],
      ['GET /?tempf=50', 400, 'bad request'],
      ['GET /weatherstation/updateweatherstation.php', 400, 'bad request'],
      ['GET /automaticreading', 400, 'bad request'],
      ['GET /data/upload.php?wsid=a&wspw=b', 405, 'bad format'],
      ['DELETE /?ID=a&PASSWORD=b', 405, 'method not allowed'],
      ['OPTIONS /', 405, 'method not allowed'],
      ['CONNECT example.org:443', 405, 'method not allowed'],
    ] as const) {
      const reply = await setting.reply(`${line} HTTP/1.1\r\n\r\n`);
      expect([reply.status, reply.body], line).to.deep.equal([status, body]);
      expect(body).to.have.length.at.most(40);
    }
    expect(setting.received).to.have.length(0);
  });

  it('limits the requests of each address, whatever they are', async () => {
    const setting = new Setting(undefined, 3);
    const statuses = async (address: string, texts: readonly string[]) => {
      const replies = [];
      for (const text of texts) replies.push((await setting.reply(text, address)).status);
      return replies;
    };
    const upload = REQUESTS['ecowitt'] ?? '';
    const page = 'GET / HTTP/1.1\r\n\r\n';
    expect(await statuses('192.0.2.1', [upload, page, upload, upload, page])).to.deep.equal([
      200, 200, 200, 429, 429,
    ]);
    expect(await statuses('192.0.2.1', [REQUESTS['wslink'] ?? ''])).to.deep.equal([404]);
    expect(await statuses('192.0.2.2', [upload])).to.deep.equal([200]);
    setting.clock.up += 60_000;
    expect(await statuses('192.0.2.1', [upload])).to.deep.equal([200]);
    expect(setting.received).to.have.length(4);
  });
});
