import { expect } from 'chai';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { createNetatmo } from '#adapters/source-kinds/netatmo.js';
import { tempest } from '#adapters/source-kinds/tempest.js';
import { MachineNetwork } from '#adapters/source-network/network.js';
import type { SourceKind, Span } from '#application/ports/source-kind.js';
import type { StoredRecord, RecordStore } from '#application/ports/record-store.js';
import { AskSource } from '#application/sources/ask-source.js';
import { RunningSource } from '#application/sources/running-source.js';
import { SourceRecords } from '#application/sources/source-records.js';
import type { StoreReports } from '#application/sources/store-reports.js';
import { NO_STATE, type Source } from '#domain/sources/source.js';
import type { Station } from '#domain/weather/station.js';
import { NOW } from '../../support/devices/asked-device.js';
import { CLIENT, type NetatmoService, netatmoService } from '../../support/devices/netatmo.js';
import { failureOf } from '../../support/devices/failure.js';

const [MINUTE, HOUR] = [60_000, 3_600_000];
const station = { timeZone: 'UTC' } as Station;
const { signal } = new AbortController();

/** A store of records in memory. A write fails while `isFull`. */
class Records implements Pick<RecordStore, 'record' | 'put'> {
  readonly #records = new Map<string, StoredRecord>();
  isFull = false;

  record(name: string): Promise<StoredRecord | undefined> {
    return Promise.resolve(this.#records.get(name));
  }

  put(records: readonly StoredRecord[]): Promise<readonly string[]> {
    if (this.isFull) return Promise.reject(new Error('no space'));
    for (const record of records)
      this.#records.set(record.name, { ...record, revision: record.revision + 1 });
    return Promise.resolve([]);
  }
}

describe('a source that is asked by the service', () => {
  let now = NOW;
  let store: Records;
  let records: SourceRecords;
  let ask: AskSource;

  beforeEach(() => {
    now = NOW;
    store = new Records();
    records = new SourceRecords(store as unknown as RecordStore);
    const clock = { now: () => now, uptime: () => now };
    ask = new AskSource(clock, new TemporalCalendar(), new MachineNetwork(), records);
  });

  describe('with a refresh token that is valid once', () => {
    let service: NetatmoService;
    const given = { ...CLIENT, 'refresh-token': 'refresh-0' };

    beforeEach(async () => {
      service = await netatmoService();
    });

    afterEach(async () => {
      await service.close();
    });

    const askedWith = (secrets: Record<string, string>, kind: SourceKind) => ({
      source: { name: 'home', settings: { url: service.url }, mappings: [], allowAnyAddress: true },
      kind,
      station,
      secrets,
    });

    it('has the replaced secrets at the next request, without reading them again', async () => {
      const asked = askedWith({ ...given }, createNetatmo());
      for (let request = 0; request < 3; request += 1) {
        expect(await ask.execute(asked, undefined, signal)).to.have.length(1);
        now += 4 * HOUR;
      }
      expect(asked.secrets['refresh-token']).to.equal('refresh-3');
      expect(await records.secrets('home')).to.deep.equal({ ...CLIENT, 'refresh-token': 'refresh-3' });
    });

    it('keeps the old token if the new one cannot be stored, also over a restart', async () => {
      const asked = askedWith({ ...given }, createNetatmo());
      store.isFull = true;
      const failure = await failureOf(ask.execute(asked, undefined, signal));
      expect(failure.message).to.equal('New secrets of the source could not be stored.');
      expect(asked.secrets).to.deep.equal(given);
      store.isFull = false;
      expect(await ask.execute(askedWith({ ...given }, createNetatmo()), undefined, signal)).to.have.length(
        1,
      );
    });

    it('keeps the token of another process that has asked at the same time, and uses it then', async () => {
      const [one, other] = [
        askedWith({ ...given }, createNetatmo()),
        askedWith({ ...given }, createNetatmo()),
      ];
      const second = new AskSource(
        { now: () => now, uptime: () => now },
        new TemporalCalendar(),
        new MachineNetwork(),
        new SourceRecords(store as unknown as RecordStore),
      );
      let isFirst = true;
      const slow: SourceKind = {
        ...one.kind,
        ask: async (device, span) => {
          const fetch: typeof device.fetch = async (request) => {
            const reply = await device.fetch(request);
            if (isFirst) {
              isFirst = false;
              expect(await second.execute(other, undefined, signal)).to.have.length(1);
            }
            return reply;
          };
          return (await one.kind.ask?.({ ...device, fetch }, span)) ?? [];
        },
      };
      await records.putSecrets('home', given, now);
      const asked = { ...one, kind: slow };
      const failure = await failureOf(ask.execute(asked, undefined, signal));
      expect(failure.message).to.equal('Another process has asked the source with the same secrets.');
      expect(asked.secrets['refresh-token']).to.equal('refresh-2');
      expect(await records.secrets('home')).to.deep.equal({ ...CLIENT, 'refresh-token': 'refresh-2' });
      expect(await ask.execute(asked, undefined, signal)).to.have.length(1);
      expect(await records.secrets('home')).to.deep.equal({ ...CLIENT, 'refresh-token': 'refresh-3' });
    });

    it('knows the newer token when a person gives the replaced one again', async () => {
      await ask.execute(askedWith({ ...given }, createNetatmo()), undefined, signal);
      expect(await records.newestOf('home', given)).to.deep.equal({
        ...CLIENT,
        'refresh-token': 'refresh-1',
      });
      const fresh = { ...CLIENT, 'refresh-token': 'of a new consent' };
      expect(await records.newestOf('home', fresh)).to.deep.equal(fresh);
    });

    it('goes on after a restart with the stored token', async () => {
      await ask.execute(askedWith({ ...given }, createNetatmo()), undefined, signal);
      const stored = { ...given, ...(await records.secrets('home')) };
      expect(await ask.execute(askedWith(stored, createNetatmo()), undefined, signal)).to.have.length(1);
    });
  });

  describe('again and again', () => {
    /** Runs a source of a kind whose reports are not stored. */
    function running(kind: Partial<SourceKind>, secrets: Readonly<Record<string, string>>): RunningSource {
      const source = { name: 'one', settings: {}, mappings: [], allowAnyAddress: true } as unknown as Source;
      const all = { name: 'test', reach: 'local', ...kind } as SourceKind;
      const newest = () => Promise.resolve({ kind: 'stored', reports: [], unknown: [] } as const);
      const past = () => Promise.resolve({ counters: undefined, rain: [] });
      return new RunningSource({ source, kind: all, station, secrets, interval: MINUTE }, NO_STATE, {
        clock: { now: () => now, uptime: () => now },
        ask,
        store: { newest, past } as unknown as StoreReports,
        records,
        sensors: { note: () => undefined },
        count: () => undefined,
        isHolder: () => true,
      });
    }

    it('tells the kind the time of the newest stored report, if there is one', async () => {
      const times: unknown[] = [];
      const source = running(
        {
          ask: ({ since }) => {
            times.push(since);
            return Promise.resolve([{ time: now - 1, readings: [] }]);
          },
        },
        {},
      );
      for (let minute = 0; minute < 2; minute += 1) {
        source.wake(signal);
        await source.close();
        now += 2 * MINUTE;
      }
      expect(times).to.deep.equal([undefined, NOW - 1]);
    });

    it('asks for a single lost report of a kind with amounts, if it can', async () => {
      const lost = async (gapIntervals: number | undefined, secrets: Readonly<Record<string, string>>) => {
        const spans: (Span | undefined)[] = [];
        const history = {
          longest: HOUR,
          secrets: ['token'],
          ...(gapIntervals !== undefined && { gapIntervals }),
        };
        const ofKind: SourceKind['ask'] = (_device, span) => {
          spans.push(span);
          return Promise.resolve([]);
        };
        const source = running({ isPolled: false, history, ask: ofKind }, secrets);
        for (const minute of [0, 1, 3]) await source.receive({ time: NOW + minute * MINUTE, readings: [] });
        source.wake(signal);
        await source.close();
        return [source.state.gaps.length, spans.length];
      };
      const token = { token: 'of a test' };
      // The second request looks for the interval of the archive, which has nothing in the gap.
      expect(await lost(tempest.history?.gapIntervals, token)).to.deep.equal([1, 2]);
      expect(await lost(undefined, token)).to.deep.equal([0, 0]);
      // A gap that nobody can fill is worth a line only if it is an outage.
      expect(await lost(tempest.history?.gapIntervals, {})).to.deep.equal([0, 0]);
    });
  });
});
