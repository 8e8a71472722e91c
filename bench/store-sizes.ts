import { statSync } from 'node:fs';
import { join } from 'node:path';
import { encodeChunk } from '#adapters/formats/packed/chunk-codec.js';
import { encodeRun } from '#adapters/formats/packed/run-codec.js';
import type { SqliteObservationStore } from '#adapters/store-sqlite/observations/sqlite-observation-store.js';
import type { Stores } from '#application/ports/stores.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { makeBatch, sentInImperial, START } from './weather-data.js';

const DAYS = 5;
const ROWS_OF_A_DAY = 144;
const DAY = 86_400_000;
/** Number of ten-minute steps in a write. With 1,000 stations a write has 12,000 rows. */
const STEPS = 12;

/** New stores with 1,000 stations. */
export interface Opened {
  readonly stores: Stores;
  readonly numbers: readonly number[];
  readonly folder: string;
}
type Open = (name: string, url: string) => Promise<Opened>;

/**
 * Prints the number of stored bytes per row of 12 variables, for rows that were sent in metric units and for rows that were sent
 * in imperial units. The bytes are measured in three places: in a chunk, which has all rows of one station in a day; in a run,
 * which is the data of one commit and here has one row of each station; and in the data file of five days.
 */
export async function compareSizes(open: Open): Promise<void> {
  console.log('| bytes a row × 12 | chunk | run | data file |\n| --- | ---: | ---: | ---: |');
  const systems = { metric: (batch: ObservationBatch) => batch, '°F, inHg, mph, in, mi': sentInImperial };
  for (const [name, sent] of Object.entries(systems)) {
    const { stores, numbers, folder } = await open(`sizes-${name.length}`, 'sqlite:');
    const steps = DAYS * ROWS_OF_A_DAY;
    for (let step = 0; step < steps; step += STEPS) {
      const batch = sent(makeBatch(numbers, step, step + STEPS, 'time'));
      await stores.observations.write([{ batch }]);
    }
    const store = stores.observations as SqliteObservationStore;
    // Merging turns the data of single commits into chunks of single stations. `merge` is called twice, because the first call
    // may only wait for a merge that began before the last write.
    await store.merge();
    await store.merge();
    await stores.close();
    const chunks = numbers.map((number) =>
      encodeChunk(
        { station: number, day: START / DAY, days: 1 },
        sent(makeBatch([number], 0, ROWS_OF_A_DAY, 'station')),
      ),
    );
    const places = numbers.map((station, from) => ({ station, from, inserted: 1 }));
    const run = encodeRun([0, 1], places, sent(makeBatch(numbers, 0, 1, 'station')));
    const sizes = [
      chunks.reduce((sum, { length }) => sum + length, 0) / (numbers.length * ROWS_OF_A_DAY),
      run.length / numbers.length,
      statSync(join(folder, 'weatherd.db')).size / (steps * numbers.length),
    ];
    console.log(`| ${[name, ...sizes.map((size) => size.toFixed(1))].join(' | ')} |`);
  }
  console.log('');
}
