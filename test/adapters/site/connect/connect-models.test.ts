import { expect } from 'chai';
import fc from 'fast-check';
import {
  arrivedValues,
  type LightState,
  lightOf,
  lightOfStatus,
  lowBatteries,
  oddities,
  type Sender,
  strangers,
  type UploadStatus,
  waitParts,
  withoutCommands,
} from '#adapters/site/client/admin/connect/light.js';
import {
  type Endpoint,
  endpointsOf,
  fieldsOf,
  MAKES,
  proposedId,
} from '#adapters/site/client/admin/connect/makes.js';
import { CONSOLE_PROFILES } from '#application/uploads/setup/console-profiles.js';
import { rainWarning } from '#domain/uploads/rain-sender.js';
import { DEFAULT_SETTINGS } from '#domain/uploads/upload-key.js';
import { instructionsFor } from '#application/uploads/setup/instructions.js';

describe('warnings on the page', () => {
  it('have no commands', () => {
    const keys = (rains: readonly boolean[]) =>
      rains.map((rain, index) => ({
        number: index + 1,
        station: 1,
        settings: { ...DEFAULT_SETTINGS, rain },
      }));
    for (const rains of [[false], [true, true], [false, true], [true, true, true]]) {
      const [key, ...others] = keys(rains);
      const warning = rainWarning(key!, [key!, ...others]);
      expect(warning).to.include('`weatherd');
      expect(withoutCommands(warning)).to.match(/^(?:No|The|Keys?) [^`]* rain [^`]*[a-z]\.$/);
    }
    expect(withoutCommands(null)).to.equal(null);
  });
});

const KEY = 'k7q2m-x4n9d-3wtfh-p8zra-00000';
const ENDPOINTS = instructionsFor(
  { station: 'garden', key: KEY },
  { plain: { host: '192.168.1.20', port: 8082 }, api: { host: '192.168.1.20', port: 8080, tls: false } },
) as readonly Endpoint[];

describe('makes of consoles', () => {
  it('name each profile of the service, and no other', () => {
    const named = new Set(MAKES.flatMap(({ profiles }) => profiles));
    expect([...named].toSorted()).to.deep.equal(CONSOLE_PROFILES.map(({ profile }) => profile).toSorted());
  });

  for (const make of MAKES)
    it(`${make.name}: has what to type or to copy, and marks what contains the key`, () => {
      const endpoints = endpointsOf(make, ENDPOINTS);
      expect(endpoints.map(({ profile }) => profile)).to.deep.equal(make.profiles);
      if (make.needsNoKey === true) return;
      for (const endpoint of endpoints) {
        const fields = fieldsOf(endpoint, KEY);
        expect(fields.length > 0 || endpoint.text !== undefined, endpoint.profile).to.equal(true);
        for (const { value, isSecret } of fields) expect(isSecret).to.equal(value.includes(KEY));
      }
    });

  it('Ecowitt: the words of its screen, in its order; a chosen value is not copied', () => {
    const endpoint = ENDPOINTS.find(({ profile }) => profile === 'ecowitt')!;
    expect(fieldsOf(endpoint, KEY).map(({ word, value, isTyped }) => [word, value, isTyped])).to.deep.equal([
      ['Protocol Type', 'Ecowitt', false],
      ['Server IP / Hostname', '192.168.1.20', true],
      ['Path', `/u/${KEY}/`, true],
      ['Port', '8082', true],
      ['Upload Interval', '60', true],
    ]);
  });

  it('are left out where an older service does not know their profile', () => {
    expect(endpointsOf(MAKES[0]!, [])).to.deep.equal([]);
  });
});

describe('the proposed id of a station', () => {
  for (const [name, id] of [
    ['Garden', 'garden'],
    ['  Garten in Köln  ', 'garten-in-koln'],
    ['Straße Ø/Ł', 'strasse-o-l'],
    ['日本', ''],
    ['<script>', 'script'],
    ['a'.repeat(70), 'a'.repeat(64)],
  ] as const)
    it(`${name}: ${id}`, () => expect(proposedId(name)).to.equal(id));

  it('is an id that the service accepts, or empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) =>
        /^(?:[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?)?$/.test(proposedId(name)),
      ),
    );
  });
});

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 23, 15, 52, seconds)).toISOString();
const KEY_AT = { number: 1, since: Date.parse(at(0)) };
const STATUS = {
  uses_previous: false,
  last_success: null,
  last_error: null,
  remarks: [],
  rain_report: null,
  rain_warning: null,
  batteries: {},
} as unknown as UploadStatus;
const value = (time: string) => ({ air_temperature: { time, value: 3.5, verdict: 'pass' } }) as const;

describe('the light of a key', () => {
  const failed = (seconds: number) => ({ last_error: { time: at(seconds), reason: 'No.' } });
  const cases: readonly (readonly [
    string,
    Partial<UploadStatus> | undefined,
    string | undefined,
    LightState,
  ])[] = [
    ['nothing', {}, undefined, 'waiting'],
    ['an upload before the key', { last_success: at(-1) }, undefined, 'waiting'],
    ['an upload', { last_success: at(0) }, undefined, 'connected'],
    [
      'an upload with the replaced secret',
      { last_success: at(9), uses_previous: true },
      undefined,
      'waiting',
    ],
    ['a refused upload', failed(5), undefined, 'refused'],
    ['a refusal before the key', failed(-5), undefined, 'waiting'],
    ['an upload after a refusal', { ...failed(5), last_success: at(6) }, undefined, 'connected'],
    ['a value from another sender', {}, at(5), 'waiting'],
    ['a script with the key', { dialect: 'api', last_push: at(5) }, at(5), 'connected'],
    ['a script that has written nothing', { dialect: 'api', last_push: at(5) }, at(-5), 'waiting'],
    ['no rights and no value', undefined, undefined, 'waiting'],
    ['no rights and an old value', undefined, at(-5), 'waiting'],
    ['no rights and a value', undefined, at(5), 'arrived'],
  ];
  for (const [what, status, time, state] of cases)
    it(`${what}: ${state}`, () => {
      const known = status && { ...STATUS, ...status };
      expect(lightOf(KEY_AT, known, time === undefined ? {} : value(time)).state).to.equal(state);
    });

  it('in a list shows the last upload, also with a replaced secret', () => {
    const state = (status: Partial<UploadStatus>) => lightOfStatus({ ...STATUS, ...status }).state;
    expect(state({})).to.equal('waiting');
    expect(state({ last_success: at(9), uses_previous: true })).to.equal('connected');
    expect(state({ dialect: 'api', last_push: at(9) })).to.equal('connected');
    expect(state({ last_success: at(4), ...failed(5) })).to.equal('refused');
    expect(state({ last_success: at(6), ...failed(5) })).to.equal('connected');
  });

  it('names the values of the upload, and no older ones', () => {
    const newest = {
      ...value(at(5)),
      relative_humidity: { time: at(-3600), value: 50, verdict: 'pass' },
    } as const;
    expect(arrivedValues(newest, KEY_AT).map(([variable]) => variable)).to.deep.equal(['air_temperature']);
  });

  it('names at most three senders without a key, of the last hour', () => {
    const sender = (seconds: number) => ({ id: String(seconds), last_seen: at(seconds) }) as Sender;
    const pending = [30, 20, 10, 5, -4000].map(sender);
    expect(strangers(pending, KEY_AT).map(({ id }) => id)).to.deep.equal(['30', '20', '10']);
    expect(strangers([sender(-4000)], KEY_AT)).to.deep.equal([]);
  });

  it('collects what is odd', () => {
    const status = {
      ...STATUS,
      remarks: ['A.'],
      rain_report: { time: at(0), text: 'B.' },
      rain_warning: 'C.',
      batteries: { wh65batt: 'low', wh25batt: 'ok', wh40batt: '1.5 V' },
    };
    expect(oddities(status)).to.deep.equal(['A.', 'B.', 'C.']);
    expect(lowBatteries(status)).to.deep.equal(['wh65batt']);
    expect([waitParts(-5), waitParts(72_900)]).to.deep.equal([
      [0, 0],
      [1, 12],
    ]);
  });
});
