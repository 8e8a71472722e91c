import { expect } from 'chai';
import fc from 'fast-check';
import { ForecastRecords, type ForecastSeries } from '#application/forecast/forecast-records.js';
import { LearnForecasts } from '#application/forecast/learn-forecasts.js';
import type { ObservationStore } from '#application/ports/observation-store.js';
import type { RecordStore, StoredRecord } from '#application/ports/record-store.js';
import { publishedValues } from '#domain/forecast/correct.js';
import { type Forecast, type IssuedForecast, uncorrected } from '#domain/forecast/forecast.js';
import { forecastText, roundedForecast } from '#domain/forecast/forecast-text.js';
import { F } from '#domain/forecast/forecast-variables.js';
import { leadClass, LEADS } from '#domain/forecast/leads.js';
import { simulatedForecast } from '#domain/forecast/simulated-forecast.js';
import { addScores, type LeadScores, noScores } from '#domain/forecast/verification.js';
import { MILLISECONDS } from '#domain/time.js';
import { FLAG, lowerBound, type Series, sliceSeries } from '#domain/weather/series.js';
import type { Station } from '#domain/weather/station.js';
import { V } from '#domain/weather/variables.js';
import { STATION } from '../../support/weather-world.js';

const HOUR = MILLISECONDS.hour;
const START = Date.UTC(2026, 0, 1);
const SERIES: ForecastSeries = { station: 1, provider: 'simulated' };
const PLACE: Station = { ...STATION, number: 1 };

/** Records in memory. */
class Records implements RecordStore {
  readonly all: Map<string, StoredRecord>;
  /** Number of writes after which every write fails, as if the process was killed. */
  writesLeft = Infinity;

  /** @param filled whose records are copied */
  constructor(filled?: Records) {
    this.all = new Map(filled?.all);
  }

  async records(prefix: string) {
    return [...this.all.values()]
      .filter(({ name }) => name.startsWith(prefix))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  async record(name: string) {
    return this.all.get(name);
  }

  async put(records: readonly StoredRecord[]) {
    if (this.writesLeft === 0) throw new Error('killed');
    this.writesLeft -= 1;
    // Both databases have a column of whole numbers.
    for (const { name, time } of records) expect(Number.isSafeInteger(time), name).to.equal(true);
    const refused = records.filter(({ name, revision }) => (this.all.get(name)?.revision ?? 0) !== revision);
    if (refused.length === 0)
      for (const one of records) this.all.set(one.name, { ...one, revision: one.revision + 1 });
    return refused.map(({ name }) => name);
  }

  async purge(prefix: string, time: number) {
    for (const [name, one] of this.all) if (name.startsWith(prefix) && one.time < time) this.all.delete(name);
  }
}

/** Temperatures of hours: a day and a year, and weather. */
function temperatures(days: number): Series {
  const times = Float64Array.from({ length: 24 * days }, (_, hour) => START + hour * HOUR);
  const values = times.map(
    (_, hour) =>
      10 + 5 * Math.sin((2 * Math.PI * hour) / 24) + 4 * Math.sin(hour / 61) + 2 * Math.cos(hour / 17),
  );
  return { times, values: new Map([[V.temperature, values]]), flags: new Map() };
}

function observationsOf(series: () => Series): ObservationStore {
  return {
    read: async function* ({ from, to }: { readonly from: number; readonly to: number }) {
      const all = series();
      const part = sliceSeries(all, lowerBound(all.times, from), lowerBound(all.times, to));
      yield { ...part, stations: new Uint32Array(part.times.length).fill(1) };
    },
  } as unknown as ObservationStore;
}

interface ModelOptions {
  readonly bias: number;
  readonly changesAt?: number;
  /** Hours between two forecasts. */
  readonly step?: number;
}

/** Forecasts of a model of the series. */
function forecastsOf(
  { times, values }: Series,
  { bias, changesAt = Infinity, step = 6 }: ModelOptions,
): Forecast[] {
  const column = values.get(V.temperature) as Float64Array;
  const forecasts: Forecast[] = [];
  for (let at = 0; at < times.length; at += step) {
    const end = Math.min(times.length, at + 72);
    const outcomes = new Map([[F.temperature, column.slice(at, end)]]);
    forecasts.push(
      simulatedForecast(times[at] as number, times.slice(at, end), outcomes, {
        seed: 5,
        bias,
        changesEvery: changesAt,
      }),
    );
  }
  return forecasts;
}

interface Trained {
  readonly records: ForecastRecords;
  readonly issued: readonly IssuedForecast[];
  readonly scores: readonly LeadScores[];
}

const asAdded = (one: Forecast) => roundedForecast(uncorrected(one));

/** Adds forecasts of the past to an empty store. */
async function recordsWith(forecasts: readonly Forecast[]): Promise<Records> {
  const store = new Records();
  await new ForecastRecords(store).add(SERIES, forecasts.map(asAdded));
  return store;
}

/** Learns from a copy of the stored forecasts. */
async function train(series: Series, stored: Records, stops: readonly number[] = []): Promise<Trained> {
  const records = new ForecastRecords(new Records(stored));
  const learn = new LearnForecasts(
    observationsOf(() => series),
    records,
  );
  const end = (series.times.at(-1) as number) + 12 * HOUR;
  // oxlint-disable-next-line no-await-in-loop -- one step after the other
  for (const stop of [...stops, end]) await learn.execute(PLACE, SERIES, stop);
  return { records, ...(await resultOf(records)) };
}

async function resultOf(records: ForecastRecords): Promise<Pick<Trained, 'issued' | 'scores'>> {
  const issued: IssuedForecast[] = [];
  for await (const one of records.issued(SERIES, START, START + 160 * MILLISECONDS.day)) issued.push(one);
  const scores = LEADS.map(noScores);
  for (const month of (await records.scores(SERIES)).values())
    for (const [lead, one] of scores.entries())
      addScores(one, month.scores.get(F.temperature)?.[lead] ?? noScores());
  return { issued, scores };
}

const ratioOf = ({ raw, corrected }: LeadScores) => corrected.absolute / raw.absolute;

describe('learning from forecasts', function () {
  this.timeout(60_000);

  it('uses nothing that was observed later than the issue of a forecast', async () => {
    const series = temperatures(20);
    const stored = await recordsWith(forecastsOf(series, { bias: 1 }));
    const { issued } = await train(series, stored);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 3 * 24, max: 19 * 24 }), async (hour) => {
        const planted = (series.values.get(V.temperature) as Float64Array).map((value, at) =>
          at > hour ? value + 30 : value,
        );
        const other = await train({ ...series, values: new Map([[V.temperature, planted]]) }, stored);
        const now = START + hour * HOUR;
        const before = (all: readonly IssuedForecast[]) =>
          all.filter((one) => one.issued <= now).map(forecastText);
        expect(before(other.issued)).to.deep.equal(before(issued));
        const last = (all: readonly IssuedForecast[]) => forecastText(all.at(-1) as IssuedForecast);
        expect(last(other.issued)).to.not.equal(last(issued));
      }),
      { numRuns: 2 },
    );
  });

  it('comes to the same in one step and in many', async () => {
    const series = temperatures(20);
    const stored = await recordsWith(forecastsOf(series, { bias: 1 }));
    const whole = await train(series, stored);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 20 * 24 }), { maxLength: 4 }), async (hours) => {
        const stops = hours.toSorted((a, b) => a - b).map((hour) => START + hour * HOUR);
        const steps = await train(series, stored, stops);
        expect(steps.issued.map(forecastText)).to.deep.equal(whole.issued.map(forecastText));
        expect(rounded(steps.scores)).to.deep.equal(rounded(whole.scores));
      }),
      { numRuns: 3 },
    );
  });

  it('comes to the same if it was killed at any write, or if two processes learn at the same time', async () => {
    const series = temperatures(20);
    const stored = await recordsWith(forecastsOf(series, { bias: 1 }));
    const whole = await train(series, stored);
    const end = (series.times.at(-1) as number) + 12 * HOUR;
    for (const writes of [0, 5, 67, 68, 69, 70, 71, 72, 'two'] as const) {
      const store = new Records(stored);
      const records = new ForecastRecords(store);
      const learn = new LearnForecasts(
        observationsOf(() => series),
        records,
      );
      const go = (stop: number) =>
        learn.execute(PLACE, SERIES, stop).then(
          () => true,
          () => false,
        );
      if (writes === 'two') await Promise.all([go(end), go(end - MILLISECONDS.day), go(end)]);
      else {
        store.writesLeft = writes;
        await go(end - 3 * MILLISECONDS.day);
        store.writesLeft = Infinity;
      }
      await go(end);
      const result = await resultOf(records);
      expect(result.issued.map(forecastText), `${writes}`).to.deep.equal(whole.issued.map(forecastText));
      expect(rounded(result.scores), `${writes}`).to.deep.equal(rounded(whole.scores));
    }
  });

  it('learns as fast as at the beginning after a change of the station', async () => {
    const series = temperatures(20);
    const stored = await recordsWith(forecastsOf(series, { bias: 1 }));
    const records = async (station: Station) => {
      const own = new ForecastRecords(new Records(stored));
      const learn = new LearnForecasts(
        observationsOf(() => series),
        own,
      );
      const { learned } = await learn.execute(station, SERIES, series.times.at(-1) as number);
      return learned.errors.get(F.temperature)?.[2]?.biases.map(({ variance }) => variance) ?? [];
    };
    const moved = { ...PLACE, earlier: [{ ...PLACE, until: START + 18 * MILLISECONDS.day }] };
    const [same, changed] = [await records(PLACE), await records(moved)];
    for (const [part, variance] of same.entries()) expect(changed[part]).to.be.above(1.5 * variance);
  });

  it('reads the issued forecasts of the last days only', async () => {
    const series = temperatures(60);
    const store = await recordsWith(forecastsOf(series, { bias: 1 }));
    const records = new ForecastRecords(store);
    const learn = new LearnForecasts(
      observationsOf(() => series),
      records,
    );
    const end = series.times.at(-1) as number;
    await learn.execute(PLACE, SERIES, end - MILLISECONDS.day);
    const asked: string[] = [];
    const read = store.records.bind(store);
    store.records = async (prefix) => {
      asked.push(prefix);
      return await read(prefix);
    };
    await learn.execute(PLACE, SERIES, end);
    expect(asked.length).to.be.within(1, 14);
    for (const prefix of asked) expect(prefix).to.match(/\/2026-0[23]-\d\d$/);
  });

  it('gives scores that can be computed again from the issued forecasts and the observations', async () => {
    const series = temperatures(30);
    const { issued, scores } = await train(series, await recordsWith(forecastsOf(series, { bias: 1 })));
    const column = series.values.get(V.temperature) as Float64Array;
    const sums = LEADS.map(() => ({ count: 0, raw: 0, corrected: 0 }));
    for (const forecast of issued) {
      const shown = publishedValues(forecast, F.temperature);
      for (const [index, time] of forecast.times.entries()) {
        const lead = leadClass(time - forecast.issued);
        const observed = column[(time - START) / HOUR] as number;
        const sum = sums[lead];
        if (sum === undefined) continue;
        sum.count += 1;
        sum.raw += Math.abs((forecast.values.get(F.temperature)?.[index] as number) - observed);
        sum.corrected += Math.abs((shown[index] as number) - observed);
      }
    }
    for (const [lead, { count, raw, corrected }] of sums.entries()) {
      expect(scores[lead]?.raw.count).to.equal(count);
      expect(scores[lead]?.raw.absolute ?? 0).to.be.closeTo(raw, 1e-6);
      expect(scores[lead]?.corrected.absolute ?? 0).to.be.closeTo(corrected, 1e-6);
    }
    expect(sums[4]?.count).to.be.above(1000);
  });

  it('removes a bias, and holds what the bounds promise', async () => {
    const series = temperatures(100);
    const { scores } = await train(series, await recordsWith(forecastsOf(series, { bias: 1 })));
    for (const lead of [0, 2, 3, 4]) {
      const own = scores[lead] as LeadScores;
      expect(ratioOf(own), LEADS[lead]).to.be.below(0.85);
      expect(own.bounds.inside / own.bounds.count, LEADS[lead]).to.be.within(0.7, 0.9);
    }
  });

  it('publishes nothing that is worse than the forecast', async () => {
    const series = temperatures(100);
    const { scores } = await train(series, await recordsWith(forecastsOf(series, { bias: 0 })));
    for (const lead of [2, 3, 4]) expect(ratioOf(scores[lead] as LeadScores), LEADS[lead]).to.be.below(1.05);
  });

  it('learns anew after a change of the model', async () => {
    const series = temperatures(100);
    const changesAt = START + 50 * MILLISECONDS.day;
    const { issued } = await train(series, await recordsWith(forecastsOf(series, { bias: 1.5, changesAt })));
    const column = series.values.get(V.temperature) as Float64Array;
    const late = issued.filter((one) => one.issued > changesAt + 20 * MILLISECONDS.day);
    let [raw, corrected] = [0, 0];
    for (const forecast of late)
      for (const [index, time] of forecast.times.entries()) {
        const observed = column[(time - START) / HOUR] as number;
        raw += Math.abs((forecast.values.get(F.temperature)?.[index] as number) - observed);
        corrected += Math.abs((publishedValues(forecast, F.temperature)[index] as number) - observed);
      }
    expect(corrected / raw).to.be.below(0.8);
  });

  it('ignores values that did not pass quality control', async () => {
    const series = temperatures(30);
    const stored = await recordsWith(forecastsOf(series, { bias: 1 }));
    const isWrong = (hour: number) => hour % 50 === 0;
    const wrong = (series.values.get(V.temperature) as Float64Array).map((value, hour) =>
      isWrong(hour) ? 55 : value,
    );
    const flags = Uint8Array.from(series.times, (_, hour) => (isWrong(hour) ? FLAG.spike : 0));
    const without = wrong.map((value, hour) => (isWrong(hour) ? Number.NaN : value));
    const flagged = await train(
      { ...series, values: new Map([[V.temperature, wrong]]), flags: new Map([[V.temperature, flags]]) },
      stored,
    );
    const absent = await train({ ...series, values: new Map([[V.temperature, without]]) }, stored);
    expect(flagged.issued.map(forecastText)).to.deep.equal(absent.issued.map(forecastText));
  });

  it('keeps every forecast as it is when forecasts of the past with the same time of issue are added again', async () => {
    const series = temperatures(20);
    const forecasts = forecastsOf(series, { bias: 1 });
    const { records, issued } = await train(series, await recordsWith(forecasts));
    expect(issued.some(({ published }) => published.get(F.temperature)?.includes(true))).to.equal(true);
    const texts = issued.map(forecastText);
    const parts = forecasts.map(({ times, values, ...one }) => ({
      ...one,
      times: times.slice(0, 2),
      values: new Map([...values].map(([number, column]) => [number, column.slice(0, 2)])),
    }));
    for (const known of [forecasts, parts]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const added = await records.add(SERIES, known.map(asAdded));
      expect(added).to.equal(0);
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect((await resultOf(records)).issued.map(forecastText)).to.deep.equal(texts);
    }
  });

  it('stores the same whatever the parts in which forecasts of the past come', async () => {
    const series = temperatures(10);
    const forecasts = forecastsOf(series, { bias: 1 }).slice(0, 20);
    const whole = new ForecastRecords(await recordsWith(forecasts));
    const expected = (await resultOf(whole)).issued.map(forecastText);
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.integer({ min: 0, max: 2 })), async (stream) => {
        const parts: Forecast[][] = [[], [], []];
        for (const { issued, times, values } of forecasts) {
          const chosen = Uint8Array.from(times, () => stream.next().value as number);
          for (const [index, part] of parts.entries()) {
            const isOwn = (_: number, row: number) => chosen[row] === index;
            const own = new Map([...values].map(([number, column]) => [number, column.filter(isOwn)]));
            if (times.some(isOwn)) part.push({ issued, times: times.filter(isOwn), values: own });
          }
        }
        const records = new ForecastRecords(new Records());
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        for (const part of [...parts, ...parts]) await records.add(SERIES, part.map(asAdded));
        expect((await resultOf(records)).issued.map(forecastText)).to.deep.equal(expected);
      }),
      { numRuns: 20 },
    );
  });

  it('keeps the corrections of a forecast that was shown', async () => {
    const series = temperatures(20);
    const forecasts = forecastsOf(series, { bias: 1 });
    const { records, issued } = await train(series, await recordsWith(forecasts));
    const shown = { ...(issued[40] as IssuedForecast), isImported: false };
    await records.add(SERIES, [shown]);
    const learn = new LearnForecasts(
      observationsOf(() => series),
      records,
    );
    await learn.again(PLACE, SERIES, (series.times.at(-1) as number) + 12 * HOUR);
    const again = await resultOf(records);
    expect(forecastText(again.issued[40] as IssuedForecast)).to.equal(forecastText(shown));
    expect(await records.add(SERIES, forecasts.map(asAdded))).to.equal(0);
    expect(forecastText((await resultOf(records)).issued[40] as IssuedForecast)).to.equal(
      forecastText(shown),
    );
  });
});

/** Scores without the rounding errors of their sums. */
function rounded(scores: readonly LeadScores[]): unknown {
  return JSON.parse(
    JSON.stringify(scores, (_, value: unknown) =>
      typeof value === 'number' ? Number(value.toFixed(6)) : value,
    ),
  );
}
