import { expect } from 'chai';
import sinon from 'sinon';
import { UNLIMITED } from '#application/observations/read/gate/permit.js';
import { ReadRecent } from '#application/observations/read/current/read-recent.js';
import type { ObservationQuery } from '#application/ports/observation-store.js';
import { damagedData } from '#domain/weather/damaged-data.js';
import { V } from '#domain/weather/variables.js';
import { domainErrorOf } from '../../../support/rejection.js';
import { addStation, record } from '../../../support/weather-world.js';
import { World } from '../../../support/world.js';

const NOW = Date.parse('2024-03-01T12:00:00Z');

describe('the present day of several stations', () => {
  let world: World;
  let ids: string[];
  beforeEach(async () => {
    world = await World.make();
    ids = ['A', 'B', 'C', 'D', 'E'];
    for (const [index, id] of ids.entries()) {
      await addStation(world, {
        id,
        identifiers: {},
        timeZone: index % 2 === 0 ? 'UTC' : 'America/New_York',
      });
      await record(
        world,
        '2024-03-01T00:00:00Z',
        { air_temperature: Array.from({ length: 13 }, (_, hour) => hour + index) },
        id,
      );
    }
  });
  afterEach(() => sinon.restore());
  const stations = () => world.stores.stations.list();
  const read = () => world.get(ReadRecent);

  it('is that of each zone', async () => {
    const all = await stations();
    const found = await read().execute(all, NOW, UNLIMITED);
    const shown = (today: unknown) =>
      JSON.stringify(today, (_key, value: unknown) =>
        value instanceof Map ? [...(value as Map<unknown, unknown>)] : value,
      );
    const extremes = all.map(({ number }) => shown(found.get(number)?.today));
    expect(new Set(extremes).size).to.equal(5);
    expect([...found.keys()]).to.have.members(all.map(({ number }) => number));
    for (const { number } of all) expect(found.get(number)?.trends.has(V.seaLevelPressure)).to.equal(true);
    // Later rows are not considered.
    const before = await read().execute(all, NOW - 1, UNLIMITED);
    expect(shown(before.get(all[0]?.number ?? 0)?.today)).not.to.equal(extremes[0]);
    const alone = await read().execute(all.slice(2, 3), NOW, UNLIMITED);
    expect(alone.get(all[2]?.number ?? 0)).to.deep.equal(found.get(all[2]?.number ?? 0));
  });

  it('gives way to others after each batch, and stops when the caller has gone', async () => {
    const turn = sinon.fake.resolves(undefined);
    await read().execute(await stations(), NOW, { ...UNLIMITED, turn });
    expect(turn.callCount).to.be.at.least(1);
    const signal = AbortSignal.abort(new Error('gone'));
    let error: unknown;
    await read()
      .execute(await stations(), NOW, { ...UNLIMITED, signal })
      .catch((reason: unknown) => (error = reason));
    expect(error).to.have.property('message', 'gone');
  });

  it('leaves out stations with damaged rows, wherever they are', async () => {
    const all = await stations();
    const { observations } = world.stores;
    const original = observations.read.bind(observations);
    for (const damaged of [['A'], ['E'], ['B', 'D'], ids, []]) {
      const numbers = new Set(all.filter(({ id }) => damaged.includes(id)).map(({ number }) => number));
      sinon.stub(observations, 'read').callsFake(async function* (query: ObservationQuery) {
        if (query.stations?.some((number) => numbers.has(number)) === true) throw damagedData('A', NOW);
        yield* original(query);
      });
      const found = await read().readable(all, NOW, UNLIMITED);
      const left = all.filter(({ number }) => found.has(number)).map(({ id }) => id);
      expect(left).to.deep.equal(ids.filter((id) => !damaged.includes(id)));
      if (damaged.length > 0) await domainErrorOf(read().execute(all, NOW, UNLIMITED), 'DATA_DAMAGED');
      sinon.restore();
    }
    sinon.stub(observations, 'read').throws(new Error('a defect'));
    let error: unknown;
    await read()
      .readable(all, NOW, UNLIMITED)
      .catch((reason: unknown) => (error = reason));
    expect(error).to.have.property('message', 'a defect');
  });

  it('is estimated by the reporting intervals', async () => {
    const [first] = await stations();
    const cells = (...intervals: (number | null)[]) =>
      read().cellsOf(intervals.map((reportingInterval) => ({ ...first, reportingInterval }) as never));
    expect(cells(3600)).to.equal(25 * 12);
    expect(cells(null)).to.equal(150 * 12);
    expect(cells(3600, 7000)).to.equal((25 + 13) * 12);
    expect(cells()).to.equal(0);
  });
});
