import { MILLISECONDS } from '#domain/time.js';
import type { Reply } from '../api.js';

type VerificationReply = Reply<'/v1/stations/{id}/forecast/verification', 'get'>;
/** The scores of the forecasts of a variable. */
export type Verification = Omit<VerificationReply, 'success' | 'code' | 'message'>;
/** The scores of a class of lead times. */
export type LeadScores = VerificationReply['verification'][number];
/** Scores of the chances of an event. */
export type Chances = NonNullable<LeadScores['raw']['chance']>;
/** A forecast of one hour, and what was observed. */
export type Case = Reply<'/v1/stations/{id}/forecast/verification/cases', 'get'>['cases'][number];

/** What the page can show. The last two are chances of an event. */
export const VARIABLES = [
  'air_temperature',
  'wind_speed',
  'precipitation_amount',
  'air_pressure_at_mean_sea_level',
  'frost',
] as const;
export type ShownVariable = (typeof VARIABLES)[number];
/** Months up to now. */
export const SPANS = ['3', '12', 'all'] as const;
/** The class of lead times of the headline: a day ahead. */
export const NEXT_DAY = '24-47';
/** Days of the single cases. */
export const CASE_DAYS = 60;
/** Largest error of a hit in metric units, as in `within_2`. */
export const NEAR = 2;
/** Below this number of days, the page says that the numbers still change. */
const MIN_DAYS = 30;
/** Fewest cases from which the page says that the model is biased. */
const MIN_CASES = 20;

/** What the visitor has chosen, in the query of the page. */
export interface Choice {
  readonly variable: ShownVariable;
  readonly months: (typeof SPANS)[number];
  /** Hour of the local day of the single cases. */
  readonly hour: number;
}

const USUAL: Choice = { variable: 'air_temperature', months: '12', hour: 5 };

export function choiceOf(query: URLSearchParams): Choice {
  const hour = Number(query.get('hour') ?? USUAL.hour);
  return {
    variable: VARIABLES.find((name) => name === query.get('variable')) ?? USUAL.variable,
    months: SPANS.find((span) => span === query.get('months')) ?? USUAL.months,
    hour: Number.isInteger(hour) && hour >= 0 && hour < 24 ? hour : USUAL.hour,
  };
}

/** An hour of the day as people write it: `05:00`. */
export const clockHour = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** The address of the page of a station with a choice. The usual choice has no query. */
export function addressOf(station: string, choice: Choice): string {
  const query = new URLSearchParams();
  for (const name of ['variable', 'months', 'hour'] as const)
    if (choice[name] !== USUAL[name]) query.set(name, String(choice[name]));
  return `/stations/${encodeURIComponent(station)}/forecast${String(query) === '' ? '' : `?${query}`}`;
}

/** Whether the scores of a variable are those of chances. */
export const isChance = (variable: ShownVariable): variable is 'precipitation_amount' | 'frost' =>
  variable === 'precipitation_amount' || variable === 'frost';

/** The first month of a span, for the parameter `since`; undefined for all months. @param now in ms since 1970 */
export function firstMonth(months: Choice['months'], now: number): string | undefined {
  if (months === 'all') return undefined;
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1 - Number(months)))
    .toISOString()
    .slice(0, 7);
}

/** The name of a class of lead times: hours of the first day, otherwise the number of the day. */
export function leadParts(lead: string): {
  readonly from: number;
  readonly to: number;
  readonly day?: number;
} {
  const [from = 0, to = 0] = lead.split('-').map(Number);
  return from < 24 ? { from, to } : { from, to, day: from / 24 + 1 };
}

/** Number of days that were compared if they are few; undefined if they are enough. */
export function fewDays({
  first_issued: first,
  scored_until: until,
  since,
}: Verification): number | undefined {
  if (first === null || until === null) return undefined;
  const begin = Math.max(Date.parse(first), since === null ? 0 : Date.parse(since));
  const days = Math.floor((Date.parse(until) - begin) / MILLISECONDS.day);
  return days < MIN_DAYS ? Math.max(0, days) : undefined;
}

/** Share of the error of the model that learning takes off; undefined if it is unknown. */
export function gainOf({ raw, corrected }: LeadScores): number | undefined {
  if (raw.mae === null || corrected.mae === null || raw.mae === 0) return undefined;
  return 1 - corrected.mae / raw.mae;
}

/** The errors of a case: forecast minus observation, in metric units. */
export const rawError = ({ raw, observed }: Case): number => raw - observed;
export const errorOf = ({ forecast, observed }: Case): number => forecast - observed;

/** Number of cases whose error is at most `NEAR`. The comparison allows for the rounding of binary fractions. */
export function nearCount(cases: readonly Case[], error: (one: Case) => number): number {
  return cases.filter((one) => Math.abs(error(one)) <= NEAR + 1e-9).length;
}

/**
 * The mean error of the model over the cases. Undefined if there are few, or if it is less than two standard errors from 0: a bias that
 * chance explains is none.
 */
export function biasOf(cases: readonly Case[]): number | undefined {
  if (cases.length < MIN_CASES) return undefined;
  const errors = cases.map(rawError);
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  const variance = errors.reduce((sum, error) => sum + (error - mean) ** 2, 0) / (errors.length - 1);
  return Math.abs(mean) > 2 * Math.sqrt(variance / errors.length) ? mean : undefined;
}

/** How often the event happened, and the Brier score of always announcing that. */
export function climatology({ reliability, count }: Chances): {
  readonly share: number;
  readonly brier: number;
} {
  const share = reliability.reduce((sum, bin) => sum + (bin.events ?? 0) * bin.count, 0) / count;
  return { share, brier: share * (1 - share) };
}

/** Round numbers from 0, of which the last one is at least `highest`. */
export function ticksTo(highest: number, most = 5): number[] {
  if (!(highest > 0)) return [0, 1];
  const size = 10 ** Math.floor(Math.log10(highest / most));
  const step = [1, 2, 5, 10].map((factor) => factor * size).find((one) => highest / one <= most) as number;
  return Array.from({ length: Math.ceil(highest / step - 1e-9) + 1 }, (_, index) =>
    Number((index * step).toPrecision(12)),
  );
}

/** Moves names of lines apart, so that each has `gap` px. @param places in px from above @returns the places in the same order */
export function apart(places: readonly number[], gap: number): number[] {
  const order = [...places.keys()].toSorted((a, b) => (places[a] as number) - (places[b] as number));
  const moved = [...places];
  let before = -Infinity;
  for (const index of order) {
    before = Math.max(moved[index] as number, before + gap);
    moved[index] = before;
  }
  return moved;
}

/** For 100 dots, whether each is inside the band. The outside ones are spread by a stride that has no common factor with 100. */
export function bandDots(inside: number): boolean[] {
  const dots = Array.from({ length: 100 }, () => true);
  for (let index = 0; index < 100 - inside; index += 1) dots[(index * 37 + 11) % 100] = false;
  return dots;
}
