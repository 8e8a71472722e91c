import { expect } from 'chai';
import { once } from 'node:events';
import sinon from 'sinon';
import { SOURCE_KINDS } from '#adapters/source-kinds/source-kinds.js';
import type { Calendar } from '#application/ports/calendar.js';
import type { Clock } from '#application/ports/clock.js';
import type { SourceKind, SourceSettings } from '#application/ports/source-kind.js';
import type { SourceNetwork } from '#application/ports/source-network.js';
import { AskSource } from '#application/sources/ask-source.js';
import type { SourceRecords } from '#application/sources/source-records.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import type { Station } from '#domain/weather/station.js';
import { answeringKind } from '../../support/devices/answering-kind.js';
import { rejectionOf } from '../../support/rejection.js';

const STATION = { id: 'roof', timeZone: 'UTC' } as Station;

/** Settings of two sources of one kind, and whether they name the same device. */
const PAIRS: readonly (readonly [
  one: SourceSettings,
  other: SourceSettings,
  port: number,
  isSame: boolean,
])[] = [
  [{ address: '192.168.1.30' }, { address: '192.168.1.30' }, 80, true],
  [{ address: '192.168.1.30' }, { address: '192.168.1.30:80' }, 80, true],
  [{ address: '192.168.1.30' }, { address: '192.168.1.30:8080' }, 80, false],
  [{ address: '192.168.1.30' }, { address: '192.168.1.31' }, 80, false],
  [{ address: '192.168.1.30:45000' }, { address: '192.168.1.30' }, 45_000, true],
  [{ address: '192.168.1.30:80' }, { address: '192.168.1.30' }, 45_000, false],
  [{ address: 'Davis.LAN' }, { address: 'davis.lan:80' }, 80, true],
  [{ address: '[fe80::1]' }, { address: '[FE80:0:0:0:0:0:0:1]:80' }, 80, true],
  [{ address: '[fe80::1]' }, { address: '[fe80::2]' }, 80, false],
  [{ address: '1.2.3.999' }, { address: '1.2.3.999:80' }, 80, true],
  [{ address: 'home.lan' }, { url: 'http://home.lan:8123/' }, 8123, true],
  [{ url: 'http://home.lan' }, { url: 'http://HOME.lan:80/' }, 8123, true],
  [{ url: 'https://home.lan' }, { url: 'https://home.lan:443' }, 8123, true],
  [{ url: 'https://home.lan/one' }, { url: 'https://home.lan/two' }, 8123, false],
  [{ account: 'one' }, { account: 'one' }, 80, true],
  [{ account: 'one' }, { account: 'two' }, 80, false],
  [{}, {}, 80, false],
];

describe('Requests to sources', () => {
  let time: sinon.SinonFakeTimers;
  let ask: AskSource;
  let asked: number[];
  beforeEach(() => {
    time = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const clock: Clock = { now: () => time.now, uptime: () => time.now };
    const network: Pick<SourceNetwork, 'fetch'> = {
      fetch: async (_request, { signal }) => {
        await once(signal, 'abort');
        throw new SourceFailure('The request was ended.');
      },
    };
    ask = new AskSource(clock, {} as Calendar, network as SourceNetwork, {} as SourceRecords);
    asked = [];
  });
  afterEach(() => time.restore());

  const kindOf = (fields: Partial<SourceKind> = {}): SourceKind => ({
    ...answeringKind('davis'),
    ask: () => {
      asked.push(time.now);
      return Promise.resolve([]);
    },
    ...fields,
  });
  const silentKind = () =>
    kindOf({
      ask: async (device) => {
        await device.fetch({ url: 'http://davis.lan/' });
        return [];
      },
    });
  const request = (
    name: string,
    settings: SourceSettings,
    kind = kindOf(),
    span?: { readonly from: number; readonly to: number },
    signal = new AbortController().signal,
  ) => {
    const source = { name, settings, mappings: [], allowAnyAddress: false };
    return ask.execute({ source, kind, station: STATION, secrets: {} }, span, signal);
  };

  for (const [one, other, port, isSame] of PAIRS)
    it(`to ${JSON.stringify(one)} and ${JSON.stringify(other)} are to ${isSame ? 'one device' : 'two devices'}`, async () => {
      const both = [request('a', one, kindOf({ port })), request('b', other, kindOf({ port }))];
      await time.tickAsync(9999);
      expect(asked).to.deep.equal(isSame ? [0] : [0, 0]);
      await time.tickAsync(1);
      await Promise.all(both);
      expect(asked).to.deep.equal(isSame ? [0, 10_000] : [0, 0]);
    });

  it('of several sources with one device are as far apart as the device allows, in the order of the requests', async () => {
    const address = '192.168.1.30';
    const all = ['a', 'b', 'c'].map((name) => request(name, { address }, kindOf({ shortestInterval: 5 })));
    await time.tickAsync(10_000);
    await Promise.all(all);
    expect(asked).to.deep.equal([0, 5000, 10_000]);
    await time.tickAsync(4000);
    const later = request('a', { address }, kindOf({ shortestInterval: 5 }));
    await time.tickAsync(1000);
    await later;
    expect(asked.at(-1)).to.equal(15_000);
  });

  it('of one source, for the past, of other kinds and to services on the internet do not wait for each other', async () => {
    const address = '192.168.1.30';
    await request('a', { address });
    await request('a', { address });
    await request('b', { address }, kindOf(), { from: 0, to: 1 });
    await request('c', { address }, kindOf({ name: 'shelly' }));
    await request('d', { account: 'x' }, kindOf({ reach: 'public' }));
    await request('e', { account: 'x' }, kindOf({ reach: 'public' }));
    expect(asked).to.deep.equal([0, 0, 0, 0, 0, 0]);
  });

  it('that wait end with the service', async () => {
    const stopping = new AbortController();
    await request('a', { address: 'davis.lan' });
    const waiting = rejectionOf(request('b', { address: 'davis.lan' }, kindOf(), undefined, stopping.signal));
    stopping.abort();
    expect(await waiting).to.have.property('message', 'The service stops.');
    expect(asked).to.deep.equal([0]);
  });

  for (const [title, end, message] of [
    ['end after a minute', () => time.tickAsync(60_000), 'The source did not answer within 60 s.'],
    ['end with the service', (stopping) => Promise.resolve(stopping.abort()), 'The service stops.'],
  ] satisfies [string, (stopping: AbortController) => Promise<unknown>, string][])
    it(`that get no answer ${title}`, async () => {
      const stopping = new AbortController();
      const failed = rejectionOf(request('a', {}, silentKind(), undefined, stopping.signal));
      await time.tickAsync(59_999);
      expect(time.countTimers()).to.equal(1);
      await end(stopping);
      expect(await failed).to.have.property('message', message);
      expect(time.countTimers()).to.equal(0);
    });
});

describe('The port of a kind of source', () => {
  for (const kind of SOURCE_KINDS.filter((one) => one.reach === 'local'))
    it(`is the one that ${kind.name} uses`, async () => {
      const ports: number[] = [];
      const device = {
        address: 'device.lan',
        secrets: { token: 'x' },
        fields: ['sensor.x'],
        now: () => 0,
        instant: () => 0,
        fetch: ({ url }: { readonly url: string }) => {
          ports.push(Number(new URL(url).port || 80));
          return Promise.reject(new Error('no device'));
        },
        exchange: (_host: string, port: number) => {
          ports.push(port);
          return Promise.reject(new Error('no device'));
        },
        keep: () => Promise.resolve(),
      };
      await kind.ask?.(device).catch(() => undefined);
      expect([...new Set(ports)]).to.deep.equal([kind.port ?? 80]);
    });
});
