import { expect } from 'chai';
import { backOff } from '#application/back-off.js';
import { BrokerDeliveries, MAX_RETRY_DELAY, type RecordMessage } from '#adapters/broker-mqtt/deliveries.js';
import { BrokerNotices } from '#adapters/broker-mqtt/notices.js';
import type { SourceReadings } from '#application/uploads/source-readings.js';
import { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { mapperOf } from '../../support/mapping.js';

const FIELDS = { t: { variable: 'air_temperature' } };
const STORED = { kind: 'stored', reports: [], unknown: [] } as const;
const NEVER = new AbortController().signal;

describe('deliveries of a broker', () => {
  let now = 0;
  let log: { text: string; fields: Record<string, unknown> }[];
  let recorded: SourceReadings[];
  beforeEach(() => {
    [now, log, recorded] = [0, [], []];
  });

  const deliveriesOf = (source: object, record?: RecordMessage, waited: number[] = []) =>
    new BrokerDeliveries({
      mapper: mapperOf({ topic: 'a/#', station: 'garden', fields: FIELDS, ...source }),
      record: async (readings) => {
        recorded.push(readings);
        return record?.(readings) ?? STORED;
      },
      clock: { now: () => now, uptime: () => now },
      log: {
        info: (fields, text) => log.push({ text, fields: { ...fields } }),
        warn: (fields, text) => log.push({ text, fields: { ...fields } }),
      },
      wait: async (milliseconds) => void waited.push(milliseconds),
    });
  const deliver = (deliveries: BrokerDeliveries, payload: string, topic = 'a') =>
    deliveries.deliver({ topic, payload: Buffer.from(payload), isRetained: false }, NEVER);

  it('drop a repetition within two seconds where the time is that of receipt', async () => {
    const deliveries = deliveriesOf({});
    for (const [at, payload, topic] of [
      [0, '{"t":1}', 'a'],
      [1999, '{"t":1}', 'a'],
      [1999, '{"t":1}', 'a/b'],
      [1999, '{"t":2}', 'a'],
      [4000, '{"t":2}', 'a'],
    ] as const) {
      now = at;
      expect(await deliver(deliveries, payload, topic)).to.equal(true);
    }
    expect(recorded.map(({ time }) => time)).to.deep.equal([0, 1000, 1000, 4000]);
  });

  it('say once that the rain of a station is stored from another sender too', async () => {
    const deliveries = deliveriesOf({}, async () => ({ ...STORED, otherRain: ['key 1'] }));
    for (const temperature of [1, 2]) await deliver(deliveries, `{"t":${temperature}}`);
    expect(log).to.deep.equal([
      {
        text: 'the rain of a station is stored from several senders, so it may be counted twice',
        fields: { source: 'a/#', other: 'key 1' },
      },
    ]);
  });

  it('keep a repetition that has a time, because storing it again changes nothing', async () => {
    const deliveries = deliveriesOf({ time: { path: 'at', format: 'unix' } });
    for (let count = 0; count < 2; count += 1) await deliver(deliveries, '{"t":1,"at":5}');
    expect(recorded).to.have.length(2);
  });

  it('try again as long as the store is away, with growing delays', async () => {
    const waited: number[] = [];
    let left = 7;
    const deliveries = deliveriesOf(
      {},
      async () => {
        left -= 1;
        if (left > 0) throw new DomainError('STORE_UNAVAILABLE', 'down');
        return STORED;
      },
      waited,
    );
    expect(await deliver(deliveries, '{"t":1}')).to.equal(true);
    expect(waited).to.have.length(6);
    expect(deliveries.obstacle).to.equal(undefined);
    expect(log).to.deep.equal([]);
  });

  it('give a message up that the store refuses although it works, and say so', async () => {
    const deliveries = deliveriesOf({}, async () => {
      throw new DomainError('STORE_UNAVAILABLE', 'refused', { callOnly: true });
    });
    expect(await deliver(deliveries, '{"t":1}')).to.equal(true);
    expect(recorded).to.have.length(5);
    expect(log.map(({ text }) => text)).to.deep.equal([
      'a message of the broker could not be stored and is lost',
    ]);
  });

  it('do not begin a message when no attempt is to be made', async () => {
    const message = { topic: 'a', payload: Buffer.from('{"t":1}'), isRetained: false };
    expect(await deliveriesOf({}).deliver(message, AbortSignal.abort())).to.equal(false);
    expect(recorded).to.have.length(0);
  });

  it('name senders and fields without a mapping once', async () => {
    const deliveries = deliveriesOf({ station: { from: 'id', table: { x: 'garden' } } });
    for (let hour = 0; hour < 3; hour += 1) {
      now = hour * MILLISECONDS.hour;
      await deliver(deliveries, '{"id":"x","t":1,"h":2}');
      await deliver(deliveries, '{"id":"x","t":1,"h":2,"w":3}');
      await deliver(deliveries, '{"id":"y","t":1}');
    }
    expect(log).to.deep.equal([
      { text: 'fields without a mapping are ignored', fields: { source: 'a/#', fields: 'h' } },
      { text: 'fields without a mapping are ignored', fields: { source: 'a/#', fields: 'w' } },
      {
        text: 'messages of a sender that is not in the table of stations are ignored',
        fields: { source: 'a/#', sender: 'y' },
      },
    ]);
  });

  it('name a fault once an hour, however the values differ', async () => {
    const deliveries = deliveriesOf({});
    for (let minute = 0; minute < 90; minute += 1) {
      now = minute * MILLISECONDS.minute;
      await deliver(deliveries, `{"t":"warm${minute}"}`);
      await deliver(deliveries, `{${minute}`);
    }
    expect(log.map(({ text, fields }) => [text, fields['fault']])).to.deep.equal([
      ['a value cannot be read', 't: "warm0" is not a number'],
      ['a message of the broker cannot be read', 'the payload is not JSON'],
      ['a value cannot be read', 't: "warm60" is not a number'],
      ['a message of the broker cannot be read', 'the payload is not JSON'],
    ]);
  });

  it('write a bounded log, whatever is sent', async () => {
    const deliveries = deliveriesOf({ station: { from: 'id', table: { x: 'garden' } } });
    const long = 'x'.repeat(5000);
    for (let count = 0; count < 1000; count += 1) {
      await deliver(deliveries, JSON.stringify({ id: `${count}${long}`, t: 1 }));
      await deliver(
        deliveries,
        JSON.stringify({ id: 'x', t: 1, [`${count}${long}`]: 5 }),
        `a/${count}${long}`,
      );
    }
    expect(log.length).to.be.within(1, 400);
    for (const { fields } of log) expect(JSON.stringify(fields).length).to.be.lessThan(1000);
  });

  it('say what the core has left out', async () => {
    const outcomes = [
      { kind: 'stored', reports: ['the rain counter fell'], unknown: ['shed'] },
      { kind: 'refused', reason: 'time', detail: 'The time is in the future.' },
    ] as const;
    const deliveries = deliveriesOf({}, async () => outcomes[recorded.length - 1] ?? STORED);
    await deliver(deliveries, '{"t":1}');
    await deliver(deliveries, '{"t":2}');
    expect(log.map(({ fields }) => fields['station'] ?? fields['report'] ?? fields['reason'])).to.deep.equal([
      'shed',
      'the rain counter fell',
      'The time is in the future.',
    ]);
  });
});

describe('notices', () => {
  it('are limited in a period, at whose end the number of the others is said', () => {
    let now = 0;
    const lines: object[] = [];
    const notices = new BrokerNotices(
      (fields) => lines.push(fields),
      () => now,
      { most: 2, period: 10 },
    );
    for (const source of ['a', 'b', 'c', 'd', 'a']) notices.add('x', { source });
    expect(lines).to.deep.equal([{ source: 'a' }, { source: 'b' }]);
    now = 10;
    notices.add('x', { source: 'a' });
    expect(lines.slice(2)).to.deep.equal([{ count: 2 }, { source: 'a' }]);
  });
});

describe('the delay before another attempt', () => {
  it('doubles up to a minute, and a random half of it is left out', () => {
    const longest = [1, 2, 3, 6, 7, 1000].map((failures) => backOff(failures, MAX_RETRY_DELAY, () => 0));
    expect(longest).to.deep.equal([1000, 2000, 4000, 32_000, 60_000, 60_000]);
    expect(backOff(7, MAX_RETRY_DELAY, () => 1)).to.equal(30_000);
  });
});
