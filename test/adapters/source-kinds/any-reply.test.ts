import { expect } from 'chai';
import { ecowittCloud } from '#adapters/source-kinds/ecowitt-cloud.js';
import { ecowittTcpKind } from '#adapters/source-kinds/ecowitt-tcp.js';
import { ecowittKind } from '#adapters/source-kinds/ecowitt.js';
import { homeAssistant } from '#adapters/source-kinds/home-assistant.js';
import { shelly } from '#adapters/source-kinds/shelly.js';
import type { SourceKind } from '#application/ports/source-kind.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { askedDevice, NOW } from '../../support/devices/asked-device.js';
import { KEYS, MAC, REAL_TIME } from '../../support/devices/ecowitt-cloud.js';
import { GOLDEN, packet } from '../../support/devices/ecowitt-tcp.js';
import { LIVE, SENSORS } from '../../support/devices/ecowitt.js';
import { askWithMutations, faultsOf } from '../../support/devices/mutated-replies.js';
import { STATUS } from '../../support/devices/shelly.js';

const SPAN = { from: NOW - 3_600_000, to: NOW };
const device = askedDevice({
  address: '127.0.0.1',
  account: MAC,
  secrets: { ...KEYS, token: 'x' },
  fields: ['sensor.a'],
});

/** A kind without the fields that are texts, which may be any text. */
function withNumbers(kind: SourceKind): SourceKind {
  return {
    ...kind,
    ask: async (...asked) =>
      ((await kind.ask?.(...asked)) ?? []).map((report) => ({
        ...report,
        fields: report.fields?.filter(({ value }) => typeof value === 'number') ?? [],
      })),
  };
}

describe('Kinds of sources with any reply', () => {
  const live = ({ url }: { readonly url: string }) => (url.includes('livedata') ? LIVE : undefined);
  const changes = [
    {
      entity_id: 'sensor.a',
      state: '1',
      attributes: { unit_of_measurement: '°C' },
      last_updated: '2026-11-27T11:30:00Z',
    },
    { state: '2', last_changed: '2026-11-27T11:40:00Z' },
  ];
  const list = { unit: '℃', list: { '1795780200': '9.1', '1795780500': '9.2' } };
  const history = { outdoor: { temperature: list }, rainfall: { daily: { ...list, unit: 'mm' } } };
  const check = (
    title: string,
    kind: () => SourceKind,
    reply: unknown,
    ...rest: [
      spans?: Parameters<typeof askWithMutations>[3],
      replyTo?: Parameters<typeof askWithMutations>[4],
    ]
  ) =>
    it(`${title} give valid reports or fail with a sentence`, async () => {
      const { faults, count } = await askWithMutations(withNumbers(kind()), device, reply, ...rest);
      expect(count).to.be.greaterThan(20);
      expect(faults).to.deep.equal([]);
    });

  check('live data of an Ecowitt gateway', ecowittKind, LIVE);
  check('states of sensors of an Ecowitt gateway', ecowittKind, SENSORS['1'], undefined, live);
  check(
    'lists of a memory card',
    ecowittKind,
    {
      info: { Interval: '5' },
      file_list: [
        { name: '202611A.csv', type: '1' },
        { name: 'log', type: '2' },
      ],
    },
    [SPAN],
  );
  check('values of the cloud of Ecowitt', () => ecowittCloud, { code: 0, msg: 'success', data: REAL_TIME });
  check('the past in the cloud of Ecowitt', () => ecowittCloud, { code: 0, data: history }, [SPAN]);
  check('the status of a Shelly', () => shelly, STATUS);
  check('the state of an entity', () => homeAssistant, changes[0]);
  check('the history of an entity', () => homeAssistant, [changes], [SPAN]);

  it('replies of an Ecowitt gateway over TCP give valid reports or fail with a sentence', async () => {
    const data = GOLDEN.subarray(5, -1);
    for (let at = 0; at < data.length; at += 1)
      for (const byte of [0, 0x7f, 0x80, 0xff]) {
        const changed = Buffer.from(data);
        changed[at] = byte;
        for (const reply of [
          packet(0x27, changed.toString('hex')),
          Buffer.concat([GOLDEN.subarray(0, at), changed]),
        ])
          try {
            const asked = { ...device, exchange: () => Promise.resolve(reply) };
            expect(faultsOf((await ecowittTcpKind().ask?.(asked)) ?? [])).to.deep.equal([]);
          } catch (error) {
            if (!(error instanceof SourceFailure)) throw error;
          }
      }
  });
});
