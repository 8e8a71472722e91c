import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ComputeIndices } from '#application/observations/climate/compute-indices.js';
import { FindRecords } from '#application/observations/climate/find-records.js';
import { ListClimateMonths } from '#application/observations/climate/list-climate-months.js';
import { CountWinds } from '#application/observations/read/charts/count-winds.js';
import { DerivePeriods } from '#application/observations/read/derived/derive-periods.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { Summarize } from '#application/observations/read/summarize.js';
import { COMPUTATION_RULES } from '#domain/weather/computation/computation-rules.js';
import { addStation, record } from '../../support/weather-world.js';
import { World } from '../../support/world.js';

/** One golden file of the numbers of each set of rules. An older file never changes. */
const GOLDEN = fileURLToPath(
  new URL(`../../../../test/fixtures/computed-numbers/rules-${COMPUTATION_RULES}.json`, import.meta.url),
);
const HOURS = 24 * 70;

/** Ten weeks of hourly values with a daily cycle, gaps and special values, made of a hash, so that they are the same everywhere. */
function column(name: string, mean: number, swing: number, noise: number): number[] {
  return Array.from({ length: HOURS }, (_, hour) => {
    const random = createHash('md5').update(`${name} ${hour}`).digest().readUInt32LE(0) / 2 ** 32;
    if (random < 0.01) return Number.NaN;
    return Math.round((mean + swing * Math.sin(((hour - 9) / 12) * Math.PI) + noise * random) * 10) / 10;
  });
}

/** Numbers with twelve digits, so that another order of additions is no other number. */
function rounded(_key: string, value: unknown): unknown {
  if (value instanceof Map) return [...(value as Map<unknown, unknown>)];
  if (ArrayBuffer.isView(value)) return [...(value as Float64Array)];
  if (typeof value !== 'number') return value;
  return Number.isFinite(value) ? Number(value.toPrecision(12)) : String(value);
}

async function computed(reportingInterval: number | null): Promise<unknown> {
  const world = await World.make();
  await addStation(world, { reportingInterval, sensorHeights: { wind_speed: 10 } });
  await record(world, '2013-05-01T04:00:00Z', {
    air_temperature: column('temperature', 18, 6, 3),
    relative_humidity: column('humidity', 65, -15, 10),
    air_pressure_at_mean_sea_level: column('pressure', 1013, 0, 4),
    wind_speed: column('wind', 4, 1, 3),
    wind_from_direction: column('direction', 180, 90, 30),
    wind_speed_of_gust: column('gust', 10, 2, 5),
    precipitation_amount: column('rain', 0.2, 0, 1),
    surface_downwelling_shortwave_flux_in_air: column('sun', 300, 250, 20),
    duration_of_sunshine: column('shine', 1800, 1200, 300),
  });
  const described = await world.get(DescribeStation).execute('JFK');
  const common = {
    timeZone: 'station',
    dayStart: 0,
    from: undefined,
    to: undefined,
    quality: 'all',
  } as const;
  const summaries: unknown[] = [];
  for (const interval of ['month', 'week', 'day'] as const) {
    const { rows } = await world
      .get(Summarize)
      .execute(described, { ...common, interval, variables: undefined });
    summaries.push([...rows]);
  }
  const { rose } = await world
    .get(CountWinds)
    .execute(described, { ...common, sectors: 16, bounds: [2, 4, 6] });
  const { parts } = await world.get(DerivePeriods).execute(described, {
    ...common,
    interval: 'day',
    variables: ['reference_evapotranspiration'],
    limit: 100,
    cursor: undefined,
  });
  const climate = { dayStart: 0 };
  return {
    summaries,
    rose: [rose.counts, rose.calms],
    evapotranspiration: parts.map(({ values }) => values),
    months: (await world.get(ListClimateMonths).execute(described, { ...climate, rule: 'wmo_1203' }))
      .sections,
    records: (await world.get(FindRecords).execute(described, climate)).rows,
    indices: (
      await world.get(ComputeIndices).execute(described, { ...climate, frequency: 'month', threshold: 25 })
    ).sections,
  };
}

describe('the numbers that are computed of a small series', () => {
  it('are those of the number of the computation rules', async () => {
    const numbers = { rules: COMPUTATION_RULES, known: await computed(3600), unknown: await computed(null) };
    // One line for each value would be long: a part that differs is named, and its digest is compared.
    const parts = Object.entries({ ...(numbers.known as object) }).map(([name, value]) => [
      name,
      digest(value),
      digest((numbers.unknown as Record<string, unknown>)[name]),
    ]);
    const found = `${JSON.stringify({ rules: COMPUTATION_RULES, parts }, null, 2)}\n`;
    if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(GOLDEN, found);
    expect(
      found,
      'computed numbers differ: raise COMPUTATION_RULES in computation-rules.ts, and write a new file with UPDATE_GOLDEN=1',
    ).to.equal(readFileSync(GOLDEN, 'utf8'));
  });
});

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, rounded)).digest('hex').slice(0, 16);
}
