import { expect } from 'chai';
import { permitsOf } from '#adapters/http/external/read-permits.js';
import { ComputeDrought } from '#application/observations/climate/compute-drought.js';
import { ComputeIndices } from '#application/observations/climate/compute-indices.js';
import { ComputeNormals } from '#application/observations/climate/compute-normals.js';
import { FindRecords } from '#application/observations/climate/find-records.js';
import { ListClimateMonths } from '#application/observations/climate/list-climate-months.js';
import { MakeNoaaReport } from '#application/observations/climate/make-noaa-report.js';
import { SumDegreeDays } from '#application/observations/climate/sum-degree-days.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { READ_LIMITS, ReadGate } from '#application/observations/read/gate/read-gate.js';
import type { DomainError } from '#domain/domain-error.js';
import { dateText } from '#domain/weather/climate/climate-days.js';
import type { YearSpan } from '#domain/weather/climate/normals.js';
import { DEFAULT_BASES } from '#domain/weather/summaries/of-days.js';
import type { StationDraft } from '#domain/weather/station.js';
import { domainErrorOf } from '../../../support/rejection.js';
import { addStation, record } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const MONTHS = { dayStart: 0, rule: 'wmo_1203' } as const;

describe('climate of a station', () => {
  /** A world with the station JFK, whose reports come every six hours. */
  async function given(station: Partial<StationDraft> = {}): Promise<World> {
    const world = await World.make();
    await addStation(world, { reportingInterval: 21_600, timeZone: 'UTC', ...station });
    return world;
  }

  /** Records four values a day: `values` in order of time. */
  async function fill(world: World, from: string, values: Readonly<Record<string, readonly number[]>>) {
    const sixHourly = Object.entries(values).map(([name, column]) => [
      name,
      column.flatMap((value) => [value, ...Array.from({ length: 5 }, () => Number.NaN)]),
    ]);
    await record(world, from, Object.fromEntries(sixHourly) as Record<string, number[]>);
  }

  const described = (world: World) => world.get(DescribeStation).execute('JFK');
  const months = async (world: World, input: { dayStart?: number } = {}) => {
    const table = await world.get(ListClimateMonths).execute(await described(world), { ...MONTHS, ...input });
    const found = (table.sections['months'] ?? []).map(({ label, figures }) => {
      const cells = figures.map((figure, index) => [table.elements[index]?.name ?? '', figure] as const);
      return [label, Object.fromEntries(cells)] as const;
    });
    return new Map(found);
  };

  it('never takes values that are suspect or failed', async () => {
    const world = await given();
    const january = Array.from({ length: 31 * 4 }, (_, index) => index % 4);
    // 70 °C is outside of the limits; 25 °C is below the dew point.
    await fill(world, '2013-01-01T00:00:00Z', {
      air_temperature: january.with(41, 70).with(82, 25),
      dew_point_temperature: january.map(() => Number.NaN).with(82, 30),
    });
    const table = await world.get(FindRecords).execute(await described(world), { dayStart: 0 });
    const [highest] = table.rows.at(-1)?.records ?? [];
    expect([highest?.value, dateText(highest?.date ?? 0)]).to.deep.equal([3, '2013-01-01']);
    const found = (await months(world)).get('2013-01');
    expect(found?.['highest_temperature']).to.include({ value: 3, valid: true });
  });

  it('has a day only where enough values exist for it, and a sum only where all do', async () => {
    const world = await given();
    const values = Array.from({ length: 31 * 4 }, () => 1);
    // The amount of the first day that is recorded at midnight belongs to the day before.
    const amounts = values.with(41, Number.NaN);
    await fill(world, '2013-01-01T00:00:00Z', { air_temperature: values, precipitation_amount: amounts });
    await fill(world, '2013-02-01T00:00:00Z', { air_temperature: [1], precipitation_amount: [1] });
    const january = (await months(world)).get('2013-01');
    expect(january?.['mean_temperature']).to.include({ days: 31, missing: 0, valid: true });
    expect(january?.['precipitation']).to.include({ days: 30, missing: 1, valid: false });
    const february = (await months(world)).get('2013-02');
    // One of four values of a day.
    expect(february?.['mean_temperature']).to.include({ days: 0, missing: 28, valid: false });
  });

  it('has no complete day while the reporting interval is unknown', async () => {
    const world = await given({ reportingInterval: null });
    await fill(world, '2013-01-01T00:00:00Z', { air_temperature: Array.from({ length: 124 }, () => 1) });
    const january = (await months(world)).get('2013-01');
    expect(january?.['mean_temperature']).to.include({ days: 0, missing: 31, valid: false });
    const records = await world.get(FindRecords).execute(await described(world), { dayStart: 0 });
    expect(records.rows.at(-1)?.records[0]).to.include({ value: 1, days: 31 });
  });

  it('counts ten times 0.1 mm as 1 mm, and the day as a wet day', async () => {
    const world = await given({ reportingInterval: 3600 });
    const day = [...Array.from({ length: 10 }, () => 0.1), ...Array.from({ length: 14 }, () => 0)];
    const amounts = Array.from({ length: 31 }, () => day).flat();
    await record(world, '2013-01-01T01:00:00Z', { precipitation_amount: amounts });
    const january = (await months(world)).get('2013-01');
    expect(january?.['wet_days']).to.include({ value: 31, valid: true });
    expect(january?.['precipitation']?.value).to.equal(31);
  });

  it('has the days of the station: of its zone, and from the time at which they begin', async () => {
    const values = Array.from({ length: 31 * 4 }, () => 1).with(0, 2);
    const dates = async (timeZone: string, dayStart: number) => {
      const world = await given({ timeZone });
      await fill(world, '2013-01-01T06:00:00Z', { air_temperature: values });
      const { years, rows } = await world.get(FindRecords).execute(await described(world), { dayStart });
      return [dateText(rows.at(-1)?.records[0]?.date ?? 0), years];
    };
    expect(await dates('UTC', 0)).to.deep.equal(['2013-01-01', { from: 2013, to: 2013 }]);
    expect(await dates('America/Los_Angeles', 0)).to.deep.equal(['2012-12-31', { from: 2012, to: 2013 }]);
    expect(await dates('UTC', 7 * 60)).to.deep.equal(['2012-12-31', { from: 2012, to: 2013 }]);
    expect(await dates('Pacific/Auckland', 0)).to.deep.equal(['2013-01-01', { from: 2013, to: 2013 }]);
  });

  it('misses no day that the zone of the station has skipped', async () => {
    const world = await given({ timeZone: 'Pacific/Apia' });
    // From December 1 to 31, 2011; December 30 did not exist.
    await fill(world, '2011-12-01T10:00:00Z', {
      precipitation_amount: Array.from({ length: 30 * 4 + 4 }, () => 1),
    });
    const december = (await months(world)).get('2011-12');
    expect(december?.['precipitation']).to.deep.include({ days: 30, missing: 0, value: 120, valid: true });
    const { report } = await world
      .get(MakeNoaaReport)
      .execute(await described(world), { year: 2011, month: 12, units: 'metric', dayStart: 0 });
    expect(report.lines.map(({ number }) => number).slice(-3)).to.deep.equal([28, 29, 31]);
  });

  it('reads decades one after the other, and gives the places back', async () => {
    const world = await given();
    for (const year of [1985, 1995, 2013])
      await fill(world, `${year}-07-01T00:00:00Z`, {
        air_temperature: Array.from({ length: 31 * 4 }, () => year / 100),
      });
    const permit = world
      .get(ReadGate)
      .permitFor({ network: '192.0.2.1', signal: new AbortController().signal });
    const normals = await world
      .get(ComputeNormals)
      .execute(await described(world), { from: 1981, to: 2020 }, MONTHS, permit);
    expect(normals).to.deep.include({
      kind: 'period_average',
      yearsNeeded: 32,
      years: { from: 1985, to: 2013 },
    });
    expect(normals.sections['months']?.[6]?.figures[0]).to.include({ years: 3, missingYears: 37, days: 93 });
    // Those of 29 years of days, of which ten are summed up at a time.
    expect(world.get(ReadGate).held).to.be.within(29 * 366 * 20, READ_LIMITS.cellsOfNetwork);
    permit.release();
    expect(world.get(ReadGate).held).to.equal(0);
    const short = world.get(ComputeNormals).execute(await described(world), { from: 2001, to: 2009 }, MONTHS);
    expect((await domainErrorOf(short, 'REQUEST_INVALID')).message).to.contain('must have 10 to 200');
  });

  it('admits as many tables of an address at once as fit into its share of memory, and loses none of the others', async () => {
    const world = await given();
    for (const year of [2001, 2012])
      await fill(world, `${year}-07-01T00:00:00Z`, { air_temperature: [20, 21, 22, 23] });
    const found = await described(world);
    const [gate, list] = [world.get(ReadGate), world.get(ListClimateMonths)];
    const withPermit = permitsOf(gate);
    let [most, waited] = [0, 0];
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const call = { caller: CALLER, signal: new AbortController().signal };
        const table = await withPermit(call, async (permit) => {
          const made = await list.execute(found, MONTHS, permit);
          // Counted until the reply is made.
          [most, waited] = [Math.max(most, gate.held), Math.max(waited, gate.waiting)];
          return made;
        }).catch((error: unknown) => (error as DomainError).code);
        return typeof table === 'string' ? table : table.sections['months']?.length;
      }),
    );
    expect(most).to.be.within(1, READ_LIMITS.cellsOfNetwork);
    expect(waited).to.be.at.least(12);
    expect([gate.held, gate.waiting]).to.deep.equal([0, 0]);
    // Those that have waited for five seconds are told to come back.
    expect(answers.every((answer) => answer === answers[0] || answer === 'RATE_LIMITED')).to.equal(true);
  });

  it('gives a year the same indices, whichever years are asked for, by the hemisphere of the station', async () => {
    const indicesAt = async (latitude: number) => {
      const world = await given({ latitude });
      const days = 365 * 2;
      const amounts = Array.from({ length: days * 4 }, (_, index) =>
        index < 4 * 320 || index > 4 * 420 ? 2 : 0,
      );
      const temperatures = Array.from({ length: days * 4 }, () => 12);
      await fill(world, '2013-01-01T00:00:00Z', {
        air_temperature: temperatures,
        precipitation_amount: amounts.with(0, 2),
      });
      return async (years?: { from: number; to: number }) => {
        const input = { dayStart: 0, frequency: 'year', threshold: 1, years } as const;
        const table = await world.get(ComputeIndices).execute(await described(world), input);
        const row = table.sections['years']?.find(({ label }) => label === '2014');
        const values = row?.figures.map(({ value }, index) => [table.elements[index]?.name ?? '', value]);
        return Object.fromEntries(values ?? []) as Record<string, number>;
      };
    };
    const [northern, southern] = [await indicesAt(33), await indicesAt(-33)];
    const all = await southern();
    expect(await southern({ from: 2014, to: 2014 })).to.deep.equal(all);
    expect(all).to.include({ CDD: 100, FD: 0 });
    // The southern season of 2014 ends in 2015.
    expect([all['GSL'], (await northern())['GSL']]).to.deep.equal([Number.NaN, 365]);
  });

  it('answers a station without observations with empty tables', async () => {
    const world = await given();
    const station = await described(world);
    const degreeDays = { dayStart: 0, bases: DEFAULT_BASES, mean: 'midrange' } as const;
    const tables = [
      await world.get(ListClimateMonths).execute(station, MONTHS),
      await world.get(SumDegreeDays).execute(station, degreeDays),
      await world.get(ComputeIndices).execute(station, { dayStart: 0, frequency: 'month', threshold: 1 }),
    ];
    for (const { years, elements, sections } of tables)
      expect([years, elements, Object.values(sections).flat()]).to.deep.equal([undefined, [], []]);
    const { rows } = await world.get(FindRecords).execute(station, { dayStart: 0 });
    expect(rows).to.deep.equal([]);
    const noaa = { year: 2013, month: 7, units: 'imperial', dayStart: 0 } as const;
    const { report } = await world.get(MakeNoaaReport).execute(station, noaa);
    expect(report.total).to.equal(undefined);
  });

  it('refuses more than 200 years, and says how to ask for fewer', async () => {
    const world = await given();
    for (const year of [1700, 2013]) await fill(world, `${year}-07-01T00:00:00Z`, { air_temperature: [1] });
    const all = world.get(ListClimateMonths).execute(await described(world), MONTHS);
    expect((await domainErrorOf(all, 'REQUEST_INVALID')).message).to.contain('years=1914-2013');
    const few = { ...MONTHS, years: { from: 1990, to: 2100 } };
    expect((await world.get(ListClimateMonths).execute(await described(world), few)).years).to.deep.equal({
      from: 1990,
      to: 2013,
    });
  });

  it('computes drought and indices of requested years at a station with more than 200 years', async () => {
    const world = await given();
    for (const year of [1700, 1820, 2013])
      await fill(world, `${year}-07-01T00:00:00Z`, { air_temperature: [1], precipitation_amount: [1] });
    const station = await described(world);
    const drought = (years: YearSpan, reference: YearSpan) =>
      world.get(ComputeDrought).execute(station, { dayStart: 0, years, index: 'spi', scale: 3, reference });
    const indices = (years: YearSpan) =>
      world.get(ComputeIndices).execute(station, { dayStart: 0, years, frequency: 'year', threshold: 1 });
    for (const years of [
      { from: 1820, to: 1830 },
      { from: 2000, to: 2013 },
      { from: 1701, to: 1890 },
    ]) {
      expect((await indices(years)).years).to.deep.equal(years);
      const near = { from: Math.min(years.from, 1990), to: Math.min(years.from, 1990) + 19 };
      expect((await drought(years, near)).years).to.deep.equal(years);
    }
    const apart = drought({ from: 2000, to: 2013 }, { from: 1701, to: 1730 });
    expect((await domainErrorOf(apart, 'REQUEST_INVALID')).message).to.contain('at most 200 years');
  });
});
