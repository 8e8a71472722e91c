import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readForecastFile } from '#adapters/cli/forecasts/forecast-file.js';
import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { LearnForecasts } from '#application/forecast/learn-forecasts.js';
import type { ObservationStore } from '#application/ports/observation-store.js';
import type { RecordStore, StoredRecord } from '#application/ports/record-store.js';
import { ISSUED_FORECASTS } from '#application/record-forms.js';
import { correct } from '#domain/forecast/correct.js';
import { type Forecast, uncorrected } from '#domain/forecast/forecast.js';
import { F, FORECAST_VARIABLES, forecastVariable } from '#domain/forecast/forecast-variables.js';
import { LEADS } from '#domain/forecast/leads.js';
import { observedHours } from '#domain/forecast/observed-hours.js';
import { roundedForecast } from '#domain/forecast/forecast-text.js';
import { simulatedForecast } from '#domain/forecast/simulated-forecast.js';
import { addScores, type LeadScores, noScores } from '#domain/forecast/verification.js';
import { lowerBound, type Series, sliceSeries } from '#domain/weather/series.js';
import type { Station } from '#domain/weather/station.js';
import { V } from '#domain/weather/variables.js';
import { ireland, newYork, type RealStation } from './real-years.js';

/**
 * Measures the correction of forecasts on measured hours with simulated forecasts (simulated-forecast.ts): a bias by the time of the day, errors
 * that grow with the lead time, and a change of the model. Prints the mean absolute error of the forecast, of what is shown and of persistence,
 * the largest ratio of a station, the share of outcomes between the bounds, the bytes of a stored value, and the CPU time.
 *
 * `npm run bench forecast` reads the hours of the demo, `npm run bench forecast FOLDER` also those of Ireland. `BENCH_STATIONS` is the number of
 * stations, and `BENCH_CASES` the list of biases and whether the model changes.
 *
 * `npm run bench forecast -- --import FOLDER` measures real forecasts of the temperature instead: for each station `ID.forecasts.csv`, as
 * `weatherd forecast import` reads it, and `ID.observations.csv` with the lines `# ID,LATITUDE,LONGITUDE`, `time,air_temperature` and the values.
 */
const HOUR = 3_600_000;
const STEP = 6 * HOUR;

class Records implements RecordStore {
  readonly all = new Map<string, StoredRecord>();
  async records(prefix: string) {
    return [...this.all.values()]
      .filter(({ name }) => name.startsWith(prefix))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }
  async record(name: string) {
    return this.all.get(name);
  }
  async put(records: readonly StoredRecord[]) {
    for (const record of records) this.all.set(record.name, { ...record, revision: record.revision + 1 });
    return [];
  }
  async purge(prefix: string, time: number) {
    for (const [name, one] of this.all) if (name.startsWith(prefix) && one.time < time) this.all.delete(name);
  }
}

const stationOf = (real: RealStation) =>
  ({
    number: 1,
    id: real.id,
    latitude: real.latitude,
    longitude: real.longitude,
    reportingInterval: 3600,
  }) as unknown as Station;

function storeOf(series: Series): ObservationStore {
  return {
    async *read({ from, to }: { from: number; to: number }) {
      const part = sliceSeries(series, lowerBound(series.times, from), lowerBound(series.times, to));
      yield { ...part, stations: new Uint32Array(part.times.length).fill(1) };
    },
  } as unknown as ObservationStore;
}

function simulate(real: RealStation, bias: number, isChanged: boolean, seed: number): Forecast[] {
  const { times } = real.series;
  const [first, last] = [Math.ceil((times[0] as number) / HOUR) * HOUR, times.at(-1) as number];
  const count = Math.floor((last - first) / HOUR) + 1;
  const hours = Float64Array.from({ length: count }, (_, index) => first + index * HOUR);
  const observed = observedHours(real.series, hours, 3600);
  const changesEvery = isChanged ? (first + last) / 2 : Infinity;
  const forecasts: Forecast[] = [];
  for (let at = 0; at + 1 < count; at += STEP / HOUR) {
    const end = Math.min(count, at + 240);
    const outcomes = new Map([...observed].map(([number, column]) => [number, column.subarray(at, end)]));
    forecasts.push(
      simulatedForecast(hours[at] as number, hours.slice(at, end), outcomes, { seed, bias, changesEvery }),
    );
  }
  return forecasts;
}

/** Real forecasts and observations of temperatures. */
async function* imported(
  path: string,
): AsyncGenerator<{ real: RealStation; forecasts: readonly Forecast[] }> {
  for (const file of readdirSync(path).filter((name) => name.endsWith('.observations.csv'))) {
    const [head = '', , ...lines] = readFileSync(join(path, file), 'utf8').trimEnd().split('\n');
    const [id = '', latitude, longitude] = head.slice(2).split(',');
    const rows = lines.map((line) => line.split(','));
    const times = Float64Array.from(rows, ([time]) => Date.parse(time ?? ''));
    const values = new Map([[V.temperature, Float64Array.from(rows, ([, value]) => Number(value))]]);
    const series: Series = { times, values, flags: new Map() };
    const forecasts: Forecast[] = [];
    for await (const part of readForecastFile(join(path, file.replace('.observations.', '.forecasts.'))))
      forecasts.push(...part);
    const place = { latitude: Number(latitude), longitude: Number(longitude), elevation: 0 };
    yield { real: { id, ...place, series, defects: new Set() }, forecasts };
  }
}

/** Prints the mean absolute errors of real forecasts, of all stations whose names begin with the same word. */
async function measureImported(path: string): Promise<void> {
  const groups = new Map<string, { lead: number; id: string; scores: LeadScores }[]>();
  for await (const { real, forecasts } of imported(path)) {
    const { scores } = await learnFrom(real, forecasts);
    for (const [lead, one] of (scores.get(F.temperature) ?? []).entries()) {
      const group = /^[A-Za-z]+\d*/.exec(real.id)?.[0] ?? real.id;
      if (one.raw.count > 0)
        groups.set(group, [...(groups.get(group) ?? []), { lead, id: real.id, scores: one }]);
    }
  }
  for (const [group, cases] of groups) {
    console.log(`\n${group}`);
    for (const [lead, name] of LEADS.entries()) {
      const own = cases.filter((one) => one.lead === lead);
      if (own.length === 0) continue;
      const sums = noScores();
      for (const { scores } of own) addScores(sums, scores);
      const ratio = ({ raw, corrected }: LeadScores) => corrected.absolute / raw.absolute;
      const enough = own.filter(({ scores }) => scores.raw.count > 200);
      const worst = (of: typeof own) =>
        of.length === 0 ? '-' : Math.max(...of.map(({ scores }) => ratio(scores))).toFixed(2);
      const mae = ({ absolute, count }: LeadScores['raw']) => (absolute / count).toFixed(2);
      console.log(
        `  ${name.padEnd(8)} ${own.length} stations, ${sums.raw.count} forecasts: raw ${mae(sums.raw)} shown ${mae(sums.corrected)} (${ratio(sums).toFixed(3)}, worst of ${enough.length} with over 200: ${worst(enough)}, of all: ${worst(own)}, over 1.05: ${own.filter(({ scores }) => ratio(scores) > 1.05).length}) persistence ${mae(sums.persistence)} inside ${(sums.bounds.inside / sums.bounds.count).toFixed(3)} of ${sums.bounds.count}`,
      );
    }
  }
}

const secondsOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6;

/** The CPU time of the correction and the storing of one forecast, in seconds. */
async function issueTime(real: RealStation, forecasts: readonly Forecast[], records: ForecastRecords) {
  const series = { station: 1, provider: 'simulated' };
  const { learned } = await records.learned(series);
  const knowledge = { learned: learned.errors, chance: learned.chance, newest: new Map<number, number>() };
  const last = forecasts.slice(-200, -100);
  const begin = process.cpuUsage();
  for (const forecast of last) {
    const corrected = roundedForecast({
      ...forecast,
      ...correct(forecast, stationOf(real), knowledge),
      isImported: false,
    });
    await records.add(series, [{ ...corrected, issued: corrected.issued + 1 }]);
  }
  return secondsOf(process.cpuUsage(begin)) / last.length;
}

/** Learns from all forecasts of a station. */
async function learnFrom(real: RealStation, forecasts: readonly Forecast[]) {
  const store = new Records();
  const records = new ForecastRecords(store);
  const series = { station: 1, provider: 'simulated' };
  await records.add(
    series,
    forecasts.map((one) => roundedForecast(uncorrected(one))),
  );
  const begin = process.cpuUsage();
  await new LearnForecasts(storeOf(real.series), records).execute(
    stationOf(real),
    series,
    (real.series.times.at(-1) as number) + 12 * HOUR,
  );
  const used = process.cpuUsage(begin);
  let bytes = 0;
  for (const [name, { text }] of store.all) if (name.startsWith(ISSUED_FORECASTS)) bytes += text.length;
  const scores = new Map<number, LeadScores[]>();
  for (const month of (await records.scores(series)).values())
    for (const [number, leads] of month.scores) add(scores, number, leads);
  return { scores, bytes, elapsed: secondsOf(used), issue: await issueTime(real, forecasts, records) };
}

if (process.argv[2] === '--import') {
  await measureImported(process.argv[3] ?? '.');
  process.exit(0);
}
const folder = process.argv[2];
const stations = [...newYork().stations, ...(folder === undefined ? [] : ireland(folder).stations)].slice(
  0,
  Number(process.env['BENCH_STATIONS'] ?? 6),
);
for (const [bias, isChanged] of JSON.parse(
  process.env['BENCH_CASES'] ?? '[[1,false],[1,true],[0.3,false],[0,false]]',
) as [number, boolean][]) {
  const total = new Map<number, LeadScores[]>();
  const worst = new Map<string, number>();
  let [bytes, values, elapsed, issue] = [0, 0, 0, 0];
  for (const [index, real] of stations.entries()) {
    const forecasts = simulate(real, bias, isChanged, index + 1);
    const { scores: own, ...used } = await learnFrom(real, forecasts);
    elapsed += used.elapsed;
    bytes += used.bytes;
    issue += used.issue / stations.length;
    for (const one of forecasts) values += one.times.length * (one.values.size + 3 * 8);
    for (const [number, leads] of own) add(total, number, leads);
    for (const [number, leads] of own)
      for (const [lead, { raw, corrected }] of leads.entries())
        if (raw.count > 200) {
          const key = `${number} ${lead}`;
          worst.set(key, Math.max(worst.get(key) ?? 0, corrected.absolute / raw.absolute));
        }
  }
  console.log(
    `\n## bias ${bias}, ${isChanged ? 'changed model' : 'one model'}: ${elapsed.toFixed(1)} s CPU for ${stations.length} station-years, ${(bytes / values).toFixed(2)} bytes a forecast value with its corrections, ${(issue * 1000).toFixed(1)} ms CPU for an issue`,
  );
  for (const { number, name } of FORECAST_VARIABLES) {
    const leads = total.get(number);
    if (leads === undefined) continue;
    console.log(`${name} [${forecastVariable(number).unit}]`);
    for (const lead of [0, 2, 3, 4, 6, 11]) {
      const { raw, corrected, persistence, bounds, rawChance, correctedChance } = leads[lead] ?? noScores();
      const mae = (one: typeof raw) => (one.absolute / one.count).toFixed(2);
      const chance =
        rawChance.count === 0
          ? ''
          : ` brier ${(rawChance.brier / rawChance.count).toFixed(3)} -> ${(correctedChance.brier / correctedChance.count).toFixed(3)}`;
      console.log(
        `  ${LEADS[lead]?.padEnd(8)} raw ${mae(raw)} shown ${mae(corrected)} (${(corrected.absolute / raw.absolute).toFixed(3)}, worst ${worst.get(`${number} ${lead}`)?.toFixed(2)}) persistence ${mae(persistence)} inside ${(bounds.inside / bounds.count).toFixed(3)}${chance}`,
      );
    }
  }
}

function add(sums: Map<number, LeadScores[]>, number: number, leads: readonly LeadScores[]): void {
  const own = sums.get(number) ?? leads.map(noScores);
  for (const [lead, one] of leads.entries()) addScores(own[lead] as LeadScores, one);
  sums.set(number, own);
}
