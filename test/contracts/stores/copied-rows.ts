import { expect } from 'chai';
import type { Stores } from '#application/ports/stores.js';
import { FLAG } from '#domain/weather/series.js';
import { describeRows, hourlyRows } from './erase.js';
import { JFK } from './station-store.js';

/** The rules for rows that are added as they are, in every store. */
export function copiedRowsContract(opened: () => Stores): void {
  let stores: Stores;
  let a: number;
  let b: number;

  beforeEach(async () => {
    stores = opened();
    const made = await stores.stations.put(['a', 'b'].map((id) => ({ ...JFK, id })));
    [a, b] = made.map(({ station }) => station.number) as [number, number];
  });

  it('keeps the flags that are given', async () => {
    const batch = hourlyRows([
      [a, 0, { 1: 5, 3: 50 }],
      [a, 1, { 1: 6 }],
      [b, 0, { 3: -0 }],
    ]);
    // Neither is what the checks would find.
    const flags = new Map([[1, Uint8Array.of(FLAG.step, FLAG.grossRange | FLAG.consistency, 0)]]);
    expect(await stores.observations.append({ ...batch, flags })).to.equal(true);
    expect(await stores.observations.append(hourlyRows([[a, 2, { 1: 900 }]]))).to.equal(true);
    const rows = [`${a} 0h 1=5/1 3=50`, `${a} 1h 1=6/5`, `${a} 2h 1=900`, `${b} 0h 3=-0`];
    const all = rows.map((row) => row.replace('/1', `/${FLAG.step}`));
    expect(await describeRows(stores)).to.deep.equal(all);
    await (stores.observations as { merge?(): Promise<void> }).merge?.();
    expect(await describeRows(stores)).to.deep.equal(all);
    const [first, second] = await stores.observations.inventory([a, b]);
    expect(first).to.deep.include({ count: 3, variables: [1, 3] });
    expect(second).to.deep.include({ count: 1, variables: [3] });
    const [newest] = await stores.observations.newest([a]);
    expect(newest?.values.get(1)).to.deep.include({ value: 900, flags: 0 });
  });

  it('adds nothing if a row is not newer than those of its station, or the station is missing', async () => {
    await stores.observations.append(hourlyRows([[a, 5, { 1: 5 }]]));
    const refused = [
      hourlyRows([[a, 5, { 1: 6 }]]),
      hourlyRows([
        [a, 6, { 1: 6 }],
        [9999, 6, { 1: 6 }],
      ]),
      hourlyRows([
        [a, 4, { 1: 6 }],
        [b, 6, { 1: 6 }],
      ]),
    ];
    for (const batch of refused) expect(await stores.observations.append(batch)).to.equal(false);
    expect(await stores.observations.append(hourlyRows([]))).to.equal(true);
    await stores.stations.hide('b', 1);
    expect(await stores.observations.append(hourlyRows([[b, 6, { 1: 6 }]]))).to.equal(false);
    expect(await describeRows(stores)).to.deep.equal([`${a} 5h 1=5`]);
  });

  it('checks later rows by those that were added', async () => {
    await stores.observations.append(hourlyRows([[a, 0, { 1: 5 }]]));
    await stores.observations.write([{ batch: hourlyRows([[a, 1, { 1: 45 }]]) }]);
    expect(await describeRows(stores)).to.deep.equal([`${a} 0h 1=5`, `${a} 1h 1=45/${FLAG.step}`]);
  });
}
