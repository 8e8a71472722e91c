import { expect } from 'chai';
import sinon from 'sinon';
import { CountValues } from '#application/observations/removal/count-values.js';
import { FindValues } from '#application/observations/removal/find-values.js';
import { RemoveValues } from '#application/observations/removal/remove-values.js';
import type { StationDescription } from '#application/ports/observation-store.js';
import { MILLISECONDS } from '#domain/time.js';
import { V } from '#domain/weather/variables.js';
import { domainErrorOf, rejectionOf } from '../../../support/rejection.js';
import { addStation, record } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const { hour, day } = MILLISECONDS;
const START = Date.parse('2024-03-01T00:00:00Z');
const NONE = Number.NaN;

describe('the removal of values', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    await addStation(world);
  });
  afterEach(() => sinon.restore());

  const find = (from: number | string, to: number | string, more: object = {}) =>
    world.get(FindValues).execute('JFK', { from, to, ...more });
  const remove = (from: number | string, to: number | string, more: object = {}, watch: object = {}) =>
    world.get(RemoveValues).execute('JFK', { from, to, ...more }, CALLER, watch);
  const fill = () =>
    record(world, '2024-03-01T00:00:00Z', {
      air_temperature: [1, 2, NONE, 4, 5, 6],
      relative_humidity: [50, NONE, 52, 53, 54, 55],
    });
  const rows = async () => {
    const found: string[] = [];
    for await (const { times, values } of world.stores.observations.read({ from: -Infinity, to: Infinity }))
      for (const [row, time] of times.entries())
        found.push(
          `${(time - START) / hour}: ${[V.temperature, V.humidity].map((variable) => values.get(variable)?.[row]).join()}`,
        );
    return found;
  };

  it('removes the values of a range and of some variables, tells how many, and writes it down', async () => {
    await fill();
    const counts = await remove(START + hour, START + 4 * hour, { variables: ['air_temperature'] });
    expect(counts).to.deep.equal({ rows: 2, values: 2 });
    expect(await rows()).to.deep.equal(['0: 1,50', '2: NaN,52', '3: NaN,53', '4: 5,54', '5: 6,55']);
    expect(await remove(START, START + 3 * hour)).to.deep.equal({ rows: 2, values: 3 });
    expect(await rows()).to.deep.equal(['3: NaN,53', '4: 5,54', '5: 6,55']);
    const events = (await world.stores.audit.list(10)).filter(
      ({ action }) => action === 'observations-remove',
    );
    expect(
      events.map(({ subject, outcome, detail }) => ({ subject, outcome, detail })).toReversed(),
    ).to.deep.equal([
      { subject: 'JFK', outcome: 'done', detail: { from: START + hour, to: START + 3 * hour, rows: 2 } },
      { subject: 'JFK', outcome: 'done', detail: { from: START, to: START + 2 * hour, rows: 2 } },
    ]);
    // Where nothing is removed, nothing is written.
    expect(await remove(START, START + hour)).to.deep.equal({ rows: 0, values: 0 });
    expect(await remove(START + 30 * day, START + 31 * day)).to.deep.equal({ rows: 0, values: 0 });
    expect(
      (await world.auditTrail()).filter((line) => line.startsWith('observations-remove')),
    ).to.have.length(2);
  });

  it('ends with the reason of the signal, and refuses what does not exist', async () => {
    await fill();
    const signal = AbortSignal.abort(new Error('enough'));
    expect(await rejectionOf(remove(START, START + day, {}, { signal }))).to.have.property(
      'message',
      'enough',
    );
    expect(await rows()).to.have.length(6);
    await domainErrorOf(remove(START, START - 1), 'REQUEST_INVALID');
    await domainErrorOf(remove(START, START + 1, { variables: ['warmth'] }), 'REQUEST_INVALID');
    await domainErrorOf(remove('2024-13-01', START), 'REQUEST_INVALID');
    const request = { from: START, to: START + 1 };
    await domainErrorOf(world.get(RemoveValues).execute('LGA', request, CALLER, {}), 'STATION_UNKNOWN');
  });

  it('FindValues › finds the values in at most 100 parts of whole days, within the rows of the station', async () => {
    expect(await find(START, START + day)).to.deep.include({ ranges: [], expected: 0 });
    await record(world, '2024-03-01T00:00:00Z', { air_temperature: Array.from({ length: 50 }, () => 1) });
    const last = START + 49 * hour;
    const station = (await world.stores.stations.list())[0];
    const number = station?.number;
    const inDays = await find(START - day, START + 10 * day, {
      variables: ['relative_humidity', 'air_temperature'],
    });
    const variables = [V.humidity, V.temperature];
    expect(inDays).to.deep.equal({
      station,
      ranges: [
        { station: number, from: START, to: START + day, variables },
        { station: number, from: START + day, to: START + 2 * day, variables },
        { station: number, from: START + 2 * day, to: last + 1, variables },
      ],
      expected: 50,
    });
    const inside = await find(START + hour, START + 3 * hour);
    expect(inside.ranges).to.deep.equal([
      { station: number, from: START + hour, to: START + 3 * hour, variables: undefined },
    ]);
    expect(inside.expected).to.equal(3);
    // Days of the station, in New York.
    const named = await find('2024-03-01', '2024-03-02');
    expect(named.ranges).to.deep.equal([
      { station: number, from: START + 5 * hour, to: START + 29 * hour, variables: undefined },
    ]);
    const utc = await find('2024-03-01', '2024-03-02', { timeZone: 'UTC' });
    expect(utc.ranges).to.deep.include({
      station: number,
      from: START,
      to: START + day,
      variables: undefined,
    });
    expect((await find(START, START)).ranges).to.deep.equal([]);
    expect((await find(last, last + 1)).ranges).to.have.length(1);
    expect((await find(last + 1, last + 2)).ranges).to.have.length(0);
  });

  it('FindValues › joins days where there are more than 100', async () => {
    const station = (await world.stores.stations.list())[0] as StationDescription['station'];
    const described = (days: number, changes: object = {}) => {
      const inventory = { first: START, last: START + days * day - 1, count: 10 * days, variables: [1] };
      const description = {
        station: { ...station, ...changes },
        inventory,
        rows: undefined,
        lastSeen: 0,
        revision: '',
      };
      return sinon.stub(world.stores.observations, 'describe').resolves(description);
    };
    for (const [days, parts, length] of [
      [99, 99, 1],
      [100, 100, 1],
      [101, 51, 2],
      [1000, 100, 10],
      [1001, 91, 11],
    ] as const) {
      described(days);
      const { ranges, expected } = await find(START - day, START + 5000 * day);
      expect(ranges, `${days} days`).to.have.length(parts);
      expect(ranges[0]).to.include({ from: START, to: START + length * day });
      expect(ranges.at(-1)).to.include({ to: START + days * day });
      expect(ranges.every(({ from }, index) => index === 0 || from === ranges[index - 1]?.to)).to.equal(true);
      expect(expected).to.equal(10 * days);
      sinon.restore();
    }
    described(1, { damaged: [{ field: 'timeZone', reason: 'is not known' }] });
    await domainErrorOf(find(START, START + 1), 'DATA_DAMAGED');
  });

  it('CountValues › counts what would be removed, range by range', async () => {
    await fill();
    const number = (await world.stores.stations.list())[0]?.number ?? 0;
    const range = { station: number, from: START + hour, to: START + 4 * hour };
    const rest: number[] = [];
    const count = world.get(CountValues);
    const ranges = [range, { ...range, variables: [V.temperature] }, { ...range, station: number + 1 }];
    expect(await count.execute(ranges, { onRemaining: (left) => rest.push(left) })).to.deep.equal([
      { station: number, rows: 3, values: 4 },
      { station: number, rows: 2, values: 2 },
      { station: number + 1, rows: 0, values: 0 },
    ]);
    expect(rest).to.deep.equal([2, 1, 0]);
    const signal = AbortSignal.abort(new Error('enough'));
    expect(await rejectionOf(count.execute(ranges, { signal }))).to.have.property('message', 'enough');
  });
});
