import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { EventDelivery } from '#application/observations/live/event-delivery.js';
import { EventRing } from '#application/observations/live/event-ring.js';
import type { LiveEncoder, LiveEvent } from '#application/observations/live/live-event.js';
import { LiveReader, type LiveSource } from '#application/observations/live/live-reader.js';
import { Selections } from '#application/observations/live/selections.js';
import { StreamSlots } from '#application/observations/live/stream-slots.js';
import type { WantedStations } from '#application/observations/live/wanted-stations.js';
import { WritesFirst } from '#application/observations/live/writes-first.js';
import { StationState } from '#domain/weather/station-state.js';
import type { Station } from '#domain/weather/station.js';
import { STATION } from '../../../support/weather-world.js';

interface Received {
  readonly position?: string;
  readonly station?: number;
  readonly from?: number;
  readonly to?: number;
  readonly reset?: string;
}

const bytes = (content: Received) => Buffer.from(`${JSON.stringify(content)}\n`);
const ENCODER: LiveEncoder = {
  key: 'json',
  change: ({ station, from, to }, position) =>
    bytes({ station: station.number, from, to, ...(position !== undefined && { position }) }),
  reset: (reset, position) => bytes({ reset, position }),
  forecast: ({ number }) => bytes({ station: number }),
  opening: (position) => bytes({ position }),
  keepAlive: (position) => bytes(position === undefined ? {} : { position }),
};

const stationNumbered = (number: number): Station => ({ ...STATION, id: `s${number}`, number });

/** A ring, and readers of all stations whose connections the test controls. */
class Scene {
  readonly ring: EventRing;
  readonly source: LiveSource;
  readonly changes: { readonly station: number; readonly at: number; readonly sequence: number }[] = [];

  constructor(capacity?: number) {
    this.ring = new EventRing(capacity);
    this.source = {
      ring: this.ring,
      positionOf: (sequence) => `p-${sequence}`,
      present: (station) => station,
    };
  }

  /** @param stations numbers of the stations that the reader wants; undefined means all */
  reader(stations?: readonly number[]) {
    const received: Received[] = [];
    const line = { isOpen: true, isCut: false, hasEnded: false };
    const sink = {
      write: (written: Uint8Array) => {
        const lines = Buffer.from(written).toString().trim().split('\n');
        received.push(...lines.map((one) => JSON.parse(one) as Received));
        return line.isOpen;
      },
      end: () => void (line.hasEnded = true),
      cut: () => void (line.isCut = true),
    };
    const wanted: WantedStations = {
      key: String(stations),
      included: { recent: false, rain: false, alarms: false },
      ids: stations?.map((number) => `s${number}`),
      matches: ({ number }) => stations?.includes(number) ?? true,
    };
    return { reader: new LiveReader(wanted, ENCODER, sink, this.source), received, line, wanted };
  }

  /** Adds events of these stations together. */
  add(stations: readonly number[], at: number): LiveEvent[] {
    const newest = new StationState().describe(0, 1);
    const events = stations.map((number) =>
      this.ring.add(stationNumbered(number), { from: at, to: at }, newest, 0),
    );
    for (const { sequence, station } of events) this.changes.push({ station: station.number, at, sequence });
    return events;
  }

  /** Adds events of these stations together, and offers them. */
  change(stations: readonly number[], at: number, readers: readonly LiveReader[]): void {
    const before = this.ring.last;
    const events = this.add(stations, at);
    const written = Buffer.concat(events.map((event) => event.bytes(ENCODER, `p-${event.sequence}`)));
    for (const reader of readers) reader.offer(written, before, this.ring.last);
  }

  /**
   * The changes that neither these events nor a stream resumed at their last position contain.
   *
   * @param after sequence number of the event after which the stream began
   */
  lost(received: readonly Received[], wanted?: WantedStations, after = 0): unknown[] {
    const position = received.findLast((one) => one.position !== undefined)?.position ?? '';
    const resumedAfter = Number(position.split('-')[1]);
    return this.changes.filter(
      ({ station, at, sequence }) =>
        sequence > after &&
        sequence <= resumedAfter &&
        wanted?.matches(stationNumbered(station)) !== false &&
        !received.some(
          (one) => one.station === station && (one.from as number) <= at && (one.to as number) >= at,
        ),
    );
  }
}

const command = fc.oneof(
  fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
  fc.constantFrom('open', 'close', 'visit'),
);

describe('LiveReader', () => {
  it('loses no change, whenever its connection is slow and wherever the line breaks', () => {
    let late = 0;
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const scene = new Scene();
        const { reader, received, line } = scene.reader();
        reader.begin(0);
        const pull = () => {
          line.isOpen = true;
          reader.pull();
        };
        for (const [at, one] of commands.entries()) {
          if (one === 'open') pull();
          else if (one === 'close') line.isOpen = false;
          else if (one === 'visit') reader.visit(ENCODER.keepAlive(`p-${scene.ring.last}`));
          else scene.change(one, at, [reader]);
        }
        if (line.isCut) return;
        pull();
        for (let end = 1; end <= received.length; end += 1)
          expect(scene.lost(received.slice(0, end)), `after ${end}`).to.deep.equal([]);
        expect(received.findLast(({ position }) => position !== undefined)?.position).to.equal(
          `p-${scene.ring.last}`,
        );
        late += received.filter(
          ({ station, position }) => station !== undefined && position === undefined,
        ).length;
      }),
      { numRuns: 500 },
    );
    expect(late).to.be.greaterThan(100);
  });

  it('takes only the newest event of each station when it was slow', () => {
    const scene = new Scene();
    const { reader, received, line } = scene.reader();
    reader.begin(0);
    line.isOpen = false;
    scene.change([1, 2], 0, [reader]);
    for (const at of [1, 2, 3]) scene.change([1, 2], at, [reader]);
    scene.change([3], 4, [reader]);
    line.isOpen = true;
    reader.pull();
    expect(received.slice(3)).to.deep.equal([
      { station: 1, from: 1, to: 3 },
      { station: 2, from: 1, to: 3 },
      { station: 3, from: 4, to: 4 },
      { position: 'p-9' },
    ]);
  });

  it('gets no event twice that it joined after or caught up with', () => {
    const scene = new Scene();
    const [first, second] = [scene.reader(), scene.reader()];
    first.reader.begin(0);
    scene.change([1], 0, [first.reader]);
    const joined = scene.reader();
    joined.reader.begin(1);
    second.reader.begin(0);
    for (const { reader } of [joined, second]) reader.offer(Buffer.from('{"station":9}'), 0, 1);
    expect(joined.received).to.deep.equal([{ position: 'p-1' }]);
    expect(second.received).to.deep.equal([{ position: 'p-0' }, { ...CHANGE, position: 'p-1' }]);
  });

  it('is cut off when it has fallen out of the ring', () => {
    const scene = new Scene(4);
    const { reader, line } = scene.reader();
    reader.begin(0);
    line.isOpen = false;
    for (const at of [0, 1, 2, 3, 4]) scene.change([at], at, [reader]);
    line.isOpen = true;
    reader.pull();
    expect(line.isCut).to.equal(false);
    line.isOpen = false;
    for (const at of [5, 6, 7, 8, 9, 10]) scene.change([at], at, [reader]);
    reader.pull();
    expect(line.isCut).to.equal(true);
  });

  it('is cut off when it takes nothing for two visits while there is something for it', () => {
    const scene = new Scene();
    const { reader, line, received } = scene.reader();
    reader.begin(0);
    line.isOpen = false;
    scene.change([1], 0, [reader]);
    for (let visit = 0; visit < 5; visit += 1) reader.visit(ENCODER.keepAlive('p-1'));
    expect([line.isCut, received]).to.deep.equal([
      false,
      [{ position: 'p-0' }, { ...CHANGE, position: 'p-1' }],
    ]);
    scene.change([1], 0, [reader]);
    reader.visit(ENCODER.keepAlive('p-2'));
    expect(line.isCut).to.equal(false);
    reader.visit(ENCODER.keepAlive('p-2'));
    expect(line.isCut).to.equal(true);
  });
});

const CHANGE = { station: 1, from: 0, to: 0 };

/** What happens between two turns of a delivery, to the reader with this index modulo the number of readers. */
interface Between {
  readonly index: number;
  readonly what: 'open' | 'close' | 'visit' | 'leave' | 'join';
}

const between: fc.Arbitrary<Between> = fc.record({
  index: fc.nat(9),
  what: fc.constantFrom('open', 'close', 'visit', 'leave', 'join'),
});

describe('EventDelivery', () => {
  afterEach(() => sinon.restore());

  it('sends each reader its events once and in order, whatever happens between the turns of a delivery', async () => {
    // Each reading of the clock takes longer than a turn, so that each reader has a turn of its own.
    let now = 0;
    sinon.stub(performance, 'now').callsFake(() => (now += 2));
    const counts = { turns: 0, late: 0, ordered: 0 };
    const rounds = fc.array(
      fc.tuple(
        fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
        fc.array(fc.array(between, { maxLength: 2 }), { maxLength: 6 }),
      ),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(rounds, async (all) => {
        const scene = new Scene();
        const selections = new Selections();
        let waits: (readonly Between[])[] = [];
        const delivery: EventDelivery = new EventDelivery(selections, scene.source, {
          wait: () => {
            counts.turns += 1;
            for (const one of waits.shift() ?? []) perform(one);
            return Promise.resolve();
          },
        });
        const join = (stations?: readonly number[]) => {
          const one = scene.reader(stations);
          const after = scene.ring.last;
          const selection = selections.join(one.reader, one.wanted, after);
          one.reader.begin(after);
          return { ...one, after, selection, wasSlow: false, hasLeft: false };
        };
        const readers = [join(), join([1, 2]), join([3]), join(), join([2, 4])];
        const perform = ({ index, what }: Between) => {
          const one = readers[index % readers.length] as (typeof readers)[number];
          if (what === 'join') readers.push(join(one.wanted.ids && [1 + (index % 4), 3]));
          else if (one.hasLeft) return;
          else if (what === 'leave') {
            one.hasLeft = true;
            selections.leave(one.reader, one.selection, 0);
          } else if (what === 'close') {
            one.wasSlow = true;
            one.line.isOpen = false;
          } else if (what === 'open') {
            one.line.isOpen = true;
            one.reader.pull();
          } else
            one.reader.visit(
              ENCODER.keepAlive(delivery.isRunning ? undefined : scene.source.positionOf(scene.ring.last)),
            );
        };
        for (const [at, [stations, actions]] of all.entries()) {
          waits = actions;
          await delivery.send(scene.add(stations, at));
        }
        for (const { received, wanted, after, wasSlow, hasLeft, line, reader } of readers) {
          if (!hasLeft) {
            line.isOpen = true;
            reader.pull();
          }
          const positions = received.flatMap(({ position }) => position?.slice(2) ?? []).map(Number);
          expect(positions).to.deep.equal(positions.toSorted((a, b) => a - b));
          for (let end = 1; end <= received.length; end += 1)
            expect(scene.lost(received.slice(0, end), wanted, after), `after ${end}`).to.deep.equal([]);
          const events = received.filter(({ station }) => station !== undefined);
          counts.late += events.filter(({ position }) => position === undefined).length;
          const own = scene.changes.filter(
            ({ station, sequence }) => sequence > after && wanted.matches(stationNumbered(station)),
          );
          if (hasLeft || wasSlow) continue;
          expect(events).to.deep.equal(
            own.map(({ station, at, sequence }) => ({
              station,
              from: at,
              to: at,
              position: `p-${sequence}`,
            })),
          );
          counts.ordered += events.length;
        }
      }),
      { numRuns: 300 },
    );
    for (const count of Object.values(counts)) expect(count).to.be.greaterThan(500);
  });

  it('waits for writes until its oldest change is 80 ms old', async () => {
    let now = 1000;
    sinon.stub(performance, 'now').callsFake(() => now);
    const limits: number[] = [];
    const writesFirst = new WritesFirst({
      untilIdle: (limit) => {
        limits.push(limit);
        now += 8;
        return Promise.resolve();
      },
    });
    const round = async () => {
      limits.length = 0;
      writesFirst.beginRound();
      for (let part = 0; part < 9; part += 1) await writesFirst.wait();
      return [...limits];
    };
    expect(await round()).to.deep.equal([]);
    writesFirst.noteChange();
    now += 60;
    writesFirst.noteChange();
    expect(await round()).to.deep.equal([20, 12, 4]);
    expect(await round()).to.deep.equal([]);
    writesFirst.noteChange();
    now += 80;
    expect(await round()).to.deep.equal([]);
  });
});

describe('EventRing', () => {
  it('keeps the last events, and for 15 minutes', () => {
    const ring = new EventRing(3);
    const newest = new StationState().describe(1, 1);
    for (let at = 1; at <= 5; at += 1)
      ring.add(stationNumbered(at % 2), { from: at, to: at }, newest, at * 60_000);
    expect([1, 2, 3, 4, 5, 6].map((sequence) => ring.at(sequence)?.from)).to.deep.equal([
      undefined,
      undefined,
      3,
      4,
      5,
      undefined,
    ]);
    expect([1, 2, 5, 6].map((sequence) => ring.hasAllAfter(sequence))).to.deep.equal([
      false,
      true,
      true,
      false,
    ]);
    ring.dropOld(19 * 60_000);
    expect([3, 4, 5].map((sequence) => ring.at(sequence)?.from)).to.deep.equal([undefined, undefined, 5]);
    ring.skip();
    expect([5, 6].map((sequence) => ring.hasAllAfter(sequence))).to.deep.equal([false, true]);
  });
});

describe('StreamSlots', () => {
  it('limits the streams of a network and of all, and takes slots back once', () => {
    const slots = new StreamSlots();
    const taken = Array.from({ length: 3000 }, (_, index) => slots.acquire(`n${index % 30}`));
    expect(() => slots.acquire('n0'))
      .to.throw('This network has 100 event streams')
      .with.property('code', 'RATE_LIMITED');
    expect(() => slots.acquire('other'))
      .to.throw('The service has 3000 event streams')
      .with.property('code', 'SERVICE_UNAVAILABLE');
    taken[0]?.();
    taken[0]?.();
    expect(slots.count).to.equal(2999);
    slots.acquire('n0');
    expect(() => slots.acquire('n0')).to.throw('This network');
    expect(slots.count).to.equal(3000);
  });
});
