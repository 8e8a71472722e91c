import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { csvHeading, csvRows, jsonColumns } from '#adapters/formats/text/observation-text.js';
import type { TextColumn } from '#adapters/formats/text/text-column.js';
import type { TextPiece } from '#adapters/formats/text/text-piece.js';
import { permitsOf } from '#adapters/http/external/read-permits.js';
import { columnBody } from '#adapters/http/external/observations/paced-body.js';
import { ReadGate } from '#application/observations/read/gate/read-gate.js';
import { TextThreads } from '#adapters/http/external/observations/text-threads.js';
import { checksOf, type Series, verdictOf } from '#domain/weather/series.js';

const START = Date.UTC(2024, 1, 29, 23, 50);
const COLUMNS: readonly TextColumn[] = [
  { number: 1, name: 'air_temperature', conversion: { unit: '°F' } },
  { number: 3, name: 'relative_humidity' },
  {
    number: 6,
    name: 'wind_speed',
    heading: 'wind_speed (mph)',
    conversion: { unit: 'm/s' },
  },
  { number: 9, name: 'precipitation_amount', conversion: { decimals: 2 } },
];

const value = fc.oneof(
  fc.integer({ min: -900, max: 11_000 }).map((tenths) => tenths / 10),
  fc.constantFrom(Number.NaN, -0, 0, 1e-7, 123_456_789.125, 1e21),
);
const part: fc.Arbitrary<Series> = fc
  .array(fc.tuple(fc.nat(1_000_000), value, value, value, fc.constantFrom(0, 0, 0, 1, 2, 5)), {
    maxLength: 20,
  })
  .map((rows) => {
    let time = START;
    const times = Float64Array.from(rows, ([gap]) => (time += 1 + gap));
    const column = (index: 1 | 2 | 3) => Float64Array.from(rows, (row) => row[index]);
    return {
      times,
      values: new Map([
        [1, column(1)],
        [3, column(2)],
        [9, column(3)],
      ]),
      flags: new Map([[3, Uint8Array.from(rows, (row) => row[4])]]),
    };
  });

function copyOf({ times, values, flags }: Series): Series {
  return {
    times: times.slice(),
    values: new Map([...values].map(([key, column]) => [key, column.slice()])),
    flags: new Map([...flags].map(([key, column]) => [key, column.slice()])),
  };
}

async function closed(body: Readable): Promise<void> {
  await finished(body).catch(() => undefined);
}

describe('the text of columns', () => {
  const threads = new TextThreads();
  after(() => threads.close());

  async function textOf(pieces: Iterable<TextPiece>, values: number): Promise<string> {
    const body = columnBody(pieces, values, threads);
    if (!(body instanceof Readable)) return body.toString();
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  }

  it('is the same whichever thread writes it, and is what the values are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 4 }),
        fc.constantFrom('iso', 'unix'),
        async (parts, format) => {
          const rows = () => ({ parts: parts.map(copyOf), columns: COLUMNS, format }) as const;
          const json = () =>
            jsonColumns('observations', rows(), { station: 'ä' }, { quality: [], next: null });
          const csv = () => [csvHeading(COLUMNS), ...csvRows(rows())];
          const [small, large] = [0, Infinity];
          const text = await textOf(json(), small);
          expect(await textOf(json(), large)).to.equal(text);
          expect(await textOf(csv(), large)).to.equal(await textOf(csv(), small));

          const found = JSON.parse(text) as Record<string, unknown>;
          const all = parts.flatMap((one) => [...one.values.get(3)!]);
          const times = parts.flatMap((one) => [...one.times]);
          const shown = times.map((time) =>
            format === 'unix' ? time / 1000 : new Date(time).toISOString().replace('.000Z', 'Z'),
          );
          const flags = parts.flatMap((one) => [...one.flags.get(3)!]);
          const none = times.map(() => null);
          const { observations, ...rest } = found as { observations: Record<string, unknown> };
          expect(observations).to.deep.include({
            time: shown,
            relative_humidity: all.map((one) => (Number.isNaN(one) ? null : one)),
            wind_speed: none,
          });
          expect(rest).to.deep.equal({
            station: 'ä',
            quality: flags.flatMap((flag, index) =>
              flag === 0
                ? []
                : [
                    {
                      variable: 'relative_humidity',
                      index,
                      verdict: verdictOf(flag),
                      checks: checksOf(flag),
                    },
                  ],
            ),
            next: null,
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('gives the place back where the client leaves, when its threads are done, and where a thread fails', async () => {
    const times = Float64Array.from({ length: 1000 }, (_, row) => START + row);
    const one = () => ({ times: times.slice(), values: new Map([[3, times.slice()]]), flags: new Map() });
    const rows = () => ({ parts: [one(), one(), one()], columns: COLUMNS, format: 'iso' }) as const;
    const gate = new ReadGate();
    const caller = { actor: null, address: null, network: null, requestId: '1' };
    const bodyBy = async (some: TextThreads, { signal } = new AbortController()) => {
      const call = { caller, signal };
      const { content } = await permitsOf(gate)(call, async (place) => {
        await place.acquire(3000);
        return { content: columnBody(csvRows(rows()), Infinity, some) as Readable };
      });
      expect(gate.held).to.equal(3000);
      return content;
    };
    const body = await bodyBy(threads);
    for await (const chunk of body) {
      expect((chunk as Buffer).length).to.be.above(1000);
      break;
    }
    await closed(body);
    expect(gate.held).to.equal(0);

    const failing = new TextThreads();
    sinon.replace(failing, 'write', sinon.fake.rejects(new Error('no thread')));
    const broken = await bodyBy(failing);
    const ended = await broken.toArray().catch((error: Error) => error.message);
    expect(ended).to.equal('no thread');
    await closed(broken);
    expect(gate.held).to.equal(0);

    const unread = new AbortController();
    const forNobody = await bodyBy(threads, unread);
    unread.abort();
    await closed(forNobody);
    expect(gate.held).to.equal(0);

    // Otherwise a client that leaves and comes again would give the threads more work than its share.
    const slow = new TextThreads();
    let finish: (bytes: Uint8Array) => void = () => undefined;
    sinon.replace(
      slow,
      'write',
      sinon.fake(() => new Promise<Uint8Array>((resolve) => (finish = resolve))),
    );
    const left = new AbortController();
    const unfinished = await bodyBy(slow, left);
    unfinished.resume().once('error', () => undefined);
    await new Promise(setImmediate);
    left.abort();
    await new Promise(setImmediate);
    expect(gate.held).to.equal(3000);
    finish(Buffer.from('late'));
    await closed(unfinished);
    expect(gate.held).to.equal(0);
  });
});
