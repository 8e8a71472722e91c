import { expect } from 'chai';
import type { Stores } from '#application/ports/stores.js';
import { concatenate } from '#domain/weather/merge-series.js';
import { recheckRange } from '#domain/weather/quality/recheck-range.js';
import { rulesOf } from '#domain/weather/quality/station-rules.js';
import { FLAG, type ObservationBatch, type Series } from '#domain/weather/series.js';
import { catchUp, recheckOf } from '../../support/recheck.js';
import { Place, storeNames } from '../../support/place.js';
import { JFK } from './station-store.js';

const START = Date.UTC(2024, 1, 28);
const HOUR = 3_600_000;
const LIMITS = { air_temperature: { min: -90, max: 60 } };
/** More stations than a block of PostgreSQL has. */
const STATIONS = 100;

type Row = readonly [station: number, hour: number, value: number];

for (const name of storeNames) {
  describe(`two instances on the same data › ${name}`, () => {
    let place: Place;
    let both: [Stores, Stores];
    let numbers: number[];

    beforeEach(async () => {
      place = await Place.ready(name);
      both = [await place.open(), await place.open()];
      // So far from each other that none is a neighbor of another one.
      const ids = Array.from({ length: STATIONS }, (_, index) => {
        return { ...JFK, id: `s${index}`, latitude: index - 50, limits: LIMITS };
      });
      numbers = (await both[0].stations.put(ids)).map(({ station }) => station.number);
    });
    afterEach(async () => {
      for (const stores of both) await stores.close();
      await place.remove();
    });

    const write = async (stores: Stores, rows: readonly Row[]) => {
      const { outcomes } = await stores.observations.write([{ batch: batchOf(rows, numbers) }]);
      return outcomes[0]?.inserted ?? 0;
    };
    const read = async (stores: Stores, stations?: readonly number[]) => {
      const rows = new Map<string, number>();
      const query = { from: -8.64e15, to: 8.64e15, ...(stations && { stations }) };
      for await (const { stations: of, times, values } of stores.observations.read(query))
        for (const [row, time] of times.entries())
          rows.set(
            `${numbers.indexOf(of[row] as number)} ${(time - START) / HOUR}`,
            values.get(1)?.[row] ?? NaN,
          );
      return rows;
    };
    const merge = async (stores: Stores) => {
      await (stores.observations as { merge?(): Promise<void> }).merge?.();
    };

    it('show what the other has acknowledged at once, whether it is new, late or merged', async () => {
      const expected = new Map<string, number>();
      for (let round = 0; round < 24; round += 1) {
        const [writer, reader] = round % 2 === 0 ? both : both.toReversed();
        const rows = [0, 1, 70].map((station): Row => [station, round % 5 === 3 ? -round : round, round]);
        for (const [station, hour, value] of rows) expected.set(`${station} ${hour}`, value);
        await write(writer as Stores, rows);
        const { observations } = reader as Stores;
        const found = await read(reader as Stores);
        expect(found).to.deep.equal(expected);
        const own = rows.map(([station]) => numbers[station] as number);
        for (const { count } of await observations.inventory(own)) expect(count).to.equal(round + 1);
        const newest = await observations.newest(own);
        const again = await (writer as Stores).observations.newest(own);
        expect(newest.map(({ revision }) => revision)).to.deep.equal(again.map(({ revision }) => revision));
        if (round % 6 === 5) await merge(round % 12 === 5 ? both[0] : both[1]);
      }
    });

    it('count exactly what both write into the same rows at the same time, while both merge', async () => {
      let seed = 7;
      const random = (below: number) => {
        seed = (seed * 16_807) % 2_147_483_647;
        return seed % below;
      };
      const times = new Set<string>();
      let inserted = 0;
      const worker = async (stores: Stores, index: number) => {
        for (let round = 0; round < 15; round += 1) {
          const rows = Array.from({ length: 40 }, (): Row => {
            // Half of the rows are late, and some of them years.
            const hour =
              random(2) === 0 ? round * 3 + random(3) : random(2) === 0 ? -random(72) : -random(9) * 8766;
            return [random(STATIONS), hour, index * 100 + round];
          });
          for (const [station, hour] of rows) times.add(`${station} ${hour}`);
          const added = await write(stores, rows);
          inserted += added;
          if (round % 4 === index) await merge(stores);
        }
      };
      await Promise.all([0, 1, 2, 3].map((index) => worker(both[index % 2] as Stores, index)));
      expect(inserted).to.equal(times.size);
      const all = await Promise.all(both.map((stores) => read(stores)));
      expect([...(all[0]?.keys() ?? [])].toSorted()).to.deep.equal([...times].toSorted());
      expect(all[1]).to.deep.equal(all[0]);
      for (const stores of both) {
        const counts = (await stores.observations.inventory(numbers)).map(({ count }) => count);
        const expected = numbers.map(
          (_number, station) => [...times].filter((key) => key.startsWith(`${station} `)).length,
        );
        expect(counts).to.deep.equal(expected);
      }
    });

    it('have the same flags in the end, although both write, merge and check at the same time', async () => {
      let seed = 5;
      const random = (below: number) => {
        seed = (seed * 16_807) % 2_147_483_647;
        return seed % below;
      };
      const some = 12;
      const worker = async (stores: Stores, index: number) => {
        const recheck = recheckOf(stores);
        for (let round = 0; round < 8; round += 1) {
          const rows = Array.from({ length: 20 }, (): Row => [random(some), random(200), 8 * random(10)]);
          await write(stores, rows);
          if (round % 3 === index) await merge(stores);
          await recheck.execute();
        }
      };
      await Promise.all([0, 1, 2].map((index) => worker(both[index % 2] as Stores, index)));
      for (const stores of both) await catchUp(recheckOf(stores));
      const found: string[][] = [];
      for (const { observations } of both) {
        const flagged: string[] = [];
        for (const number of numbers.slice(0, some)) {
          const all = { from: -8.64e15, to: 8.64e15 };
          const parts: Series[] = [];
          for await (const part of observations.read({ stations: [number], ...all })) parts.push(part);
          const series = concatenate(parts);
          const bytes = (flags: Series['flags']) => [
            ...(flags.get(1) ?? new Uint8Array(series.times.length)),
          ];
          const expected = recheckRange(series, all, rulesOf({ ...JFK, limits: LIMITS }), []);
          expect(bytes(series.flags), `station ${number}`).to.deep.equal(bytes(expected));
          flagged.push(bytes(series.flags).join(''));
        }
        found.push(flagged);
      }
      expect(found[0]).to.deep.equal(found[1]);
      expect(found[0]?.join('')).to.contain(String(FLAG.grossRange));
    });
  });
}

function batchOf(rows: readonly Row[], numbers: readonly number[]): ObservationBatch {
  return {
    stations: Uint32Array.from(rows, ([station]) => numbers[station] as number),
    times: Float64Array.from(rows, ([, hour]) => START + hour * HOUR),
    values: new Map([[1, Float64Array.from(rows, ([, , value]) => value)]]),
    flags: new Map(),
  };
}
