import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { FrameError } from '#adapters/formats/frames/frame-header.js';
import { FrameReader } from '#adapters/formats/frames/frame-reader.js';
import {
  observationFrames,
  OBSERVATIONS,
  type ObservationRows,
} from '#adapters/formats/frames/observations-frame.js';
import { errorFrame, receiptFrame } from '#adapters/formats/frames/small-frames.js';
import { cutName, STATIONS_FRAME, stationsFrame } from '#adapters/formats/frames/stations-frame.js';
import { FLAG, type ObservationBatch } from '#domain/weather/series.js';
import {
  body,
  end,
  errorOf,
  frame,
  observations,
  observationsPayload,
  receiptOf,
  rowsOf,
  stationRecord,
  stationsFrame as sentStations,
  parseFrames,
} from '../../../support/frame-sketch.js';

const TIME = Date.UTC(2024, 1, 29);

/** Yields bytes in pieces of this size, as a socket may do. */
async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Uint8Array, size = 65_536) {
  const found: (ObservationRows & { readonly values: ReadonlyMap<unknown, Float64Array> })[] = [];
  for await (const rows of new FrameReader(pieces(bytes, size), OBSERVATIONS).frames()) {
    found.push({ ...rows, values: new Map(rows.columns.map(({ variable, values }) => [variable, values])) });
  }
  return found;
}

async function readStations(bytes: Uint8Array) {
  const found = [];
  for await (const records of new FrameReader(pieces(bytes, 64), STATIONS_FRAME).frames())
    found.push(...records);
  return found;
}

async function faultOf(reading: Promise<unknown>): Promise<string> {
  try {
    await reading;
  } catch (error) {
    expect(error).to.be.instanceOf(FrameError);
    return (error as FrameError).message;
  }
  throw new Error('it was taken');
}

function batchOf(
  rows: number,
  values: ReadonlyMap<number, Float64Array>,
  flags = new Map(),
): ObservationBatch {
  return {
    stations: Uint32Array.from({ length: rows }, (_, row) => row * 3),
    times: Float64Array.from({ length: rows }, (_, row) => TIME + row),
    values,
    flags,
  };
}

describe('frames', () => {
  const one = observations(
    [{ variable: 1 }, { variable: 7 }],
    [
      { station: 4, time: TIME, values: [3.5, 270] },
      { station: 5, time: -1, values: [-0, Number.NaN] },
      { station: 4_294_967_295, time: -62_135_596_800_000, values: [1e-300, 0] },
    ],
  );

  it('are read from pieces of any size, without a copy of their columns', async () => {
    for (const size of [1, 7, 31, 32, 33, 1000]) {
      const [rows, ...others] = await read(body(one), size);
      expect(others).to.deep.equal([]);
      expect([...(rows?.stations ?? [])]).to.deep.equal([4, 5, 4_294_967_295]);
      expect([...(rows?.times ?? [])]).to.deep.equal([TIME, -1, -62_135_596_800_000]);
      expect([...(rows?.values.keys() ?? [])]).to.deep.equal([1, 7]);
      expect(Object.is(rows?.values.get(1)?.[1], -0)).to.equal(true);
      expect(rows?.values.get(7)).to.deep.equal(Float64Array.from([270, Number.NaN, 0]));
      expect(rows?.values.get(1)?.buffer).to.equal(rows?.stations.buffer);
    }
  });

  it('are read with columns of 32 bits, as the numbers that those are', async () => {
    const rows = [1.5, 21.3, Number.NaN].map((value, station) => ({ station, time: 0, values: [value, 2] }));
    const [found] = await read(body(observations([{ variable: 3, type: 'f32' }, { variable: 4 }], rows)));
    expect(found?.values.get(3)).to.deep.equal(Float64Array.from([1.5, Math.fround(21.3), Number.NaN]));
    expect(found?.values.get(4)).to.deep.equal(Float64Array.from([2, 2, 2]));
  });

  it('count as memory from their header until the next is requested, and are refused beyond the limit', async () => {
    let held = 0;
    const memory = (most: number) => ({
      hold: (bytes: number) => {
        if (held + bytes > most) throw new Error('no room');
        held += bytes;
      },
      release: (bytes: number) => void (held -= bytes),
    });
    const length = one.length - 32;
    const reader = new FrameReader(pieces(body(one, one), 50), OBSERVATIONS, memory(10_000));
    const seen: number[] = [];
    for await (const { times } of reader.frames()) seen.push(held, times.length);
    expect(seen).to.deep.equal([length, 3, length, 3]);
    held = 0;
    const full = new FrameReader(pieces(body(one), 50), OBSERVATIONS, memory(length - 1));
    const refused = await full
      .frames()
      .next()
      .catch((error: Error) => error.message);
    expect(refused).to.equal('no room');
  });

  it('may be none, or without rows, or without columns', async () => {
    expect(await read(end(0, 0))).to.deep.equal([]);
    const [none] = await read(body(observations([{ variable: 1 }], [])));
    expect(none?.times).to.have.length(0);
    const [bare] = await read(body(observations([], [{ station: 1, time: 2, values: [] }])));
    expect([...(bare?.times ?? [])]).to.deep.equal([2]);
  });

  it('give back any written rows', async () => {
    const double = fc.double({ noDefaultInfinity: true });
    const row = fc.record({ values: fc.array(double, { minLength: 2, maxLength: 2 }), flag: fc.nat(7) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 40 }),
        fc.boolean(),
        async (rows, quality) => {
          const column = (index: number) => Float64Array.from(rows, ({ values }) => values[index] as number);
          const flags = new Map([[6, Uint8Array.from(rows, ({ flag }) => flag)]]);
          const batch = batchOf(
            rows.length,
            new Map([
              [6, column(0)],
              [2, column(1)],
            ]),
            flags,
          );
          const [written] = observationFrames(batch, [6, 2, 9], quality);
          const bytes = Buffer.concat(written?.pieces ?? []);
          const [back] = await read(body(bytes));
          expect(back?.stations).to.deep.equal(batch.stations);
          expect(back?.times).to.deep.equal(batch.times);
          expect([...(back?.values.keys() ?? [])]).to.deep.equal([6, 2, 9]);
          expect(back?.values.get(6)).to.deep.equal(column(0));
          expect(back?.values.get(9)?.every(Number.isNaN)).to.equal(true);
          const taken = rowsOf(parseFrames(bytes));
          for (const [index, { values, quality: said }] of taken.entries()) {
            const flag = rows[index]?.flag ?? 0;
            const verdict = flag === 0 ? 1 : (flag & FLAG.grossRange) === 0 ? 2 : 3;
            expect(said[6]).to.equal(quality ? (values[6] === undefined ? 0 : verdict) : undefined);
            expect(said[9]).to.equal(quality ? 0 : undefined);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('have the columns with a value unless others are requested, and a bounded number of rows', () => {
    const rows = 20_000;
    const values = new Map([
      [5, new Float64Array(rows).fill(1)],
      [3, new Float64Array(rows).fill(2)],
      [4, new Float64Array(rows).fill(Number.NaN)],
    ]);
    const frames = [...observationFrames(batchOf(rows, values), undefined, false)].map(({ pieces: parts }) =>
      parseFrames(Buffer.concat(parts)).at(0),
    );
    expect(frames.map((found) => [found?.rows, found?.columns])).to.deep.equal([
      [8192, 2],
      [8192, 2],
      [3616, 2],
    ]);
    expect(frames[1]?.payload.readUInt16LE(0)).to.equal(3);
    expect([...observationFrames(batchOf(0, new Map()), undefined, false)]).to.deep.equal([]);
  });

  it('of receipts and errors have the right content', () => {
    const listed = [{ row: 2 ** 33, variable: 7, reason: 4 }];
    const receipt = receiptFrame({ inserted: 2 ** 40, updated: 2, unchanged: 3, rejected: 4 }, listed);
    expect(receiptOf(parseFrames(Buffer.from(receipt)))).to.deep.equal({
      inserted: 2 ** 40,
      updated: 2,
      unchanged: 3,
      rejected: 4,
      listed: [[2 ** 33, 7, 4]],
    });
    const error = errorFrame(404, 'STATION_UNKNOWN', 'There is no station “Ås”.');
    expect(errorOf(parseFrames(Buffer.from(error)))).to.deep.equal({
      status: 404,
      code: 'STATION_UNKNOWN',
      message: 'There is no station “Ås”.',
    });
  });

  it('of stations are read and written, with names cut at the boundary of a character', async () => {
    const record = { number: 7, id: 'a'.repeat(64), name: 'ø'.repeat(60), latitude: -1.5, longitude: 180 };
    const written = Buffer.from(
      stationsFrame([{ ...record, elevation: null, first: null, last: TIME, count: 2 ** 40 }]),
    );
    const { payload } = parseFrames(written)[0] ?? { payload: Buffer.alloc(0) };
    expect(payload.readBigInt64LE(32)).to.equal(-(2n ** 63n));
    expect([payload.readBigInt64LE(40), payload.readBigUInt64LE(48)]).to.deep.equal([
      BigInt(TIME),
      2n ** 40n,
    ]);
    expect(cutName(record.name)).to.equal('ø'.repeat(51));
    expect(await readStations(body(written))).to.deep.equal([
      { ...record, name: 'ø'.repeat(51), elevation: null },
    ]);
    const sent = await readStations(
      body(sentStations(stationRecord({ id: 'x', name: 'Ås', elevation: 12.5 }))),
    );
    expect(sent[0]).to.include({ number: 0, id: 'x', name: 'Ås', elevation: 12.5 });
  });

  it('are those of the worked example in docs/frames.md', async () => {
    const text = readFileSync(new URL('../../../../../docs/frames.md', import.meta.url), 'utf8');
    const lines = /```hex\n([^]*?)```/.exec(text)?.[1]?.trim().split('\n') ?? [];
    expect(lines.map((line, index) => [line.slice(0, 4), index * 8])).to.deep.equal(
      lines.map((_line, index) => [(index * 8).toString(16).padStart(4, '0'), index * 8]),
    );
    const bytes = Buffer.from(lines.map((line) => line.slice(6, 29).replaceAll(' ', '')).join(''), 'hex');
    const time = Date.UTC(2024, 0, 1);
    const row = { station: 1, time, values: [21.5, 270] };
    expect(bytes.equals(body(observations([{ variable: 1 }, { variable: 7 }], [row])))).to.equal(true);
    const [found] = await read(bytes);
    expect([...(found?.stations ?? [])]).to.deep.equal([1]);
    expect([...(found?.times ?? [])]).to.deep.equal([time]);
    expect([...(found?.values ?? [])].map(([variable, [value]]) => [variable, value])).to.deep.equal([
      [1, 21.5],
      [7, 270],
    ]);
  });

  describe('that are inconsistent are refused, with the place and the reason', () => {
    const columns = [{ variable: 1 }, { variable: 2 }];
    const rows = [{ station: 1, time: 2, values: [3, 4] }];
    const payload = observationsPayload(columns, rows);
    const sketch = { kind: 1, rows: 1, columns: 2, payload };
    const changed = (at: number, value: number) => {
      const copy = Buffer.from(payload);
      copy[at] = value;
      return copy;
    };
    const withQuality = (bytes: readonly number[], padding = 0) =>
      frame({
        ...sketch,
        flags: 1,
        payload: Buffer.concat([
          payload,
          ...bytes.map((byte) => Buffer.from([byte, 0, 0, 0, 0, 0, 0, padding])),
        ]),
      });
    const twice = observationsPayload([{ variable: 1 }, { variable: 1 }], rows);
    const cases: readonly (readonly [string, Buffer, string])[] = [
      ['no magic', frame({ ...sketch, magic: 'WXF2' }), 'the magic number is not WXF1'],
      ['no such kind', frame({ ...sketch, kind: 6 }), 'the kind 6 does not exist'],
      ['kind 0', frame({ ...sketch, kind: 0 }), 'the kind 0 does not exist'],
      [
        'a receipt',
        frame({ kind: 3, payload: Buffer.alloc(32) }),
        'a frame of kind 3 is not allowed in this body',
      ],
      ['stations', sentStations(stationRecord({ id: 'a' })), 'a frame of kind 2 is not allowed in this body'],
      ['flags', frame({ ...sketch, flags: 2 }), 'cannot have the flags 0x2'],
      ['an odd length', frame({ ...sketch, length: 49n }), 'not a multiple of 8'],
      [
        'a huge length',
        frame({ ...sketch, length: 2n ** 64n - 8n }),
        'the length of 18446744073709551608 bytes is too large for a frame',
      ],
      ['a zero that is none', frame({ ...sketch, zero: 1 }), 'bytes 28 to 31 of the header are not zero'],
      ['too many rows', frame({ ...sketch, rows: 65_537 }), 'the frame has 65537 rows, more than 65536'],
      ['too many columns', frame({ ...sketch, columns: 33 }), 'the frame has 33 columns, more than 32'],
      ['a lying number of rows', frame({ ...sketch, rows: 9 }), '9 rows of 2 columns need from'],
      ['a lying number of columns', frame({ ...sketch, columns: 4 }), '1 rows of 4 columns need'],
      ['a wrong CRC', frame({ ...sketch, crc: 1 }), 'but the header has 0x00000001'],
      [
        'a bit that was flipped',
        frame({ ...sketch, payload: changed(30, 1), crc: frame(sketch).readUInt32LE(24) }),
        'the CRC of the payload is',
      ],
      ['variable 0', frame({ ...sketch, payload: changed(0, 0) }), 'column 0 has the variable 0'],
      ['a variable twice', frame({ ...sketch, payload: twice }), 'the variable 1 has two columns'],
      ['no such type', frame({ ...sketch, payload: changed(10, 3) }), 'column 1 has the unknown type 3'],
      [
        'a descriptor with more',
        frame({ ...sketch, payload: changed(15, 1) }),
        'bytes 12 to 15 of the payload are not zero',
      ],
      [
        'padding with more',
        frame({ ...sketch, payload: changed(23, 1) }),
        'byte 23 of the payload is padding, but not zero',
      ],
      ['another quality', withQuality([1, 4]), 'byte 56 of the payload is not a quality from 0 to 3: 4'],
      ['padding of quality', withQuality([1, 1], 9), 'is padding, but not zero'],
      [
        'too few bytes for its types',
        frame({ ...sketch, rows: 3, payload: Buffer.concat([payload, Buffer.alloc(40)]) }),
        'the columns need',
      ],
    ];
    for (const [title, bytes, reason] of cases) {
      it(title, async () => {
        const before = observations(columns, rows);
        const fault = await faultOf(read(Buffer.concat([before, bytes, end(2, 2)])));
        expect(fault).to.contain(reason);
        expect(fault).to.match(new RegExp(`^Frame 1, counted from 0, at byte ${before.length}: `));
      });
    }

    it('an end with wrong counts, with bytes after it, or a missing end', async () => {
      const good = observations(columns, rows);
      const after = (...parts: readonly Buffer[]) => faultOf(read(Buffer.concat([good, ...parts])));
      expect(await after(end(2, 1))).to.contain('the end frame counts 2 rows, but 1 were received');
      expect(await after(end(1, 2))).to.contain('the end frame counts 2 frames, but 1 were received');
      expect(await after(end(1, 1), good)).to.contain('the body continues after the end frame');
      expect(await after(end(1, 1), Buffer.from([0]))).to.contain('the body continues after the end frame');
      expect(await after()).to.contain('the body ends without an end frame, so it was cut off');
      expect(await after(good.subarray(0, 20))).to.contain('the body ends in the middle of the frame');
      expect(await after(good.subarray(0, -1))).to.contain('the body ends in the middle of the frame');
      expect(await after(frame({ kind: 5, payload: Buffer.alloc(24) }))).to.contain('an end frame has 16');
      expect(await after(frame({ kind: 5, rows: 1, payload: Buffer.alloc(16) }))).to.contain(
        'rows or columns',
      );
      expect(await faultOf(read(Buffer.alloc(0)))).to.contain('without an end frame');
    });

    it('more frames than a body may have', async () => {
      const empty = observations([], []);
      const many = Buffer.concat([...Array.from({ length: 65_537 }, () => empty), end(0, 65_537)]);
      expect(await faultOf(read(many))).to.contain('a body has at most 65536 frames');
    });

    it('stations with a wrong field', async () => {
      const at = async (index: number, value: number, size = 1) => {
        const record = stationRecord({ id: 'abc', name: 'Name' });
        record.fill(value, index, index + size);
        return await faultOf(readStations(body(sentStations(stationRecord({ id: 'ok' }), record))));
      };
      expect(await at(5, 1)).to.contain('record 1: bytes 4 to 7 are not zero');
      expect(await at(255, 1)).to.contain('record 1: bytes 224 to 255 are not zero');
      expect(await at(61, 1)).to.contain('record 1: the id continues after its zero byte');
      expect(await at(120, 65, 104)).to.contain('record 1: the name does not end with a zero byte');
      expect(await at(120, 0xff)).to.contain('record 1: the name is not valid UTF-8');
      const frames = (bytes: Buffer) => faultOf(readStations(bytes));
      expect(await frames(frame({ kind: 2, rows: 2, payload: Buffer.alloc(256) }))).to.contain(
        '2 stations need 512',
      );
      expect(await frames(frame({ kind: 2, rows: 65_537 }))).to.contain('more than 65536');
      expect(await frames(frame({ kind: 2, columns: 1 }))).to.contain('must have 0 columns');
    });

    it('arbitrary bytes, and any valid body with one changed bit', async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
          expect(await faultOf(read(bytes))).to.match(/^Frame 0/);
        }),
        { numRuns: 300 },
      );
      const good = body(one);
      for (let bit = 0; bit < good.length * 8; bit += 1) {
        const bytes = Buffer.from(good);
        bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
        expect(await faultOf(read(bytes)), `bit ${bit}`).to.match(/^Frame [01]/);
      }
    });
  });
});
