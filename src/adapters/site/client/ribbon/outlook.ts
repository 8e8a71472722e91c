import { MILLISECONDS } from '#domain/time.js';
import type { Forecast } from '../forecast/read-forecast.js';

/** A fact that the sentence takes from the forecast. Times are in ms since 1970, values in metric units. */
export type OutlookFact =
  | { readonly code: 'dry'; readonly from: number }
  | { readonly code: 'frost'; readonly from: number; readonly lowest: number }
  | { readonly code: 'gust'; readonly time: number; readonly speed: number };

/** Rain in mm in an hour from which the hour counts as wet. */
const WET = 0.1;
/** Number of dry hours after which rain has ended. */
const DRY_HOURS = 3;
/** Speed in m/s above which a gust is a fact: the strong breeze ends and the gale begins. */
const GUST = 17;
const MAX_FACTS = 2;

/**
 * The facts of the next hours: the end of the rain, the first frost, and the strongest gust above 17 m/s, in this order and two at most.
 *
 * @param isRaining whether it rains now
 * @param celsius the current temperature. Frost is no fact if there is frost already
 */
export function outlookOf(
  { times, values }: Pick<Forecast, 'times' | 'values'>,
  {
    now,
    isRaining,
    celsius,
  }: { readonly now: number; readonly isRaining: boolean; readonly celsius: number | undefined },
): readonly OutlookFact[] {
  const hours = times
    .map((seconds, index) => ({ time: seconds * MILLISECONDS.second, index }))
    .filter(({ time }) => time > now);
  const valueOf = (name: string, index: number) => values[name]?.[index] ?? undefined;
  const facts: OutlookFact[] = [];

  const isDry = (hour: number) => {
    const rain = hours[hour] && valueOf('precipitation_amount', hours[hour].index);
    return rain !== undefined && rain < WET;
  };
  const end = hours.findIndex((_hour, first) =>
    Array.from({ length: DRY_HOURS }, (_, offset) => first + offset).every(isDry),
  );
  // The amount of an hour has the time of its end.
  const dry = hours[end];
  if (isRaining && dry !== undefined) {
    const start = dry.time - MILLISECONDS.hour;
    facts.push({ code: 'dry', from: start < now ? dry.time : start });
  }

  const first = hours.find(({ index }) => (valueOf('air_temperature', index) ?? 0) < 0);
  if (first !== undefined && (celsius === undefined || celsius >= 0)) {
    const later = hours.filter(({ index }) => index >= first.index);
    const thaw = later.findIndex(({ index }) => (valueOf('air_temperature', index) ?? 0) >= 0);
    const spell = thaw < 0 ? later : later.slice(0, thaw);
    const lowest = Math.min(...spell.map(({ index }) => valueOf('air_temperature', index) ?? 0));
    facts.push({ code: 'frost', from: first.time, lowest });
  }

  const gusts = hours.flatMap(({ time, index }) => {
    const speed = valueOf('wind_speed_of_gust', index);
    return speed !== undefined && speed > GUST ? [{ time, speed }] : [];
  });
  if (gusts.length > 0) {
    const strongest = gusts.reduce((best, gust) => (gust.speed > best.speed ? gust : best));
    facts.push({ code: 'gust', ...strongest });
  }
  return facts.slice(0, MAX_FACTS);
}
