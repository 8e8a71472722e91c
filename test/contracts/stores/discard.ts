import { expect } from 'chai';
import type { Stores } from '#application/ports/stores.js';
import { flipped, type RawStore } from '../../support/raw-store.js';
import { WATCH } from '../../support/verify-watch.js';
import { describeRows, hourlyRows } from './erase.js';
import { JFK } from './station-store.js';

/** The time of hour 0 of `hourlyRows`. */
const START = Date.UTC(2024, 1, 28);
const HOUR = 3_600_000;
/** Number of writes beside a call that discards. */
const WRITES = 20;

/** The rules for discarding damaged data in every store with tables. */
export function discardContract(opened: () => Stores, raw: () => RawStore): void {
  let station: number;

  const write = (hour: number, value: number) =>
    opened().observations.write([{ batch: hourlyRows([[station, hour, { 1: value }]]) }]);
  const discard = () => opened().verifier.discard(WATCH);

  beforeEach(async () => {
    const [made] = await opened().stations.put([{ ...JFK, limits: {} }]);
    station = made?.station.number ?? 0;
    await write(0, 5);
    // Two months later, so that the rows are in two chunks.
    await write(1500, 6);
    await (opened().observations as unknown as { merge(): Promise<void> }).merge();
    const [key, name] = raw().isSqlite ? ['key', 'chunk'] : ['day', 'weatherd.chunk'];
    expect(await raw().change('chunk', `${key} = (SELECT min(${key}) FROM ${name})`, flipped)).to.equal(1);
    const { recheck } = opened();
    await recheck.finish((await recheck.requests(9)).map(({ id }) => ({ id })));
  });

  it('discards only what is damaged, and the rows that are left are checked again', async () => {
    expect((await discard()).damage).to.have.length(1);
    const { damage, differences } = await opened().verifier.verify(WATCH);
    expect([damage, differences]).to.deep.equal([[], []]);
    expect(await describeRows(opened())).to.deep.equal([`${station} 1500h 1=6`]);
    const [inventory] = await opened().observations.inventory([station]);
    const time = START + 1500 * HOUR;
    expect(inventory).to.deep.equal({ first: time, last: time, count: 1, variables: [1] });
    const requests = await opened().recheck.requests(9);
    expect(requests.map(({ from, to, spreads }) => [from, to, spreads])).to.deep.equal([
      [time, time + 1, true],
    ]);
  });

  it('discards while rows come in', async () => {
    const discarding = discard();
    for (let hour = 1501; hour <= 1500 + WRITES; hour += 1) await write(hour, 6);
    expect((await discarding).damage).to.have.length(1);
    const { damage, differences } = await opened().verifier.verify(WATCH);
    expect([damage, differences]).to.deep.equal([[], []]);
    expect((await opened().observations.inventory([station]))[0]?.count).to.equal(1 + WRITES);
  });
}
