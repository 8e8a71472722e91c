import { expect } from 'chai';
import type { SqliteObservationStore } from '#adapters/store-sqlite/observations/sqlite-observation-store.js';
import { MILLISECONDS } from '#domain/time.js';
import { summedStation } from '#domain/weather/summaries/sums-query.js';
import { V, VARIABLES } from '#domain/weather/variables.js';
import { openLocalStores } from '../../support/local-stores.js';
import { JFK } from '../../contracts/stores/station-store.js';

const { minute, day } = MILLISECONDS;
const STEP = 10 * minute;
const START = Date.UTC(2024, 0, 1);
const STATIONS = 32;
/** Of the first twelve variables, a call may sum 32,768 rows, which is seven stations of the longest case. */
const COLUMNS = VARIABLES.slice(0, 12).map(({ number }) => number);
const MAX_ROWS = 32_768;

describe('sums of many stations in a SQLite data file', () => {
  for (const days of [7, 33, 40])
    it(`take calls of several whole stations each, for ${days} days`, async () => {
      const { stations, observations } = openLocalStores();
      const drafts = Array.from({ length: STATIONS }, (_, index) => ({
        ...JFK,
        identifiers: {},
        id: `s${index}`,
      }));
      const made = (await stations.put(drafts)).map(({ station }) => station);
      const rows = STATIONS * (day / STEP);
      for (let begin = START; begin < START + days * day; begin += day) {
        const times = Float64Array.from(
          { length: rows },
          (_, row) => begin + Math.floor(row / STATIONS) * STEP,
        );
        await observations.write([
          {
            batch: {
              stations: Uint32Array.from({ length: rows }, (_, row) => made[row % STATIONS]?.number ?? 0),
              times,
              values: new Map([[V.temperature, times.map((_, row) => row % 19)]]),
              flags: new Map(),
            },
          },
        ]);
        // Each day of a station gets a chunk of its own, so that a call finds the stations in several steps.
        await (observations as SqliteObservationStore).merge();
      }
      const buckets = Array.from({ length: days }, (_, index) => ({
        start: START + index * day,
        end: START + (index + 1) * day,
      }));
      const query = {
        stations: made.map((station) => summedStation(station)),
        buckets,
        variables: [V.temperature],
        columns: COLUMNS,
        includeAll: false,
      };
      const counts: number[] = [];
      for await (const { count } of observations.sum(query)) counts.push(count);
      expect(counts.reduce((sum, count) => sum + count)).to.equal(STATIONS * days);
      // The first calls of a thread are short, because it does not know yet how many rows a station has.
      const calls = (rows * days) / MAX_ROWS;
      expect(counts.length, counts.join(' ')).to.be.at.most(4 * calls + 16);
      expect(
        counts.filter((count) => count % days !== 0),
        counts.join(' '),
      ).to.have.lengthOf.at.most(2 * 4);
    });
});
