import { expect } from 'chai';
import sinon from 'sinon';
import { ChangeStations, type StationRequest } from '#application/stations/change-stations.js';
import { assertNumbers, StationDirectory } from '#application/stations/station-directory.js';
import { replacementEdit } from '#domain/weather/station-edit.js';
import { periodsOf } from '#domain/weather/station-history.js';
import { domainErrorOf, rejectionOf } from '../../support/rejection.js';
import { addStation, STATION } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const observed = (from: number, until: number, dailyObservationTime: string) => ({
  from,
  until,
  dailyObservationTime,
});

describe('ChangeStations', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    await addStation(world);
  });
  afterEach(() => sinon.restore());

  const change = (edit: Omit<StationRequest, 'id'>, id = 'JFK') =>
    world.get(ChangeStations).execute([{ id, ...edit }], CALLER);
  const begins = async (since: number | string, edit: StationRequest['change'] = { latitude: 41 }) => {
    await change({ change: edit, since });
    const station = await world.stores.stations.find('JFK');
    return station && new Date(periodsOf(station).at(-1)?.since ?? NaN).toISOString();
  };

  it('brings a change into force at an instant, or at the first one of a day of the station', async () => {
    expect(await begins(Date.UTC(2024, 0, 1))).to.equal('2024-01-01T00:00:00.000Z');
    expect(await begins('2024-03-11')).to.equal('2024-03-11T04:00:00.000Z');
    expect(await begins('2024-03-12', { latitude: 42, timeZone: 'UTC' })).to.equal(
      '2024-03-12T00:00:00.000Z',
    );
    expect(await begins(world.clock.time, { latitude: 43 })).to.equal(
      new Date(world.clock.time).toISOString(),
    );
  });

  it('refuses times before 1600, in the future, and that are no date', async () => {
    const message = async (since: number | string) =>
      (await domainErrorOf(change({ change: { latitude: 41 }, since }), 'REQUEST_INVALID')).message;
    expect(await message(Date.UTC(1600, 0, 1) - 1)).to.include('before 1600');
    await change({ change: { latitude: 41 }, since: Date.UTC(1600, 0, 1) });
    expect(await message(world.clock.time + 1)).to.include('in the future');
    expect(await message('2024-02-30')).to.equal(
      '"since" is "2024-02-30", which is not a date: February 2024 has 29 days.',
    );
    await domainErrorOf(change({ change: {}, since: '2024-01-01' }, 'LGA'), 'STATION_UNKNOWN');
    const zone = await domainErrorOf(change({ change: { timeZone: 'Europe/Bonn' } }), 'REQUEST_INVALID');
    expect(zone.message).to.include('There is no time zone "Europe/Bonn"');
    await domainErrorOf(change({ create: { ...STATION, timeZone: 'Europe/Bonn' } }), 'REQUEST_INVALID');
    await domainErrorOf(change({ change: {} }, 'a b'), 'REQUEST_INVALID');
  });

  it('needs no zone that cannot be read where the change names one', async () => {
    const known = await world.stores.stations.find('JFK');
    const damaged = [{ field: 'timeZone', reason: 'names no time zone' }] as const;
    sinon.stub(world.stores.stations, 'find').resolves({ ...known, damaged } as never);
    await domainErrorOf(change({ change: { latitude: 41 }, since: '2024-01-01' }), 'DATA_DAMAGED');
    await change({ change: { latitude: 41, timeZone: 'UTC' }, since: '2024-01-01' });
    sinon.restore();
    sinon
      .stub(world.stores.stations, 'find')
      .resolves({ ...known, damaged: [{ field: 'limits', reason: 'x' }] } as never);
    await change({ change: { latitude: 42 }, since: '2024-01-02' });
  });

  it('writes what one change says of the view of others, and how many stations several have', async () => {
    const details: [StationRequest[], unknown][] = [
      [[{ id: 'JFK', change: { name: 'x' } }], ['JFK', null]],
      [[{ id: 'JFK', change: { visibility: 'hidden' } }], ['JFK', { visibility: 'hidden' }]],
      [
        [{ id: 'JFK', change: { positionDecimals: 1 }, since: 5 }],
        ['JFK', { since: 5, positionDecimals: 1 }],
      ],
      [
        [{ id: 'LGA', create: { ...STATION, id: 'LGA', identifiers: {}, visibility: 'hidden' } }],
        ['LGA', { visibility: 'hidden' }],
      ],
      [
        [
          { id: 'JFK', change: { visibility: 'public' } },
          { id: 'LGA', change: {} },
        ],
        ['2 stations', null],
      ],
      [
        [
          { id: 'JFK', change: { visibility: 'hidden' } },
          { id: 'LGA', change: {} },
          { id: 'JFK', change: { visibility: 'public' } },
        ],
        ['2 stations', null],
      ],
      [
        [
          { id: 'JFK', change: { visibility: 'hidden' }, since: 5 },
          { id: 'JFK', change: { visibility: 'public', positionDecimals: 2 } },
          { id: 'JFK', change: { name: 'y' } },
        ],
        ['JFK', { since: 5, visibility: 'public', positionDecimals: 2 }],
      ],
      [
        [{ id: 'LGA', change: { dailyObservationTime: '00:00' } }],
        ['LGA', { dailyObservationTime: '24:00' }],
      ],
      [[{ id: 'LGA', change: { dailyObservationTime: null } }], ['LGA', { dailyObservationTime: null }]],
      [
        [{ ...replacementEdit({ ...STATION, id: 'LGA', identifiers: {}, dailyObservationTime: null }) }],
        ['LGA', null],
      ],
      [
        [
          {
            id: 'LGA',
            observed: [observed(1, 2, '07:00'), observed(2, 3, '00:00'), observed(4, 5, '07:00')],
          },
        ],
        ['LGA', { dailyObservationTime: '07:00, 24:00' }],
      ],
    ];
    for (const [edits, expected] of details) {
      await world.get(ChangeStations).execute(edits, CALLER);
      const [event] = await world.stores.audit.list(1);
      expect([event?.subject, event?.detail]).to.deep.equal(expected);
    }
  });
});

describe('times of observation', () => {
  it('are set where the history has none, end now, and cause no check of stored values', async () => {
    const world = await World.make();
    await addStation(world);
    const { time: now } = world.clock;
    const recheck = await world.stores.recheck.requests(1000);
    const edit = {
      id: 'JFK',
      observed: [observed(0, now / 2, '00:00'), observed(now / 2, now + 5, '07:00')],
    };
    const [change] = await world.get(ChangeStations).execute([edit], CALLER);
    const periods = periodsOf(change?.station ?? STATION);
    expect(
      periods.map(({ since, dailyObservationTime = null }) => [since, dailyObservationTime]),
    ).to.deep.equal([
      [null, null],
      [0, '24:00'],
      [now / 2, '07:00'],
      [now, null],
    ]);
    expect(await world.stores.recheck.requests(1000)).to.deep.equal(recheck);
    await world.get(ChangeStations).execute([{ id: 'JFK', change: { latitude: 41 }, since: 5 }], CALLER);
    expect(await world.stores.recheck.requests(1000)).to.have.length.above(recheck.length);
    const wrong = { id: 'JFK', observed: [observed(0, 5, '25:00')] };
    await domainErrorOf(world.get(ChangeStations).execute([wrong], CALLER), 'REQUEST_INVALID');
    await domainErrorOf(
      world.get(ChangeStations).execute([{ ...edit, id: 'LGA' }], CALLER),
      'STATION_UNKNOWN',
    );
  });
});

describe('the directory of stations', () => {
  let world: World;
  let directory: StationDirectory;
  beforeEach(async () => {
    world = await World.make();
    await addStation(world);
    directory = world.get(StationDirectory);
  });
  afterEach(() => sinon.restore());

  it('is read again only when a station has changed, and again after a failure', async () => {
    const list = sinon.spy(world.stores.stations, 'list');
    expect(await directory.current()).to.equal(await directory.current());
    const calls = list.callCount;
    await directory.current();
    expect(list.callCount).to.equal(calls);
    await addStation(world, { id: 'LGA', identifiers: {}, stampInterval: 60 });
    const { byId, byNumber, stampIntervals } = await directory.current();
    expect([...byId.keys()]).to.deep.equal(['JFK', 'LGA']);
    const number = byId.get('LGA')?.number ?? 0;
    expect(byNumber.get(number)?.id).to.equal('LGA');
    expect([...stampIntervals]).to.deep.equal([[number, 60]]);
    await addStation(world, { id: 'EWR', identifiers: {} });
    list.restore();
    const failing = sinon.stub(world.stores.stations, 'list').rejects(new Error('away'));
    expect(await rejectionOf(directory.current())).to.have.property('message', 'away');
    failing.restore();
    expect((await directory.current()).list).to.have.length(3);
  });

  it('shares one look at the version among calls that wait, and never gives one a version of before it', async () => {
    let looks = 0;
    const answers: (() => void)[] = [];
    sinon.stub(world.stores.stations, 'version').callsFake(async () => {
      looks += 1;
      await new Promise<void>((resolve) => answers.push(resolve));
      return `version ${looks}`;
    });
    const calls = Array.from({ length: 5 }, () => directory.current());
    await Promise.resolve();
    expect(looks).to.equal(1);
    answers.shift()?.();
    await calls[0];
    while (answers.length === 0) await new Promise(setImmediate);
    expect(looks).to.equal(2);
    answers.shift()?.();
    await Promise.all(calls);
    expect(looks).to.equal(2);
  });

  it('has for everybody what everybody may see', async () => {
    expect(await directory.current('everybody')).to.equal(await directory.current('users'));
    await addStation(world, { id: 'HID', identifiers: {}, visibility: 'hidden' });
    await addStation(world, { id: 'RND', identifiers: {}, positionDecimals: 1 });
    const [users, everybody] = [await directory.current('users'), await directory.current('everybody')];
    expect(users.list.map(({ id }) => id)).to.deep.equal(['HID', 'JFK', 'RND']);
    expect(everybody.list.map(({ id }) => id)).to.deep.equal(['JFK', 'RND']);
    expect(users.byId.get('RND')?.latitude).to.equal(STATION.latitude);
    expect(everybody.byId.get('RND')?.latitude).to.equal(40.6);
    expect(() => assertNumbers(everybody, [users.byId.get('JFK')?.number ?? 0])).not.to.throw();
    expect(() => assertNumbers(everybody, [users.byId.get('HID')?.number ?? 0])).to.throw(
      'There is no station with the number',
    );
  });

  it('reports damaged stations, and names a few of them', async () => {
    const stations = await world.stores.stations.list();
    const damaged = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...stations[0],
        id: `S${index}`,
        number: index + 10,
        damaged: [{ field: 'limits', reason: 'is not JSON' }],
      })) as never;
    const report = async (count: number) => {
      sinon.stub(world.stores.stations, 'version').resolves(`${count}`);
      sinon.stub(world.stores.stations, 'list').resolves(damaged(count));
      await directory.current();
      sinon.restore();
      return await directory.check.check();
    };
    expect(await report(0)).to.equal(undefined);
    expect(await report(1)).to.match(/^The station "S0" is damaged: .*backup\.$/);
    expect(await report(2)).to.match(
      / These stations are damaged too: "S1"\. "weatherd check" describes the damage\.$/,
    );
    expect(await report(60)).to.match(
      / These stations are damaged too: "S1", "S2".* and \d+ more\. "weatherd check"/,
    );
  });
});
