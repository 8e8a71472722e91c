import { expect } from 'chai';
import { FindUsualValues } from '#application/observations/climate/find-usual-values.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import {
  type ImportedTimesOfStation,
  SetLongerIntervals,
} from '#application/observations/imports/set-longer-intervals.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { periodsOf } from '#domain/weather/station-history.js';
import { RoutineDistances } from '#domain/weather/summaries/routine-interval.js';
import { addStation, sentColumns } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** June of six years each hour, and June of the next year every ten minutes, in the zone of the station. */
const ARCHIVE = [2007, 2008, 2009, 2010, 2011, 2012];
const OWN = 2013;
const startOf = (year: number) => Date.parse(`${year}-06-01T00:00:00-04:00`);

const distancesOf = (times: readonly number[]) => {
  const distances = new RoutineDistances();
  for (const time of times) distances.add(time);
  return distances;
};

describe('SetLongerIntervals', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
  });

  const record = async (from: number, to: number, minutes: number): Promise<ImportedTimesOfStation> => {
    const times = Float64Array.from(
      { length: Math.ceil((to - from) / (minutes * MINUTE)) },
      (_, row) => from + row * minutes * MINUTE,
    );
    const columns = sentColumns({ air_temperature: [...times].map((_, row) => 15 + (row % 5)) });
    await world.get(RecordObservations).execute({ stations: 'JFK', times, columns }, CALLER);
    return {
      first: from,
      last: times.at(-1) as number,
      named: undefined,
      distances: distancesOf([...times]),
    };
  };
  const recordArchive = async (): Promise<ImportedTimesOfStation> => {
    const parts: ImportedTimesOfStation[] = [];
    for (const year of ARCHIVE) parts.push(await record(startOf(year), startOf(year) + 30 * DAY, 60));
    const [first, last] = [parts[0], parts.at(-1)] as [ImportedTimesOfStation, ImportedTimesOfStation];
    return { ...first, last: last.last };
  };
  const set = async (range: ImportedTimesOfStation) => {
    const added = await world.get(SetLongerIntervals).execute(new Map([['JFK', range]]), CALLER);
    return added.map(({ seconds, before }) => `${seconds} in place of ${before}`);
  };
  /** `start of the period: seconds`. */
  const history = async () =>
    periodsOf((await world.get(DescribeStation).execute('JFK')).station).map(
      ({ since, reportingInterval }) =>
        `${since === null ? '' : new Date(since).toISOString().slice(0, 13)}: ${reportingInterval}`,
    );
  const usual = async () => {
    const described = await world.get(DescribeStation).execute('JFK');
    const input = { from: '06-15', to: '06-15', dayStart: 0 };
    const days = await world.get(FindUsualValues).execute(described, input);
    const { hours } = await world.get(FindUsualValues).hours(described, input);
    return [days.usual.get('air_temperature')?.[0]?.count, hours[0]?.[12]?.count];
  };

  it('gives an hourly archive of a station that reports every 10 minutes its usual values', async () => {
    await addStation(world, { reportingInterval: 600 });
    await record(startOf(OWN), startOf(OWN) + 30 * DAY, 10);
    const range = await recordArchive();
    // The window of a date is 15 days of each year.
    expect(await usual()).to.deep.equal([15, 15]);
    expect(await set(range)).to.deep.equal(['3600 in place of 600']);
    expect(await usual()).to.deep.equal([7 * 15, 7 * 15]);
    expect(await history()).to.deep.equal([': 600', '2007-06-01T04: 3600', '2012-07-01T04: 600']);
    // The same import again changes nothing.
    expect(await set(range)).to.deep.equal([]);
    expect(await history()).to.have.length(3);
    expect((await world.auditTrail()).filter((event) => event === 'station-put done JFK')).to.have.length(3);
  });

  it('leaves the time of the own rows, also where the archive covers it', async () => {
    await addStation(world, { reportingInterval: 600 });
    await record(startOf(OWN), startOf(OWN) + 30 * DAY, 10);
    await set(await record(startOf(OWN) - 20 * DAY, startOf(OWN) + 30 * DAY, 60));
    expect(await history()).to.deep.equal([': 600', '2013-05-12T04: 3600', '2013-06-01T04: 600']);
  });

  it('changes nothing after rows that are closer together, or that lack reports', async () => {
    await addStation(world, { reportingInterval: 3600 });
    expect(await set(await record(startOf(OWN), startOf(OWN) + 30 * DAY, 10))).to.deep.equal([]);
    expect(await usual()).to.deep.equal([15, 15]);
    expect(await set(await record(startOf(2012), startOf(2012) + 3 * DAY, 180))).to.deep.equal([]);
    expect(await history()).to.deep.equal([': 3600']);
  });

  it('keeps the other periods of the history, and does not name an interval where none is known', async () => {
    await addStation(world, {
      reportingInterval: 600,
      elevation: 7,
      earlier: [
        { latitude: 40, longitude: -73, elevation: 3, reportingInterval: null, until: startOf(2009) },
        {
          latitude: 40,
          longitude: -73,
          elevation: 5,
          reportingInterval: 300,
          until: startOf(2011) + 10 * DAY,
        },
      ],
    });
    expect(await set(await recordArchive())).to.deep.equal(['3600 in place of 300', '3600 in place of 600']);
    const { station } = await world.get(DescribeStation).execute('JFK');
    expect(
      periodsOf(station).map(({ elevation, reportingInterval }) => [elevation, reportingInterval]),
    ).to.deep.equal([
      [3, null],
      [5, 3600],
      [7, 3600],
      [7, 600],
    ]);
  });

  it('sees periods with the same interval as one time', async () => {
    const earlier = Array.from({ length: 10 }, (_, index) => ({
      latitude: 40,
      longitude: -73,
      elevation: index,
      reportingInterval: 600,
      until: startOf(2012) + (index + 1) * 3 * DAY,
    }));
    await addStation(world, { reportingInterval: 600, earlier });
    expect(await set(await record(startOf(2012), startOf(2012) + 30 * DAY, 60))).to.deep.equal([
      '3600 in place of 600',
    ]);
    const { station } = await world.get(DescribeStation).execute('JFK');
    const periods = periodsOf(station).map(
      ({ elevation, reportingInterval }) => `${elevation}: ${reportingInterval}`,
    );
    expect(periods).to.deep.equal([
      '0: 600',
      ...earlier.map(({ elevation }) => `${elevation}: 3600`),
      '4: 600',
    ]);
  });

  it('leaves a history that would get more than a hundred periods', async () => {
    const earlier = Array.from({ length: 99 }, (_, index) => ({
      latitude: 40,
      longitude: -73,
      elevation: index,
      reportingInterval: 600,
      until: startOf(2000) + index * DAY,
    }));
    await addStation(world, { reportingInterval: 600, earlier });
    expect(await set(await record(startOf(2012), startOf(2012) + 30 * DAY, 60))).to.deep.equal([]);
    expect(await history()).to.have.length(100);
  });

  it('ends an interval now, where the imported rows are of today', async () => {
    await addStation(world, { reportingInterval: 600 });
    const now = world.clock.now();
    expect(await set(await record(now - 20 * DAY, now, 60))).to.deep.equal(['3600 in place of 600']);
    const { station } = await world.get(DescribeStation).execute('JFK');
    expect([station.reportingInterval, station.earlier?.at(-1)?.until]).to.deep.equal([600, now]);
  });

  it('ignores stations that do not exist or have no rows', async () => {
    await addStation(world, { reportingInterval: 600 });
    const range = { first: 0, last: DAY, named: undefined, distances: distancesOf([]) };
    const added = await world.get(SetLongerIntervals).execute(
      new Map([
        ['JFK', range],
        ['LGA', range],
      ]),
      CALLER,
    );
    expect(added).to.deep.equal([]);
  });
});
