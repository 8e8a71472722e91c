import { expect } from 'chai';
import { PRESETS } from '#adapters/formats/mapping/presets/index.js';
import { matchTopic, readTopicPattern } from '#adapters/formats/mapping/topic-pattern.js';
import { mapperOf, mappingFaults } from '../../../support/mapping.js';

const FIELDS = { t: { variable: 'air_temperature' } };
const source = (change: object) => ({ topic: 'a/+node/b', station: 'garden', fields: FIELDS, ...change });
const faultsOf = (...changes: object[]) => mappingFaults({ sources: changes.map(source) });

describe('reading a mapping file', () => {
  it('reports all faults at once, each with its place and the nearest name', () => {
    const faults = faultsOf(
      { fields: { t: { variable: 'air_temprature' }, 'a.b': { variable: 'wind_speed', unit: 'knots' } } },
      { statoin: 'garden', time: { path: 't', format: 'unix', zon: 'UTC' } },
      { preset: 'tasmotta' },
    );
    expect(faults).to.deep.equal([
      'sources[0].fields.t.variable: there is no variable "air_temprature". Did you mean "air_temperature"?',
      'sources[0].fields["a.b"].unit: wind_speed cannot be in knots, only in: m/s, km/h, mph, kt.',
      'sources[1].time.zon: this key does not exist. Did you mean "zone"?',
      'sources[1].statoin: this key does not exist. Did you mean "station"?',
      'sources[2].preset: there is no preset "tasmotta". Did you mean "tasmota"? ' +
        'Presets: weewx-mqtt, rtl_433, ecowitt, tasmota, zigbee2mqtt, esphome.',
    ]);
  });

  const FAULTS: readonly (readonly [what: string, change: object, fault: RegExp])[] = [
    ['a file that is a list', [], /^: Must be an object$/],
    ['no source', { sources: [] }, /^sources: must have a source/],
    [
      'another key of the file',
      { sources: [source({})], source: [] },
      /^source: this key does not exist\. Did you mean "sources"/,
    ],
    ['neither topic nor name', source({ topic: undefined }), /^sources\[0\]: must have either topic/],
    ['no station', source({ station: undefined }), /station: is missing/],
    ['an impossible station', source({ station: 'a b' }), /station\.id: A station id has/],
    [
      'an impossible station in a table',
      source({ station: { from: '+node', table: { x: '/' } } }),
      /station\.table\.x: A station id has/,
    ],
    ['a station that is a number', source({ station: 5 }), /station: must be the id of a station, or/],
    [
      'an unknown capture',
      source({ station: { from: '+nod', table: {} } }),
      /station\.from: the topic has no level "\+nod"\. Did you mean "\+node"/,
    ],
    [
      'an unknown capture of a value',
      source({ payload: 'value', value: '+x' }),
      /value: the topic has no level/,
    ],
    ['a topic with # in the middle', source({ topic: 'a/#/b' }), /topic: # must be the whole last level/],
    ['a topic with + in a word', source({ topic: 'a/b+' }), /topic: the level "b\+" must be/],
    ['two captures with one name', source({ topic: '+a/+a' }), /topic: two levels have the same name/],
    ['no field', source({ fields: {} }), /fields: must have at least one field/],
    [
      'a field without a quantity',
      source({ fields: { t: {} } }),
      /fields\.t: must have either variable or rain/,
    ],
    [
      'a unit of another variable',
      source({ fields: { t: { rain: 'day', unit: 'hPa' } } }),
      /fields\.t\.unit: must be one of mm, cm, in/,
    ],
    [
      'a unit by text of a rain counter',
      source({ fields: { t: { rain: 'day', unit: { path: 'u', units: { a: 'mm' } } } } }),
      /unit: must be one of mm, cm, in/,
    ],
    ['an unknown period', source({ fields: { t: { rain: 'days' } } }), /rain: must be one of event, day/],
    [
      'an offset of a rain counter',
      source({ fields: { t: { rain: 'day', offset: 1 } } }),
      /offset: must not be set for a rain counter/,
    ],
    [
      'a gauge without a counter',
      source({ fields: { t: { variable: 'wind_speed', gauge: 'piezo' } } }),
      /gauge: must only be set for a rain counter/,
    ],
    [
      'a pattern without a zone',
      source({ time: { path: 't', format: 'YYYY-MM-DD HH:mm' } }),
      /time\.zone: is missing/,
    ],
    [
      'a zone without a pattern',
      source({ time: { path: 't', format: 'unix', zone: 'UTC' } }),
      /time\.zone: must not be set for the format unix/,
    ],
    [
      'an unknown zone',
      source({ time: { path: 't', format: 'YYYY-MM-DD', zone: 'Europe/Brelin' } }),
      /time\.zone: there is no time zone "Europe\/Brelin"/,
    ],
    ['an unknown format', source({ time: { path: 't', format: 'rfc' } }), /time\.format: must be unix/],
    ['a preset that is a number', source({ preset: 1 }), /preset: must be a text/],
    ['a form over HTTP', source({ topic: undefined, name: 'x', payload: 'form' }), /payload: must be json/],
  ];
  for (const [what, change, fault] of FAULTS)
    it(`refuses ${what}`, () => {
      const content = 'topic' in change ? { sources: [change] } : change;
      const faults = mappingFaults(content);
      expect(faults).to.have.length(1);
      expect(faults[0]).to.match(fault);
    });

  it('refuses two sources over HTTP with one name', () => {
    const named = { topic: undefined, station: undefined, name: 'x' };
    expect(faultsOf(named, named)).to.deep.equal(['sources[1].name: two sources have the name "x"']);
  });

  it('merges the fields of a source with those of its preset, and null removes one', () => {
    const mapper = mapperOf({
      preset: 'zigbee2mqtt',
      station: 'garden',
      fields: { humidity: null, temperature: { variable: 'soil_temperature' } },
    });
    const [result] = mapper.message(
      'zigbee2mqtt/x',
      Buffer.from('{"temperature":1,"humidity":2,"pressure":3}'),
      0,
    );
    expect(result).to.have.nested.property('readings.stations');
    const readings = result?.kind === 'readings' ? [...(result.readings.stations.get('garden') ?? [])] : [];
    expect(readings.map(({ variable, value }) => [variable, value])).to.deep.equal([
      ['soil_temperature', 1],
      ['surface_air_pressure', 3],
    ]);
  });

  for (const preset of Object.keys(PRESETS))
    it(`has the preset ${preset}, which needs no more than a station`, () => {
      expect(mappingFaults({ sources: [{ preset, station: 'garden' }] })).to.deep.equal([]);
    });
});

describe('topic patterns', () => {
  const CASES: readonly (readonly [pattern: string, topic: string, captures: object | undefined])[] = [
    ['a/b', 'a/b', {}],
    ['a/b', 'a/c', undefined],
    ['a/b', 'a/b/c', undefined],
    ['a/b', 'a', undefined],
    ['a/+x/c', 'a/b/c', { '+x': 'b' }],
    ['a/+/c', 'a/b/c', { '+': 'b' }],
    ['+x/+y', '/b', { '+x': '', '+y': 'b' }],
    ['a/#', 'a/b/c', {}],
    ['a/#', 'a', {}],
    ['#', 'a/b', {}],
    ['a/+x/#', 'a', undefined],
  ];
  for (const [text, topic, captures] of CASES)
    it(`${text} ${captures === undefined ? 'does not match' : 'matches'} ${topic}`, () => {
      const pattern = readTopicPattern(text);
      if (typeof pattern === 'string') throw new Error(pattern);
      const matched = matchTopic(pattern, topic);
      expect(matched && Object.fromEntries(matched)).to.deep.equal(captures);
    });
});
