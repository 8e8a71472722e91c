import { MILLISECONDS } from '#domain/time.js';
import { highestSine } from '#domain/weather/derived/solar.js';
import { V } from '#domain/weather/variables.js';
import type { Finding, NoticeCheck, NoticeInput } from '../notice-check.js';

const NUMBERS = {
  /** Sine of the altitude below which an hour belongs to the night, with a tolerance of an hour for the clock: 6° below the horizon. */
  sine: -0.1,
  /** Mean of a night in W/m² that is an offset. Thermal offsets of pyranometers are a few W/m². */
  offset: 10,
  /** Smallest number of values of a night, and of successive nights with an offset. */
  hours: 3,
  nights: 3,
} as const;

/** Finds an offset of the radiation: the mean of several nights in a row is above or below what a pyranometer may show. */
export const nightRadiation: NoticeCheck = {
  kind: 'night_radiation',
  span: 'weeks',
  source: 'BSRN recommended QC tests V2.0 (Long and Dutton); WMO-No. 8, volume I, chapter 7 (zero offset)',
  finds: `the mean radiation of at least ${NUMBERS.nights} nights in a row is above ${NUMBERS.offset} W/m², or below −${NUMBERS.offset} W/m²`,
  find: findOffsets,
};

interface Night {
  readonly from: number;
  readonly to: number;
  readonly mean: number;
}

function findOffsets({ own, position }: NoticeInput): readonly Finding[] {
  const column = own.columns.get(V.radiation);
  if (column === undefined || position === undefined) return [];
  const findings: Finding[] = [];
  let run: Night[] = [];
  const end = () => {
    const [first, last] = [run[0], run.at(-1)];
    if (first !== undefined && last !== undefined && run.length >= NUMBERS.nights) {
      const mean = run.reduce((sum, night) => sum + night.mean, 0) / run.length;
      const facts = { mean_at_night: mean, nights: run.length };
      findings.push({ variable: V.radiation, from: first.from, to: last.to, facts, comparedWith: [] });
    }
    run = [];
  };
  for (const night of nightsOf(column, own.begin, position)) {
    const isOffset = Math.abs(night.mean) > NUMBERS.offset;
    if (!isOffset || Math.sign(night.mean) !== Math.sign(run[0]?.mean ?? night.mean)) end();
    if (isOffset) run.push(night);
  }
  end();
  return findings;
}

function* nightsOf(
  column: Float64Array,
  begin: number,
  position: { readonly latitude: number; readonly longitude: number },
): Generator<Night> {
  let [from, count, sum] = [-1, 0, 0];
  for (let hour = 0; hour <= column.length; hour += 1) {
    const start = begin + hour * MILLISECONDS.hour;
    const isNight =
      hour < column.length &&
      highestSine(start - MILLISECONDS.hour, start + 2 * MILLISECONDS.hour, position) < NUMBERS.sine;
    if (isNight) {
      if (from < 0) from = hour;
      const value = column[hour] as number;
      if (Number.isNaN(value)) continue;
      count += 1;
      sum += value;
    } else if (from >= 0) {
      if (count >= NUMBERS.hours) yield { from, to: hour, mean: sum / count };
      [from, count, sum] = [-1, 0, 0];
    }
  }
}
