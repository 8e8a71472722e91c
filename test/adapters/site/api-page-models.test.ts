import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Choice, KINDS, requestOf, SPANS } from '#adapters/site/client/docs/requests.js';
import { search } from '#adapters/site/client/docs/search.js';
import { seriesOf } from '#adapters/site/client/docs/series.js';
import {
  clientCallOf,
  curlOf,
  DOCUMENTED,
  formatJson,
  ofService,
  type ShownRequest,
  targetOfRequest,
} from '#adapters/site/client/docs/snippets.js';

const NOW = Date.parse('2026-11-27T08:00:00Z');
const choice = (changes: Partial<Choice>): Choice => ({
  kind: 'observations',
  station: 'JFK',
  variables: ['air_temperature'],
  span: '24h',
  interval: 'day',
  units: '',
  ...changes,
});
const addressOf = (changes: Partial<Choice>, newest: string | undefined) =>
  targetOfRequest(requestOf(choice(changes), newest === undefined ? undefined : Date.parse(newest), NOW));

describe('the requests of the panel', () => {
  for (const [changes, newest, address] of [
    [{ kind: 'stations' }, undefined, '/v1/stations'],
    [{ kind: 'latest', units: 'imperial' }, undefined, '/v1/stations/JFK/observations/latest?units=imperial'],
    [{}, '2026-11-27T07:59:00Z', '/v1/stations/JFK/observations?last=24h&variables=air_temperature'],
    [
      { variables: ['a', 'b'], span: '7d' },
      '2013-12-31T00:00:00Z',
      '/v1/stations/JFK/observations?from=2013-12-24T00:00:01Z&to=2013-12-31T00:00:01Z&variables=a,b',
    ],
    [
      { kind: 'summaries', interval: 'month', span: '365d' },
      undefined,
      '/v1/stations/JFK/summaries?interval=month&last=365d&variables=air_temperature',
    ],
    [{ kind: 'usual', variables: [] }, undefined, '/v1/stations/JFK/climate/usual'],
  ] as const)
    it(`are ${address}`, () => {
      expect(addressOf(changes, newest)).to.equal(address);
    });

  it('stay within the service, whatever the visitor types', () => {
    const choices = fc.record({
      kind: fc.constantFrom(...(Object.keys(KINDS) as Choice['kind'][])),
      station: fc.string({ unit: fc.constantFrom('a', '/', '?', '#', '.', ':', '%', '\\', 'é') }),
      variables: fc.array(fc.string()),
      span: fc.constantFrom(...(Object.keys(SPANS) as Choice['span'][])),
    });
    fc.assert(
      fc.property(choices, (chosen) => {
        const { path, params, query } = requestOf(choice(chosen), undefined, NOW);
        const url = new URL(targetOfRequest({ path, params, query }), 'http://service');
        expect(url.host).to.equal('service');
        // A URL removes the segments `.` and `..`, which no station has as its id.
        if (!/^\.{0,2}$/.test(chosen.station))
          expect(url.pathname.split('/')).to.have.length(path.split('/').length);
        expect(Object.fromEntries(url.searchParams)).to.deep.equal(query);
      }),
    );
  });
});

/** Texts that are hostile to a shell or to a script. */
const hostile = fc.string({ unit: fc.constantFrom(...Array.from('ab\'"`$\\\n\r (){};&|<>\u2028')) });

describe('the texts of a request', () => {
  it('are one argument of a shell', () => {
    const addresses = fc.sample(hostile, 40);
    const commands = addresses
      .map((address) => curlOf(address).replace(/^curl/, "printf '%s\\0'"))
      .join('\n');
    expect(execFileSync('sh', ['-c', commands], { encoding: 'utf8' }).split('\0').slice(0, -1)).to.deep.equal(
      addresses,
    );
  });

  it('are a call with the same parameters', () => {
    const records = fc.dictionary(fc.constantFrom('id', 'last', 'units'), hostile);
    fc.assert(
      fc.property(records, records, (params, query) => {
        const request: ShownRequest = { path: '/v1/stations', params, query };
        const code = clientCallOf(request).replace('const reply = await ', '');
        const get = (...call: readonly unknown[]) => JSON.stringify(call);
        const given = {
          ...(Object.keys(params).length > 0 && { path: params }),
          ...(Object.keys(query).length > 0 && { query }),
        };
        const expected = Object.keys(given).length === 0 ? ['/v1/stations'] : ['/v1/stations', given];
        expect(JSON.parse(runInNewContext(code, { client: { get } }) as string)).to.deep.equal(expected);
      }),
    );
  });

  it('have ids as texts, and numbers only in the query', () => {
    const request = { path: '/v1/stations/{id}/summaries', params: { id: '10147' }, query: { points: '50' } };
    expect(clientCallOf(request)).to.include("path: { id: '10147' }").and.include('query: { points: 50 }');
  });

  it('are the same for another service and another station, and run no words of its id', () => {
    const path = '/v1/stations/{id}/observations';
    const textsOf = (origin: string, id: string) => {
      const request = { path, params: { id }, query: { last: '24h' } };
      return [curlOf(origin + targetOfRequest(request)), clientCallOf(request)] as const;
    };
    const [shell, call] = textsOf(DOCUMENTED.origin, DOCUMENTED.station);
    const origin = 'https://weather.example';
    expect([shell, call].map((text) => ofService(text, origin, ''))).to.deep.equal(
      textsOf(origin, DOCUMENTED.station),
    );
    const ids = fc.sample(hostile, 40).filter((id) => id !== '');
    for (const id of ids) expect(ofService(call, origin, id)).to.equal(textsOf(origin, id)[1]);
    const commands = ids.map((id) => ofService(shell, origin, id).replace(/^curl/, "printf '%s\\0'"));
    const targets = execFileSync('sh', ['-c', commands.join('\n')], { encoding: 'utf8' })
      .split('\0')
      .slice(0, -1);
    expect(targets.map((target) => decodeURIComponent(new URL(target).pathname))).to.deep.equal(
      ids.map((id) => `/v1/stations/${id}/observations`),
    );
  });

  it('are JSON with the same content, in short lines', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(formatJson(value))).to.deep.equal(JSON.parse(JSON.stringify(value)));
      }),
    );
    const lines = formatJson({ time: Array.from({ length: 100 }, (_, index) => index), unit: '°C' }).split(
      '\n',
    );
    expect(lines).to.have.length.below(15);
    expect(Math.max(...lines.map((line) => line.length))).to.be.below(70);
  });
});

describe('the search over the operations', () => {
  const operations = [
    {
      title: 'get /v1/stations find stations',
      names: ['near', 'REQUEST_INVALID'],
      text: 'stations near a place',
    },
    {
      title: 'get /v1/summaries summarize',
      names: ['interval', 'STATION_UNKNOWN'],
      text: 'of a station by day',
    },
  ];
  for (const [query, found] of [
    ['', [{ index: 0 }, { index: 1 }]],
    ['GET summaries', [{ index: 1 }]],
    ['inter', [{ index: 1, name: 'interval' }]],
    ['station_unknown', [{ index: 1, name: 'STATION_UNKNOWN' }]],
    // Only the description has the word.
    ['place', [{ index: 0 }]],
    ['nothing', []],
  ] as const)
    it(`finds ${found.length} for "${query}"`, () => {
      expect(search(operations, query)).to.deep.equal(found);
    });
});

describe('the charts of the panel', () => {
  it('have the values of a reply that passed, and its gaps', () => {
    const [series, ...others] = seriesOf(
      'observations',
      {
        units: { air_temperature: '°C' },
        observations: {
          time: ['00:00', '00:10', '00:20', '03:00'].map((time) => `2026-01-01T${time}:00Z`),
          air_temperature: [1, 99, 3, 4],
          wind_speed: [null, null, null, null],
        },
        quality: [{ variable: 'air_temperature', index: 1, verdict: 'fail', checks: ['range'] }],
      },
      'UTC',
    );
    expect(others).to.deep.equal([]);
    expect(series).to.include({ variable: 'air_temperature', unit: '°C', ink: 'temperature', shape: 'line' });
    expect(series?.values).to.deep.equal([1, undefined, 3, 4]);
    expect(series?.gaps).to.have.length(1);
  });

  it('have means with extremes, and sums as bars', () => {
    const days = ['01', '02', '03'].map((day) => ({
      start: `2026-01-${day}T00:00:00Z`,
      end: `2026-01-${day}T24:00:00Z`,
      complete: true,
      air_temperature: day === '02' ? { count: 0, mean: null } : { mean: 2, min: 1, max: 3 },
      precipitation_amount: { sum: 4 },
      wind_speed_of_gust: { max: 9 },
    }));
    const found = seriesOf('summaries', { summaries: days }, 'UTC');
    expect(found.map(({ variable, shape, values }) => [variable, shape, values])).to.deep.equal([
      ['air_temperature', 'line', [2, undefined, 2]],
      ['precipitation_amount', 'bars', [4, 4, 4]],
      ['wind_speed_of_gust', 'line', [9, 9, 9]],
    ]);
    expect(found[0]?.highs).to.deep.equal([3, undefined, 3]);
    expect(found.map(({ gaps }) => gaps.length)).to.deep.equal([1, 0, 0]);
  });

  it('have the band of the usual values, on dates without a year', () => {
    const reply = {
      dates: ['02-28', '02-29', '03-01'],
      wind_speed: { p10: [1, 1, 1], p50: [2, 2, 2], p90: [3, 3, 3] },
    };
    const [series] = seriesOf('usual', reply, 'Asia/Tokyo');
    expect(series).to.include({ hasNoYear: true, zone: 'UTC' });
    expect(series?.lows).to.deep.equal([1, 1, 1]);
    expect(series?.times.map((time, index, all) => time - (all[index - 1] ?? time))).to.deep.equal([
      0, 864e5, 864e5,
    ]);
  });

  it('are none of a reply of any other shape', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('observations', 'summaries', 'usual', 'latest'),
        fc.oneof(
          fc.jsonValue(),
          fc.array(fc.dictionary(fc.constantFrom('toString', 'variable', 'index'), fc.jsonValue())),
        ),
        (kind, value) => {
          for (const reply of [
            value,
            { observations: value },
            { summaries: [value] },
            { dates: value, x: value },
            { observations: {}, quality: value },
            { observations: {}, quality: [{ variable: value, index: value }] },
          ])
            expect(seriesOf(kind, reply, 'UTC')).to.be.an('array');
        },
      ),
    );
  });
});
