import { MILLISECONDS } from '#domain/time.js';

/**
 * Computes the proof of forecasts again from what the API says about the forecasts and the observations, by the definitions in
 * docs/forecast.md and with nothing of the code of the service.
 */

type Numbers = Readonly<Record<string, readonly (number | null)[]>>;
interface ForecastReply {
  readonly issued: string;
  readonly forecast: { readonly time: readonly string[] } & Numbers;
  readonly raw: Numbers;
  readonly p10: Numbers;
  readonly p90: Numbers;
}
interface ObservationReply {
  readonly next: string | null;
  readonly observations: { readonly time: readonly string[] } & Numbers;
}
/** Reads the JSON of a path of the API, whose status must be 200 or 404. Undefined for 404. */
export type ReadJson = (path: string) => Promise<unknown>;

const { hour: HOUR, day: DAY } = MILLISECONDS;
const LEADS = [0, 6, 12, 24, 48, 72, 96, 120, 144, 168, 192, 216, 240];
/** Half of the distance of the bounds of 10 % and 90 % of a normal distribution, in standard deviations. */
const Z90 = 1.281_551_565_544_8;
/** How an hour follows from the observations, and the share of the hour that they must cover. */
const OF_HOUR: Readonly<Record<string, readonly ['sum' | 'maximum' | 'mean', number]>> = {
  precipitation_amount: ['sum', 1],
  wind_speed_of_gust: ['maximum', 0.8],
  surface_downwelling_shortwave_flux_in_air: ['mean', 1],
};

/** One forecast of one hour with its outcome. `null`: there is none. */
interface Pair {
  readonly lead: string;
  readonly raw: number;
  readonly shown: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly persisted: number | null;
  readonly observed: number;
}

/** A chance of rain from 0 to 1 with its outcome. */
interface Chance {
  readonly lead: string;
  readonly raw: number;
  readonly shown: number;
  readonly hasRained: boolean;
}

/** All forecasts of a station that were issued up to a time, the newest first. */
async function issuedForecasts(read: ReadJson, station: string, until: number): Promise<ForecastReply[]> {
  const found: ForecastReply[] = [];
  for (let time = until; ;) {
    // oxlint-disable-next-line no-await-in-loop -- each reply says where to go on
    const reply = await read(`/v1/stations/${station}/forecast?issued=${new Date(time).toISOString()}`);
    if (reply === undefined) return found;
    found.push(reply as ForecastReply);
    time = Date.parse((reply as ForecastReply).issued) - 1;
  }
}

/** The values of a variable that passed, by time. */
async function passed(
  read: ReadJson,
  station: string,
  variable: string,
): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>();
  for (let cursor = ''; ;) {
    // oxlint-disable-next-line no-await-in-loop -- page after page
    const { observations, next } = (await read(
      `/v1/stations/${station}/observations?qc=pass&variables=${variable}&limit=10000${cursor}`,
    )) as ObservationReply;
    for (const [row, time] of observations.time.entries()) {
      const value = observations[variable]?.[row];
      if (typeof value === 'number') found.set(Date.parse(time), value);
    }
    if (next === null) return found;
    cursor = `&cursor=${next}`;
  }
}

/** What was observed at an hour; null if there is nothing. @param interval milliseconds between two reports of the station */
function observedAt(
  variable: string,
  values: ReadonlyMap<number, number>,
  interval: number,
): (hour: number) => number | null {
  const [method, share] = OF_HOUR[variable] ?? ['at', 0];
  const known = new Map<number, number | null>();
  const find = (hour: number) => {
    if (method === 'at') {
      // The value next to the hour, the earlier one of two; at most half an hour away.
      for (let away = 0; away <= HOUR / 2; away += MILLISECONDS.second)
        for (const time of [hour - away, hour + away])
          if (values.has(time)) return values.get(time) as number;
      return null;
    }
    const own: number[] = [];
    for (let time = hour - HOUR + interval; time <= hour; time += interval)
      if (values.has(time)) own.push(values.get(time) as number);
    if (own.length * interval < share * HOUR) return null;
    const sum = own.reduce((total, one) => total + one, 0);
    return method === 'sum' ? sum : method === 'mean' ? sum / own.length : Math.max(...own);
  };
  return (hour) => {
    const value = known.has(hour) ? (known.get(hour) ?? null) : find(hour);
    known.set(hour, value);
    return value;
  };
}

export interface ProofInput {
  readonly station: string;
  /** A variable, or `frost`. */
  readonly variable: string;
  /** `scored_until` of the reply that is computed again, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly until: number;
  /** Begin of the hours, in the same unit: that of the first month. */
  readonly from?: number;
  /** Milliseconds between two reports of the station. */
  readonly interval: number;
}

/** The field `verification` of `GET /v1/stations/{id}/forecast/verification`. */
export async function computedProof(
  read: ReadJson,
  { station, variable: asked, until, from = -Infinity, interval }: ProofInput,
): Promise<unknown[]> {
  const variable = asked === 'frost' ? 'air_temperature' : asked;
  const observed = observedAt(variable, await passed(read, station, variable), interval);
  const pairs: Pair[] = [];
  const chances: Chance[] = [];
  for (const { issued, forecast, raw, p10, p90 } of await issuedForecasts(read, station, until)) {
    const start = Date.parse(issued);
    const own = forecast as Numbers;
    for (const [row, text] of forecast.time.entries()) {
      const time = Date.parse(text);
      const hours = (time - start) / HOUR;
      const index = LEADS.findLastIndex((first) => first <= hours);
      const lead = `${LEADS[index]}-${(LEADS[index + 1] ?? 0) - 1}`;
      const [value, outcome] = [raw[variable]?.[row] ?? null, observed(time)];
      if (hours < 0 || index === LEADS.length - 1 || time >= until || time < from) continue;
      if (outcome === null) continue;
      const chance = (percent: number | null | undefined) =>
        asked !== 'precipitation_amount' || percent === null || percent === undefined ? null : percent / 100;
      const rawChance = chance(raw['probability_of_precipitation']?.[row]);
      const shownChance = chance(own['probability_of_precipitation']?.[row]);
      if (rawChance !== null && shownChance !== null)
        chances.push({ lead, raw: rawChance, shown: shownChance, hasRained: outcome >= 0.2 });
      if (value === null) continue;
      if (variable === 'surface_downwelling_shortwave_flux_in_air' && value <= 0 && outcome <= 0) continue;
      pairs.push({
        lead,
        raw: value,
        shown: own[variable]?.[row] as number,
        low: p10[variable]?.[row] ?? null,
        high: p90[variable]?.[row] ?? null,
        // The same time of the last day whose observation, which may be half an hour late, was there at the issue.
        persisted: observed(time - Math.ceil((time - start + HOUR / 2) / DAY) * DAY),
        observed: outcome,
      });
    }
  }
  return LEADS.slice(0, -1).map((first, index) => {
    const lead = `${first}-${(LEADS[index + 1] as number) - 1}`;
    const of = pairs.filter((pair) => pair.lead === lead);
    return asked === 'frost'
      ? frostOf(lead, of)
      : proofOf(
          lead,
          of,
          chances.filter((chance) => chance.lead === lead),
        );
  });
}

/** The field `cases` of `…/verification/cases`, of the newest forecasts with these lead times for these hours. */
export async function computedCases(
  read: ReadJson,
  { station, variable, until, interval }: ProofInput,
  {
    lead: [shortest, longest],
    hours,
  }: { readonly lead: readonly [number, number]; readonly hours: readonly number[] },
) {
  const observed = observedAt(variable, await passed(read, station, variable), interval);
  const forecasts = await issuedForecasts(read, station, until);
  return hours.flatMap((time) => {
    const own = forecasts.find(({ issued }) => {
      const ahead = (time - Date.parse(issued)) / HOUR;
      return ahead >= shortest && ahead < longest + 1;
    });
    const row = own?.forecast.time.findIndex((text) => Date.parse(text) === time) ?? -1;
    const at = (columns: Numbers | undefined) => columns?.[variable]?.[row] ?? null;
    const [raw, forecast, outcome] = [at(own?.raw), at(own?.forecast), observed(time)];
    if (own === undefined || raw === null || forecast === null || outcome === null) return [];
    const { issued, p10, p90 } = own;
    return [{ time, issued, raw, forecast, p10: at(p10), p90: at(p90), observed: outcome }];
  });
}

const mean = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

function errorsOf(errors: readonly number[], reference: number | null) {
  const mae = mean(errors.map(Math.abs));
  const square = mean(errors.map((error) => error * error));
  return {
    count: errors.length,
    bias: mean(errors),
    mae,
    rmse: square === null ? null : Math.sqrt(square),
    skill: mae === null || reference === null || reference === 0 ? null : 1 - mae / reference,
    within_2: mean(errors.map((error) => (Math.abs(error) <= 2 ? 1 : 0))),
  };
}

function proofOf(lead: string, pairs: readonly Pair[], chances: readonly Chance[]) {
  const persistence = pairs.flatMap(({ persisted, observed }) =>
    persisted === null ? [] : [persisted - observed],
  );
  const reference = mean(persistence.map(Math.abs));
  const bounded = pairs.flatMap(({ shown, low, high, observed }) =>
    low === null || high === null ? [] : [{ shown, low, high, observed }],
  );
  return {
    lead,
    raw: {
      ...errorsOf(
        pairs.map(({ raw, observed }) => raw - observed),
        reference,
      ),
      chance: chancesOf(chances.map(({ raw, hasRained }) => [raw, hasRained])),
    },
    corrected: {
      ...errorsOf(
        pairs.map(({ shown, observed }) => shown - observed),
        reference,
      ),
      crps: mean(
        bounded.map(({ shown, low, high, observed }) => crps(shown, (high - low) / 2 / Z90, observed)),
      ),
      coverage_80: mean(
        bounded.map(({ low, high, observed }) => (observed >= low && observed <= high ? 1 : 0)),
      ),
      chance: chancesOf(chances.map(({ shown, hasRained }) => [shown, hasRained])),
    },
    persistence: errorsOf(persistence, reference),
  };
}

/** The chance of frost follows from the published value and its bounds. The forecast of the provider says yes or no. */
function frostOf(lead: string, pairs: readonly Pair[]) {
  const bounded = pairs.flatMap(({ raw, shown, low, high, observed }) =>
    low === null || high === null ? [] : [{ raw, shown, deviation: (high - low) / 2 / Z90, observed }],
  );
  const none = errorsOf([], null);
  return {
    lead,
    raw: { ...none, chance: chancesOf(bounded.map(({ raw, observed }) => [raw < 0 ? 1 : 0, observed < 0])) },
    corrected: {
      ...none,
      crps: null,
      coverage_80: null,
      chance: chancesOf(
        bounded.map(({ shown, deviation, observed }) => [
          Number((deviation > 0 ? probabilityBelow((0 - shown) / deviation) : shown < 0 ? 1 : 0).toFixed(3)),
          observed < 0,
        ]),
      ),
    },
    persistence: none,
  };
}

function chancesOf(cases: readonly (readonly [chance: number, hasHappened: boolean])[]) {
  if (cases.length === 0) return null;
  const count = (isExpected: boolean, happened: boolean) =>
    cases.filter(([chance, hasHappened]) => chance >= 0.5 === isExpected && hasHappened === happened).length;
  const [hits, misses, falseAlarms] = [count(true, true), count(false, true), count(true, false)];
  const share = (part: number, all: number) => (all === 0 ? null : part / all);
  return {
    count: cases.length,
    brier: mean(cases.map(([chance, hasHappened]) => (chance - Number(hasHappened)) ** 2)),
    pod: share(hits, hits + misses),
    far: share(falseAlarms, hits + falseAlarms),
    csi: share(hits, hits + misses + falseAlarms),
    reliability: Array.from({ length: 10 }, (_, bin) => {
      const own = cases.filter(([chance]) => Math.min(9, Math.floor(chance * 10)) === bin);
      return {
        chance: mean(own.map(([chance]) => chance)),
        events: mean(own.map(([, hasHappened]) => Number(hasHappened))),
        count: own.length,
      };
    }),
  };
}

/** The continuous ranked probability score of a normal distribution. */
function crps(value: number, deviation: number, observed: number): number {
  if (deviation <= 0) return Math.abs(observed - value);
  const z = (observed - value) / deviation;
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  return deviation * (z * (2 * probabilityBelow(z) - 1) + 2 * density - 1 / Math.sqrt(Math.PI));
}

/** The probability that a standard normal value is below `z`, by Simpson's rule. */
function probabilityBelow(z: number): number {
  const [steps, end] = [400, Math.min(8, Math.abs(z))];
  let sum = 0;
  for (let step = 0; step <= steps; step += 1) {
    const weight = step === 0 || step === steps ? 1 : step % 2 === 1 ? 4 : 2;
    sum += weight * Math.exp(-(((end * step) / steps) ** 2) / 2);
  }
  const half = (sum * end) / steps / 3 / Math.sqrt(2 * Math.PI);
  return z >= 0 ? 0.5 + half : 0.5 - half;
}
