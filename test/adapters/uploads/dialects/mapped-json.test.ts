import { expect } from 'chai';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { Mapper } from '#adapters/formats/mapping/mapper.js';
import { readMapping } from '#adapters/formats/mapping/read-mapping.js';
import { mappedJson } from '#adapters/uploads/dialects/mapped-json.js';
import { readUpload } from '#adapters/uploads/request/raw-upload.js';

const MAPPING = {
  sources: [
    {
      name: 'greenhouse',
      time: { path: 'ts', format: 'unix-ms' },
      fields: {
        'bme.temp': { variable: 'air_temperature', unit: '°F' },
        rain_total: { rain: 'total', unit: 'in' },
        soil: { variable: 'soil_temperature', station: 'bed' },
      },
    },
    { topic: 'a/b', station: 'bed', fields: { t: { variable: 'air_temperature' } } },
  ],
};
const DOCUMENT = { ts: 1_795_000_000_000, bme: { temp: 68, hum: 40 }, rain_total: 2, soil: 9 };

const found = readMapping(MAPPING, () => true);
if ('faults' in found) throw new Error(found.faults.join());
const dialect = mappedJson(new Mapper(found.mapping, new TemporalCalendar()), { now: () => 0 });
const request = (target: string, body: string) =>
  readUpload({ method: 'POST', target, headers: new Map(), body: Buffer.from(body) });

describe('JSON that the mapping file describes', () => {
  it('is taken by the name of its source at the end of the path', () => {
    const recognized = ['/u/k/greenhouse', '/u/k/greenhouse/', '/u/k/', '/u/k/a/b', '/u/k/other'].filter(
      (target) => dialect.recognizes(request(target, JSON.stringify(DOCUMENT))),
    );
    expect(recognized).to.deep.equal(['/u/k/greenhouse', '/u/k/greenhouse/']);
    expect(dialect.recognizes(request('/u/k/greenhouse', 'temp=3'))).to.equal(false);
  });

  it('gives readings and counters of the station of the key, and lists what is not its own', () => {
    const [upload, ...others] = dialect.read(request('/u/k/greenhouse', JSON.stringify(DOCUMENT)));
    expect(others).to.deep.equal([]);
    expect(upload).to.deep.include({
      sender: { key: 'k' },
      time: { sent: 1_795_000_000_000, isLive: false },
      readings: [{ field: 'bme.temp', variable: 'air_temperature', unit: '°F', value: 68 }],
      counters: [{ gauge: 'tipping', period: 'total', amount: 50.8 }],
      fields: [
        { name: 'bme.hum', value: 40 },
        { name: 'soil', value: 9 },
      ],
    });
  });

  it('has a record in each object of a list, and is refused whole where one has no time', () => {
    const read = (document: unknown) => dialect.read(request('/u/k/greenhouse', JSON.stringify(document)));
    expect(read([DOCUMENT, { ...DOCUMENT, ts: 1_795_000_060_000 }])).to.have.lengthOf(2);
    const cannot = 'The JSON cannot be stored';
    const secret = '0123456789abcdefghjkmnpqrs';
    for (const [document, reason] of [
      [[DOCUMENT, { bme: { temp: 68 } }], `${cannot}, object 2 of 2: ts: the record has no time.`],
      [{ ...DOCUMENT, ts: 'yesterday' }, `${cannot}: ts: "yesterday" is not a number of milliseconds.`],
      [
        { ...DOCUMENT, ts: `${'-'.repeat(30)}${secret}` },
        `${cannot}: ts: "${'-'.repeat(30)}***" is not a number of milliseconds.`,
      ],
      [[], 'The JSON has no object that can be stored.'],
      [[null], `${cannot}: the payload is neither an object nor a list of objects.`],
    ] as const)
      expect(read(document)).to.equal(reason);
    expect(dialect.read(request('/u/k/greenhouse', '{"ts":'))).to.equal(
      'The body begins like JSON, but it is not valid JSON.',
    );
  });
});
