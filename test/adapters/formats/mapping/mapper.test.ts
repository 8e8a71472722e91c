import { expect } from 'chai';
import fc from 'fast-check';
import type { MessageReadings, MessageResult } from '#adapters/formats/mapping/mapper.js';
import type { Mapper } from '#adapters/formats/mapping/mapper.js';
import { mapperOf } from '../../../support/mapping.js';

const NOW = Date.UTC(2026, 10, 21, 15, 25, 40, 250);
const FIELDS = { t: { variable: 'air_temperature', unit: '°C' }, h: { variable: 'relative_humidity' } };
const source = (change: object = {}) => ({ topic: 'a', station: 'garden', fields: FIELDS, ...change });
const send = (mapper: Mapper, payload: string, topic = 'a') =>
  mapper.message(topic, Buffer.from(payload), NOW);
const only = (results: readonly MessageResult[]): MessageResult => {
  expect(results).to.have.length(1);
  return results[0] as MessageResult;
};
const readingsOf = (result: MessageResult): MessageReadings => {
  if (result.kind !== 'readings') throw new Error(JSON.stringify(result));
  return result.readings;
};
const valuesOf = (mapper: Mapper, payload: string, topic?: string) =>
  [...readingsOf(only(send(mapper, payload, topic))).stations].map(([station, readings]) => [
    station,
    ...readings.map(({ variable, unit, value }) => [variable, value, ...(unit === undefined ? [] : [unit])]),
  ]);

describe('mapping a message', () => {
  it('reads numbers and texts of numbers, with scale and offset in the given unit', () => {
    const fields = {
      'sensor.t': { variable: 'air_temperature', unit: '°F', scale: 0.1, offset: 0.3 },
      'list.1': { variable: 'wind_speed', unit: 'kt' },
      'with.point': { variable: 'relative_humidity' },
    };
    const payload = '{"sensor":{"t":"412"},"list":[1,2.5],"with.point":40}';
    expect(valuesOf(mapperOf(source({ fields })), payload)).to.deep.equal([
      ['garden', ['air_temperature', 41.5, '°F'], ['wind_speed', 2.5, 'kt'], ['relative_humidity', 40]],
    ]);
  });

  it('reads points of the compass in every direction that has no scale, and codes for no direction', () => {
    const fields = {
      w: { variable: 'wind_from_direction' },
      g: { variable: 'wind_gust_from_direction' },
      t: { variable: 'air_temperature', unit: '°C' },
      h: { variable: 'relative_humidity' },
    };
    const mapper = mapperOf(source({ fields, missing: ['E'] }));
    const sent = (values: object) => JSON.stringify({ h: 50, ...values });
    const humidity = ['relative_humidity', 50];
    expect(valuesOf(mapper, sent({ w: 'nne', g: 'N' }))).to.deep.equal([
      ['garden', ['wind_from_direction', 22.5], ['wind_gust_from_direction', 360], humidity],
    ]);
    for (const code of [999, '999', 990, 'E']) {
      expect(valuesOf(mapper, sent({ w: code, g: code }))).to.deep.equal([['garden', humidity]]);
    }
    const scaled = mapperOf(source({ fields: { ...fields, w: { ...fields.w, scale: 22.5 } } }));
    for (const values of [{ t: 'N' }, { w: 'N' }]) {
      const result = only(send(scaled, sent(values)));
      expect(result)
        .to.have.property('faults')
        .deep.equal([`${Object.keys(values)[0]}: "N" is not a number`]);
    }
  });

  const VALUES: readonly (readonly [json: string, fault: string | undefined])[] = [
    ['null', undefined],
    ['""', undefined],
    ['-9999', undefined],
    ['"-9999.0"', undefined],
    ['"--"', undefined],
    ['"warm"', 't: "warm" is not a number'],
    ['true', 't: is not a number but true or false'],
    ['[1]', 't: is not a number but a list'],
    ['{"a":1}', 't: is not a number but an object'],
    ['"NaN"', 't: "NaN" is not a number'],
    ['"0x10"', 't: "0x10" is not a number'],
    ['1e999', 't: "Infinity" is not a number'],
    [`"${'9'.repeat(1000)}x"`, `t: "${'9'.repeat(40)}…" is not a number`],
  ];
  for (const [json, fault] of VALUES)
    it(`leaves out ${json.slice(0, 20)}${fault === undefined ? '' : ' and says why'}`, () => {
      const mapper = mapperOf(source({ missing: [-9999, '--'] }));
      const result = only(send(mapper, `{"t":${json},"h":50}`));
      expect(result)
        .to.have.property('faults')
        .deep.equal(fault === undefined ? [] : [fault]);
      expect(readingsOf(result).stations.get('garden')).to.deep.equal([
        { field: 'h', variable: 'relative_humidity', value: 50 },
      ]);
    });

  const PAYLOADS: readonly (readonly [what: string, payload: string, fault: string])[] = [
    ['no JSON', 'abc', 'the payload is not JSON'],
    ['NaN, which is no JSON', '{"t":NaN}', 'the payload is not JSON'],
    ['nothing', ' ', 'the payload is empty'],
    ['a bare number', '5', 'the payload is neither an object nor a list of objects'],
    ['null', 'null', 'the payload is neither an object nor a list of objects'],
    ['deep lists', '['.repeat(60_000), 'the payload is not JSON'],
    ['more than 64 KiB', `{"t":1,"x":"${'x'.repeat(65_536)}"}`, 'the payload has more than 65536 bytes'],
    ['a long list', `[${'{},'.repeat(1000)}{}]`, 'the list has more than 1000 records'],
  ];
  for (const [what, payload, fault] of PAYLOADS)
    it(`says why it cannot read ${what}`, () => {
      expect(send(mapperOf(source()), payload)).to.deep.equal([{ kind: 'unreadable', source: 'a', fault }]);
    });

  it('maps each record of a list', () => {
    const results = send(mapperOf(source()), '[{"t":1},{"t":2}]');
    const values = results.map((result) => readingsOf(result).stations.get('garden')?.[0]?.value);
    expect(values).to.deep.equal([1, 2]);
  });

  it('takes the first field of a variable that has a value, and ignores the others', () => {
    const fields = { a: { variable: 'air_temperature' }, b: { variable: 'air_temperature' } };
    const mapper = mapperOf(source({ fields }));
    expect(valuesOf(mapper, '{"b":2,"a":1}')).to.deep.equal([['garden', ['air_temperature', 1]]]);
    expect(valuesOf(mapper, '{"b":2}')).to.deep.equal([['garden', ['air_temperature', 2]]]);
  });

  it('gives a field to another station where it says so', () => {
    const fields = {
      a: { variable: 'air_temperature' },
      b: { variable: 'air_temperature', station: 'cellar' },
    };
    expect(valuesOf(mapperOf(source({ fields })), '{"a":1,"b":2}')).to.deep.equal([
      ['garden', ['air_temperature', 1]],
      ['cellar', ['air_temperature', 2]],
    ]);
  });

  it('reads the unit from the message, and no value whose unit is not mapped', () => {
    const unit = { path: 'u', units: { C: '°C', F: '°F' } };
    const mapper = mapperOf(source({ fields: { t: { variable: 'air_temperature', unit } } }));
    expect(valuesOf(mapper, '{"t":1,"u":"F"}')).to.deep.equal([['garden', ['air_temperature', 1, '°F']]]);
    for (const payload of ['{"t":1,"u":"K"}', '{"t":1}', '{"t":1,"u":{}}']) {
      const result = only(send(mapper, payload));
      expect(result.kind).to.equal('nothing');
      expect(result).to.have.deep.property('faults', ['t: the mapping has no unit for the text at u']);
    }
  });

  it('hands over rain counters in millimeters, sums that only rise, and the time since the start', () => {
    const fields = {
      r: { rain: 'day', unit: 'in' },
      p: { rain: 'year', gauge: 'piezo', scale: 0.1 },
      n: { variable: 'precipitation_amount', counter: true },
    };
    const readings = readingsOf(
      only(send(mapperOf(source({ fields, runtime: 'up' })), '{"r":"0.01","p":33,"n":7,"up":120}')),
    );
    expect(readings.rain).to.deep.equal({
      station: 'garden',
      counters: [
        { gauge: 'tipping', period: 'day', amount: 0.254 },
        { gauge: 'piezo', period: 'year', amount: 3.3 },
      ],
    });
    expect(readings.runtime).to.equal(120);
    expect(readings.stations.get('garden')).to.deep.equal([
      { field: 'n', variable: 'precipitation_amount', value: 7, counter: true },
    ]);
  });

  it('lists what has no mapping, and nothing that is ignored or used otherwise', () => {
    const mapper = mapperOf(
      source({
        station: { from: ['model', 'id'], table: { 'a/1': 'garden' } },
        ignored: ['mic'],
        time: { path: 'time', format: 'unix' },
      }),
    );
    const result = only(
      send(mapper, '{"model":"a","id":1,"mic":"x","time":5,"t":1,"x":{"y":2},"z":"z","n":null}'),
    );
    expect(result).to.have.deep.property('unmapped', ['x.y', 'z']);
  });

  it('takes any payload without an exception and with a bounded result', () => {
    const mapper = mapperOf(
      source({
        station: { from: ['x.y', '+n'], table: { '1/b': 'garden' } },
        topic: 'a/+n',
        time: { path: 't', format: 'iso', optional: true },
      }),
      source({ topic: '#', payload: 'form' }),
      source({ topic: '#', payload: 'value', value: 't' }),
    );
    const json = fc.json().map((text) => Buffer.from(text));
    const bytes = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(fc.oneof(json, bytes), (payload) => {
        for (const result of mapper.message('a/b', payload, NOW)) {
          expect(JSON.stringify(result).length).to.be.lessThan(20_000);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is not misled by names of the prototype', () => {
    const fields = {
      constructor: { variable: 'air_temperature' },
      '__proto__.t': { variable: 'wind_speed' },
    };
    expect(only(send(mapperOf(source({ fields })), '{"__proto__":{"t":1}}')).kind).to.equal('readings');
    expect(only(send(mapperOf(source({ fields })), '{"x":1}'))).to.deep.include({
      kind: 'nothing',
      faults: [],
    });
  });
});

describe('the time of a message', () => {
  const timed = (time: object | null, value: string) =>
    only(send(mapperOf(source({ time })), `{"t":1,"time":${value}}`));
  const AT = Date.UTC(2026, 10, 21, 15, 25, 38);
  const BERLIN = { path: 'time', format: 'YYYY-MM-DDTHH:mm:ss', zone: 'Europe/Berlin' };

  const TIMES: readonly (readonly [time: object | null, value: string, at: number, isReceiveTime?: true])[] =
    [
      [{ path: 'time', format: 'unix' }, '1795274738', AT],
      [{ path: 'time', format: 'unix' }, '"1795274738.0"', AT],
      [{ path: 'time', format: 'unix-ms' }, '1795274738000', AT],
      [{ path: 'time', format: 'iso' }, '"2026-11-21T16:25:38+01:00"', AT],
      [{ path: 'time', format: 'iso', interval: 600 }, '"2026-11-21T16:15:38+01:00"', AT],
      [{ ...BERLIN, interval: 3600 }, '"2026-11-21T15:25:38"', AT],
      [BERLIN, '"2026-11-21T16:25:38"', AT],
      [BERLIN, '"2026-11-21T16: 25: 38"', AT],
      [null, '"2026-11-21T16:25:38"', NOW - 250, true],
      [{ path: 'time', format: 'iso', optional: true }, '"2026-11-21T16:25:38"', NOW - 250, true],
      [{ path: 'x', format: 'iso', optional: true }, '""', NOW - 250, true],
    ];
  for (const [time, value, at, isReceiveTime = false] of TIMES)
    it(`is read from ${value} as ${JSON.stringify(time)}`, () => {
      const result = readingsOf(timed(time, value));
      expect(result.time).to.equal(at);
      expect(result.isReceiveTime).to.equal(isReceiveTime);
    });

  it('is the end of a day where it is a date beside values of days', () => {
    const timesOf = (fields: object, time: object, text: string) => {
      const mapper = mapperOf(source({ fields, time: { path: 'd', ...time } }));
      const { time: found, isEnd = false } = readingsOf(
        only(send(mapper, JSON.stringify({ d: text, x: 5 }))),
      );
      return [new Date(found).toISOString().slice(0, 16), isEnd];
    };
    const [daily, momentary] = [
      { x: { variable: 'daily_maximum_air_temperature' } },
      { x: { variable: 'air_temperature' } },
    ];
    const date = { format: 'YYYY-MM-DD', zone: 'America/New_York' };
    expect(timesOf(daily, date, '2026-03-08')).to.deep.equal(['2026-03-09T04:00', true]);
    expect(timesOf(daily, { ...date, interval: 86_400 }, '2026-03-08')).to.deep.equal([
      '2026-03-09T04:00',
      true,
    ]);
    expect(timesOf(daily, { ...date, interval: 3600 }, '2026-03-08')).to.deep.equal([
      '2026-03-08T06:00',
      true,
    ]);
    expect(timesOf(momentary, date, '2026-03-08')).to.deep.equal(['2026-03-08T05:00', false]);
    const withTime = { ...date, format: 'YYYY-MM-DD HH:mm' };
    expect(timesOf(daily, withTime, '2026-03-08 00:00')).to.deep.equal(['2026-03-08T05:00', false]);
  });

  it('is the instant nearest to the receipt where a local time occurs twice', () => {
    const mapper = mapperOf(source({ time: BERLIN }));
    const payload = Buffer.from('{"t":1,"time":"2026-10-25T02:30:00"}');
    for (const hour of [0, 1]) {
      const receivedAt = Date.UTC(2026, 9, 25, hour, 30, 5);
      expect(readingsOf(only(mapper.message('a', payload, receivedAt))).time).to.equal(receivedAt - 5000);
    }
  });

  const UNREADABLE: readonly (readonly [time: object, value: string, fault: string])[] = [
    [{ path: 'time', format: 'iso' }, '"2026-11-21T16:25:38"', 'has neither Z nor an offset'],
    [{ path: 'time', format: 'unix' }, 'null', 'time: the record has no time'],
    [{ path: 'time', format: 'unix' }, '[5]', 'time: the record has no time'],
    [BERLIN, '"2026-03-29T02:30:00"', 'does not exist in Europe/Berlin'],
  ];
  for (const [time, value, fault] of UNREADABLE)
    it(`refuses the record with ${value} as ${JSON.stringify(time)}`, () => {
      const result = timed(time, value);
      expect(result.kind).to.equal('unreadable');
      expect(result).to.have.property('fault').that.includes(fault);
    });
});

describe('the sender of a message', () => {
  it('is looked up in the table; others are ignored', () => {
    const mapper = mapperOf(source({ topic: 'a/+mac', station: { from: '+mac', table: { AB: 'garden' } } }));
    expect(only(send(mapper, '{"t":1}', 'a/AB')).kind).to.equal('readings');
    for (const mac of ['ab', '', 'constructor', '__proto__'])
      expect(only(send(mapper, '{"t":1}', `a/${mac}`))).to.deep.equal({
        kind: 'unknown sender',
        source: 'a/+mac',
        sender: mac,
      });
  });

  it('has counters of its own, whatever its number and the length of its name', () => {
    const sender = 'x'.repeat(190);
    const table = { [`${sender}1`]: 'garden', [`${sender}2`]: 'garden' };
    const mapper = mapperOf(source({ station: { from: 'id', table }, fields: { r: { rain: 'total' } } }));
    const idOf = (id: string) => readingsOf(only(send(mapper, JSON.stringify({ id, r: 1 })))).source;
    expect(idOf(`${sender}1`))
      .to.equal(idOf(`${sender}1`))
      .and.not.equal(idOf(`${sender}2`));
    expect(idOf(`${sender}1`).length).to.be.at.most(200);
  });
});

describe('the state of counters', () => {
  const idOf = (mapper: Mapper, payload: string, topic?: string) =>
    readingsOf(only(send(mapper, payload, topic))).source;

  it('is not that of messages without counters, which may have the same time', () => {
    const fields = {
      ...FIELDS,
      r: { rain: 'total' },
      n: { variable: 'lightning_strike_count', counter: true },
    };
    const mapper = mapperOf(source({ fields }));
    const counted = idOf(mapper, '{"r":1}');
    expect(idOf(mapper, '{"t":1,"r":1}')).to.equal(counted);
    expect(idOf(mapper, '{"n":1}')).to.equal(counted);
    expect(idOf(mapper, '{"t":1}')).not.to.equal(counted);
  });

  it('is that of one counter where each has a topic of its own', () => {
    const fields = { r: { rain: 'total' }, n: { variable: 'lightning_strike_count', counter: true } };
    const mapper = mapperOf(source({ topic: 'a/+name', payload: 'value', value: '+name', fields }));
    expect(idOf(mapper, '1', 'a/r'))
      .to.equal(idOf(mapper, '2', 'a/r'))
      .and.not.equal(idOf(mapper, '1', 'a/n'));
  });
});

describe('subscriptions', () => {
  it('are of QoS 1 only where all messages have a time, because others must not be kept by the broker', () => {
    const time = { path: 't', format: 'unix' };
    const mapper = mapperOf(
      source({ topic: 'a/+x', time }),
      source({ topic: 'b' }),
      source({ topic: 'c', time: { ...time, optional: true } }),
      source({ topic: 'a/+y' }),
      source({ topic: undefined, station: undefined, name: 'x', time }),
    );
    expect(mapper.subscriptions).to.deep.equal([
      { filter: 'a/+', qos: 1 },
      { filter: 'b', qos: 0 },
      { filter: 'c', qos: 0 },
    ]);
  });
});

describe('mapping a document of another source', () => {
  const mapper = mapperOf({
    name: 'greenhouse',
    fields: { ...FIELDS, x: { variable: 'wind_speed', station: 'roof' } },
  });

  it('is found by its name, and the sender of the document has the station', () => {
    const [record] = mapper.document('greenhouse', { t: 1, x: 2, y: 'z' }, NOW) ?? [];
    if (typeof record !== 'object') throw new Error(record);
    expect([...record.readings.keys()]).to.deep.equal([undefined, 'roof']);
    expect(record).to.deep.include({
      time: undefined,
      counters: [],
      faults: [],
      fields: [{ name: 'y', value: 'z' }],
    });
  });

  it('gives a reason for what is no object, and nothing for an unknown name', () => {
    expect(mapper.document('greenhouse', 5, NOW)).to.deep.equal([
      'the payload is neither an object nor a list of objects',
    ]);
    expect(mapper.document('x', {}, NOW)).to.equal(undefined);
    // The name of a source of the broker is its topic.
    expect(mapperOf(source()).document('a', { t: 1 }, NOW)).to.equal(undefined);
    expect(mapper.message('greenhouse', Buffer.from('{}'), NOW)).to.deep.equal([]);
  });
});
