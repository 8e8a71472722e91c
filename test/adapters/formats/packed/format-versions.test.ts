import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { DamagedBlobError, ENVELOPE } from '#adapters/formats/packed/blob.js';
import { Chunk, encodeChunk } from '#adapters/formats/packed/chunk-codec.js';
import { decodeAll } from '#adapters/formats/packed/decoded-series.js';
import { DamagedRunError, encodeRun, Run, type RunPlace } from '#adapters/formats/packed/run-codec.js';
import type { Series } from '#domain/weather/series.js';

interface Golden {
  readonly name: string;
  readonly day: number;
  readonly times: number[];
  readonly places: RunPlace[];
  readonly values: Record<string, (number | '-0' | null)[]>;
  readonly flags: Record<string, number[]>;
  /** By format version. */
  readonly blobs: Record<string, { readonly chunk: string; readonly run: string }>;
}

const file = new URL('../../../../../test/fixtures/packed/blobs.json', import.meta.url);
const goldens = JSON.parse(readFileSync(file, 'utf8')) as Golden[];

const placeOf = (day: number) => ({ station: 5, day, days: 1 });
const KEY = [2, 9];

const numberOf = (value: number | '-0' | null) => (value === '-0' ? -0 : (value ?? Number.NaN));
const bytesOf = (text = '') => Buffer.from(text, 'base64');

/** Everything of a series as text, in which NaN and -0 can be compared. Columns without a value or flag are left out. */
function describeSeries({ times, values, flags }: Series): string[] {
  const text = (value: number) => (Object.is(value, -0) ? '-0' : String(value));
  const columns = [...values].filter(([, column]) => !column.every(Number.isNaN));
  const flagged = [...flags].filter(([, column]) => column.some((flag) => flag !== 0));
  return [
    `times ${[...times].join(' ')}`,
    ...columns
      .map(([variable, column]) => `values ${variable}: ${Array.from(column, text).join(' ')}`)
      .sort(),
    ...flagged.map(([variable, column]) => `flags ${variable}: ${[...column].join(' ')}`).sort(),
  ];
}

describe('the formats of chunks and runs', () => {
  for (const { name, day, times, places, values, flags, blobs } of goldens) {
    const series: Series = {
      times: Float64Array.from(times),
      values: new Map(
        Object.entries(values).map(([key, column]) => [Number(key), Float64Array.from(column, numberOf)]),
      ),
      flags: new Map(Object.entries(flags).map(([key, column]) => [Number(key), Uint8Array.from(column)])),
    };
    const expected = describeSeries(series);

    it(`have rows of all versions: ${name}`, () => {
      expect(Object.keys(blobs)).to.deep.equal(['1', '2', '3']);
      for (const [version, { chunk, run }] of Object.entries(blobs)) {
        expect(bytesOf(chunk).readUInt32LE(4)).to.equal(Number(version));
        expect(describeSeries(decodeAll([new Chunk(placeOf(day), bytesOf(chunk))], undefined))).to.deep.equal(
          expected,
        );
        const opened = new Run(1, KEY, bytesOf(run));
        expect(opened.version).to.equal(Number(version));
        expect(opened.rows).to.equal(times.length);
        expect([...opened.stations]).to.deep.equal(places.map(({ station }) => station));
        for (const [index, { station, from, inserted }] of places.entries()) {
          const to = places[index + 1]?.from ?? times.length;
          expect(opened.place(station)).to.deep.equal([from, to, inserted]);
        }
        expect(describeSeries(opened.columns)).to.deep.equal(expected);
      }
      // Version 1.0.0 wrote chunks without an envelope.
      const first = bytesOf(blobs[1]?.chunk).subarray(ENVELOPE);
      expect(describeSeries(decodeAll([new Chunk(placeOf(day), first)], undefined))).to.deep.equal(expected);
    });

    it(`are written as before: ${name}`, () => {
      expect(encodeChunk(placeOf(day), series).toString('base64')).to.equal(blobs[3]?.chunk);
      expect(encodeRun(KEY, places, series).toString('base64')).to.equal(blobs[3]?.run);
    });
  }

  it('are refused if their version is unknown', () => {
    const { day, blobs } = goldens[0] as Golden;
    const [chunk, run] = [bytesOf(blobs[3]?.chunk), bytesOf(blobs[3]?.run)];
    chunk.writeUInt32LE(4, 4);
    run.writeUInt32LE(4, 4);
    expect(() => new Chunk(placeOf(day), chunk)).to.throw(DamagedBlobError, 'its format version is 4');
    expect(() => new Run(1, KEY, run)).to.throw(DamagedRunError, 'its format version is 4');
  });

  it('have the stations of a damaged run of either version', () => {
    for (const { places, blobs } of goldens) {
      for (const { run } of Object.values(blobs)) {
        const blob = bytesOf(run);
        blob.writeUInt8(blob.readUInt8(blob.length - 1) ^ 1, blob.length - 1);
        expect(() => new Run(1, KEY, blob))
          .to.throw(DamagedRunError)
          .with.property('stations')
          .that.deep.equals(places.map(({ station }) => station));
      }
    }
  });

  it('do not open a chunk as that of another day', () => {
    const { day, blobs } = goldens[0] as Golden;
    expect(() => new Chunk(placeOf(day + 1), bytesOf(blobs[3]?.chunk))).to.throw(DamagedBlobError);
  });
});
