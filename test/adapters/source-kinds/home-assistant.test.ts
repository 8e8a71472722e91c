import { expect } from 'chai';
import { homeAssistant } from '#adapters/source-kinds/home-assistant.js';
import { askedDevice } from '../../support/devices/asked-device.js';
import { failureOf } from '../../support/devices/failure.js';
import { homeAssistantService, TOKEN } from '../../support/devices/home-assistant.js';
import type { HttpDevice } from '../../support/devices/http-device.js';

const [TEMPERATURE, HUMIDITY, PRESSURE] = [
  'sensor.garden_temperature',
  'sensor.garden_humidity',
  'sensor.pressure',
];
const FIELDS = [TEMPERATURE, HUMIDITY, PRESSURE];

describe('Home Assistant', () => {
  const services: HttpDevice[] = [];
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.close()));
  });

  const start = async (options?: Parameters<typeof homeAssistantService>[0]) => {
    const service = await homeAssistantService(options);
    services.push(service);
    return service;
  };
  const device = (address: string, fields: readonly string[] = FIELDS, token = TOKEN) =>
    askedDevice({ address, fields, secrets: { token } });

  it('gives the states of the mapped entities, with their units', async () => {
    const states = {
      [TEMPERATURE]: { state: '70.3', unit: '°F' },
      [HUMIDITY]: { state: '55', unit: '%' },
      [PRESSURE]: { state: '1.2e1', unit: 'lx' },
      'sensor.other': { state: '1' },
    };
    const service = await start({ states });
    const expected = [
      {
        time: undefined,
        readings: [],
        fields: [
          { name: TEMPERATURE, value: 70.3, unit: '°F' },
          { name: HUMIDITY, value: 55, unit: '%' },
          { name: PRESSURE, value: 12 },
        ],
      },
    ];
    expect(await homeAssistant.ask?.(device(service.address))).to.deep.equal(expected);
    const byUrl = askedDevice({ url: `${service.url}/`, fields: FIELDS, secrets: { token: TOKEN } });
    expect(await homeAssistant.ask?.(byUrl)).to.deep.equal(expected);
    expect(service.requests.map(({ path }) => path)).not.to.include('/api/states/sensor.other');
  });

  it('has no value for a state that is unavailable, unknown or no number', async () => {
    const states = { [TEMPERATURE]: { state: 'unavailable', unit: '°C' }, [HUMIDITY]: { state: 'unknown' } };
    const { address } = await start({ states: { ...states, [PRESSURE]: { state: '1013', unit: 'hPa' } } });
    const [report] = (await homeAssistant.ask?.(device(address))) ?? [];
    expect(report?.fields).to.deep.equal([{ name: PRESSURE, value: 1013, unit: 'hPa' }]);
    const { address: other } = await start({ states: { ...states, [PRESSURE]: { state: 'rising' } } });
    expect(await homeAssistant.ask?.(device(other))).to.deep.equal([]);
  });

  it('gives the past at each minute, because a state holds until the next one', async () => {
    const history = {
      [TEMPERATURE]: {
        unit: '°C',
        changes: [
          ['2026-11-27T10:00:00+00:00', '4.0'],
          ['2026-11-27T11:01:30.123456+01:00', 'unavailable'],
          ['2026-11-27T10:03:00+00:00', '4.4'],
        ],
      },
      [HUMIDITY]: { unit: '%', changes: [['2026-11-27T10:02:59+00:00', '81']] },
    } as const;
    const service = await start({ history });
    const span = { from: Date.parse('2026-11-27T10:00:30Z'), to: Date.parse('2026-11-27T10:05:00Z') };
    const reports = (await homeAssistant.ask?.(device(service.address), span)) ?? [];
    const shown = reports.map(({ time = 0, fields = [] }) => [
      new Date(time).toISOString().slice(11, 16),
      ...fields.map(({ value }) => value),
    ]);
    expect(shown).to.deep.equal([
      ['10:01', 4],
      ['10:03', 4.4, 81],
      ['10:04', 4.4, 81],
    ]);
    const url = new URL(service.requests[0]?.path ?? '', 'http://home');
    expect(decodeURIComponent(url.pathname)).to.equal('/api/history/period/2026-11-27T10:00:30.000Z');
    expect(Object.fromEntries(url.searchParams)).to.deep.equal({
      filter_entity_id: FIELDS.join(','),
      end_time: '2026-11-27T10:05:00.000Z',
      significant_changes_only: '0',
      minimal_response: '',
    });
  });

  it('is read whatever the history has', async () => {
    const span = { from: 0, to: 3_600_000 };
    for (const body of [
      [],
      [[]],
      [null, 'text', [null, 1]],
      [[{ state: '1' }]],
      [[{ entity_id: TEMPERATURE, state: '1' }]],
    ]) {
      const { address } = await start({ reply: { body } });
      expect(await homeAssistant.ask?.(device(address), span), JSON.stringify(body)).to.deep.equal([]);
    }
    const { address } = await start({ reply: { status: 404, body: '' } });
    expect((await failureOf(homeAssistant.ask?.(device(address), span))).message).to.contain('no history');
  });

  it('needs an address or a base URL', () => {
    expect(homeAssistant.faultOf?.({})).to.contain('needs an address or a base URL');
    expect(homeAssistant.faultOf?.({ address: 'a', url: 'http://a' })).to.contain('not both');
    expect(homeAssistant.faultOf?.({ address: 'a' })).to.equal(undefined);
    expect(homeAssistant.faultOf?.({ url: 'http://a' })).to.equal(undefined);
  });

  it('fails with a sentence for the owner without entities, and for wrong ones', async () => {
    const { address, requests } = await start({ states: { [TEMPERATURE]: { state: '1' } } });
    for (const [fields, message] of [
      [[], /has no mappings\. Map each entity to read: sensor/],
      [['../config'], /not the id of an entity/],
      [[HUMIDITY], /has no entity sensor\.garden_humidity/],
    ] as const) {
      const failure = await failureOf(homeAssistant.ask?.(device(address, fields)));
      expect(failure.message).to.match(message);
      expect(failure.needsOwner).to.equal(true);
    }
    expect(requests.map(({ path }) => path)).to.deep.equal([`/api/states/${HUMIDITY}`]);
  });

  it('fails with a sentence for a wrong token, another service, and a reply that is cut off', async () => {
    const { address } = await start({ states: {} });
    expect(await failureOf(homeAssistant.ask?.(device(address, FIELDS, 'wrong')))).to.include({
      needsOwner: true,
    });
    const cases = [
      [{ body: { data: null } }, /not that of Home Assistant/],
      [{ body: '<html>' }, /is not JSON/],
      [{ body: { entity_id: TEMPERATURE, state: '1' }, dieAfter: 10 }, /in the middle/],
      ['dead', /closed the connection/],
    ] as const;
    for (const [reply, message] of cases) {
      const other = await start({ reply });
      expect((await failureOf(homeAssistant.ask?.(device(other.address)))).message).to.match(message);
    }
  });
});
