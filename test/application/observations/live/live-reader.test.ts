import { expect } from 'chai';
import fc from 'fast-check';
import { EventRing } from '#application/observations/live/event-ring.js';
import type { LiveEncoder } from '#application/observations/live/live-event.js';
import { LiveReader } from '#application/observations/live/live-reader.js';
import { StreamSlots } from '#application/observations/live/stream-slots.js';
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
  readonly changes: { readonly station: number; readonly at: number; readonly sequence: number }[] = [];

  constructor(capacity?: number) {
    this.ring = new EventRing(capacity);
  }

  reader() {
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
    const source = {
      ring: this.ring,
      positionOf: (sequence: number) => `p-${sequence}`,
      present: (station: Station) => station,
    };
    const wanted = {
      key: 'all',
      included: { recent: false, rain: false, alarms: false },
      ids: undefined,
      matches: () => true,
    };
    return { reader: new LiveReader(wanted, ENCODER, sink, source), received, line };
  }

  /** Adds events of these stations together, and offers them. */
  change(stations: readonly number[], at: number, readers: readonly LiveReader[]): void {
    const before = this.ring.last;
    const newest = new StationState().describe(0, 1);
    const events = stations.map((number) =>
      this.ring.add(stationNumbered(number), { from: at, to: at }, newest, 0),
    );
    for (const { sequence, station } of events) this.changes.push({ station: station.number, at, sequence });
    const written = Buffer.concat(events.map((event) => event.bytes(ENCODER, `p-${event.sequence}`)));
    for (const reader of readers) reader.offer(written, before, this.ring.last);
  }

  /** The changes that neither these events nor a stream resumed at their last position contain. */
  lost(received: readonly Received[]): unknown[] {
    const position = received.findLast((one) => one.position !== undefined)?.position ?? '';
    const resumedAfter = Number(position.split('-')[1]);
    return this.changes.filter(
      ({ station, at, sequence }) =>
        sequence <= resumedAfter &&
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
