import { isDeepStrictEqual } from 'node:util';
import type { Stores } from '#application/ports/stores.js';
import { DRAFTS, editsOf, RECHECK_FROM, rowsOf } from './churned-steps.js';
import { catchUp, recheckOf } from './recheck.js';
import { openLocalStores } from './local-stores.js';

/**
 * Finishes the recheck of a store whose writing process was killed. Then compares all flags with the flags of a new store, which
 * gets the same steps without an interruption.
 *
 * @param stored number of steps whose rows are in the store
 * @param steps number of steps that the process acknowledged before it was killed
 * @throws Error if a flag differs
 */
export async function compareFlags(stores: Stores, stored: number, steps: number): Promise<void> {
  const whole = openLocalStores();
  await whole.stations.put(DRAFTS);
  for (let step = 0; step < stored; step += 1) {
    await whole.observations.write([{ batch: rowsOf(step) }]);
    if (step < steps) await whole.stations.change(editsOf(step), { recheckAround: RECHECK_FROM });
  }
  // The change of the last step may be stored although it was not acknowledged.
  for (const { id, limits } of await stores.stations.list()) {
    const isOfLast = editsOf(steps).some((edit) => edit.id === id);
    const expectedLimits = (await whole.stations.find(id))?.limits;
    if (isDeepStrictEqual(expectedLimits, limits)) continue;
    if (!isOfLast)
      throw new Error(
        `The station ${id} has unexpected limits: ${JSON.stringify({ limits, known: expectedLimits })}`,
      );
    await whole.stations.change(editsOf(steps), { recheckAround: RECHECK_FROM });
  }
  await catchUp(recheckOf(whole));
  await catchUp(recheckOf(stores));
  const expected = await flagsOf(whole);
  let failed = 0;
  for (const [place, flag] of await flagsOf(stores)) {
    if (flag !== expected.get(place))
      throw new Error(`${place} has the flag ${flag} instead of ${expected.get(place)}`);
    failed += flag > 0 ? 1 : 0;
  }
  if (stored > DRAFTS.length && failed === 0) throw new Error('No value has failed quality control.');
}

/** The flags of all values, by station, time and variable. */
async function flagsOf({ observations }: Stores): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for await (const { stations, times, values, flags } of observations.read({ from: 0, to: 8e15 }))
    for (const [row, station] of stations.entries())
      for (const [variable, column] of values)
        if (!Number.isNaN(column[row]))
          found.set(
            `variable ${variable} of station ${station} at ${times[row]}`,
            flags.get(variable)?.[row] ?? 0,
          );
  return found;
}
