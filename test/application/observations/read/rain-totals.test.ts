import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { RainTotals } from '#application/observations/read/current/rain-totals.js';
import { ReadRecent } from '#application/observations/read/current/read-recent.js';
import { SumRain } from '#application/observations/read/current/sum-rain.js';
import { UNLIMITED } from '#application/observations/read/gate/permit.js';
import { Announcer } from '#composition/graph/tokens.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { addStation, record } from '../../../support/weather-world.js';
import { World } from '../../../support/world.js';

const HOUR = 3_600_000;

describe('the rain of the month and the year at each change', () => {
  it('is the sum that is read again, whatever changes, today or before', async () => {
    const change = fc.record({
      /** How many hours after the change before it, and how old the changed row is. */
      after: fc.constantFrom(1, 3, 20, 24, 700),
      age: fc.constantFrom(0, 0, 0, 1, 5, 24, 800),
      amount: fc.constantFrom(0, 0.25, 3, Number.NaN),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 7 }), async (changes) => {
        const world = await World.make();
        await addStation(world);
        const totals = world.get(RainTotals);
        world.container.get(Announcer).subscribe(['observations'], (announcement) => {
          if (announcement.kind === 'observations') totals.forget(announcement.changes);
        });
        world.clock.time = Date.parse('2023-12-29T20:00:00Z');
        for (const { after, age, amount } of changes) {
          world.clock.time += after * HOUR;
          const now = world.clock.time;
          await record(world, new Date(now - age * HOUR).toISOString(), {
            precipitation_amount: [amount],
            air_temperature: [age + amount],
          });
          // Changes are announced in a later turn of the event loop.
          await nextTurn();
          const station = (await world.get(StationDirectory).current()).byId.get('JFK');
          if (station === undefined) throw new Error('no station');
          const recent = (await world.get(ReadRecent).execute([station], now, UNLIMITED)).get(station.number);
          if (recent === undefined) throw new Error('no day');
          const sums = await totals.execute(station, recent.today, UNLIMITED);
          expect(sums).to.deep.equal(await world.get(SumRain).execute('JFK', now));
        }
      }),
      { numRuns: 25 },
    );
  });
});
