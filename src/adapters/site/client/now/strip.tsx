import { MILLISECONDS } from '#domain/time.js';
import type { RibbonHour } from '../ribbon/ribbon-model.js';
import { rainBars } from './model/rain-bars.js';
import { drawSpark, longestGap, placeValue, type SparkValues } from './model/spark.js';

/** Pictures of 24 hours in the cards. All of them have the same span of time, so that they can be compared. */
const STRIP = { width: 154, height: 44, margin: 5 };

/** The shown span in ms since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A line with a dot at its lowest and highest value, and a ring at its newest value. Single dots are drawn for `dots`. */
export function LineStrip({
  line,
  dots,
  span,
  ink,
  interval,
}: {
  readonly line: SparkValues | undefined;
  readonly dots?: SparkValues | undefined;
  readonly span: Span;
  /** Name of the color. */
  readonly ink: string;
  /** Reporting interval of the station in seconds. */
  readonly interval: number | null;
}) {
  const seconds = { from: span.from / MILLISECONDS.second, to: span.to / MILLISECONDS.second };
  const values = [...(line?.values ?? []), ...(dots?.values ?? [])];
  const scale = { ...seconds, bottom: Math.min(...values), top: Math.max(...values) };
  const spark = line && drawSpark(line, STRIP, longestGap(interval), scale);
  if (spark === undefined)
    return <svg class="strip" viewBox={VIEW} preserveAspectRatio="xMinYMid" aria-hidden="true" />;
  const hasDots = dots !== undefined && dots.values.length > 0;
  const hollow = dots?.times.map((time, index) =>
    placeValue(time, dots.values[index] as number, STRIP, scale),
  );
  return (
    <svg class={`strip ink-${ink}`} viewBox={VIEW} preserveAspectRatio="xMinYMid" aria-hidden="true">
      {hasDots && hollow?.map(([x, y]) => <circle key={x} class="gust" cx={x} cy={y} r="1" />)}
      <path d={spark.path} />
      {!hasDots && <circle cx={spark.lowest[0]} cy={spark.lowest[1]} r="2.5" />}
      {!hasDots && <circle cx={spark.highest[0]} cy={spark.highest[1]} r="2.5" />}
      {spark.suspects.map((path) => (
        <path key={path} class="ring" d={path} />
      ))}
      <circle class="ring" cx={spark.newest[0]} cy={spark.newest[1]} r="3" />
    </svg>
  );
}

const VIEW = `0 0 ${STRIP.width} ${STRIP.height}`;

/** The rain of each hour. */
export function RainStrip({ hours, span }: { readonly hours: readonly RibbonHour[]; readonly span: Span }) {
  const bottom = STRIP.height - 4;
  return (
    <svg class="strip ink-rain" viewBox={VIEW} preserveAspectRatio="xMinYMid" aria-hidden="true">
      {rainBars(hours, span, STRIP).map((bar) => (
        <rect key={bar.x} {...bar} />
      ))}
      <path class="base" d={`M0 ${bottom + 0.5}H${STRIP.width}`} />
    </svg>
  );
}

/** The arc of the sun over a day, with the sun at `share` of the day. Altitudes are in degrees. */
export function SunStrip({
  altitudes,
  share,
  altitude,
}: {
  readonly altitudes: readonly number[];
  readonly share: number | undefined;
  readonly altitude: number;
}) {
  const highest = Math.max(30, ...altitudes);
  const horizon = STRIP.height - 14;
  const y = (degrees: number) =>
    Math.round((degrees >= 0 ? horizon - (degrees / highest) * (horizon - 5) : horizon - degrees / 3) * 10) /
    10;
  const points = altitudes.map((degrees, index) => ({
    x: Math.round((index / (altitudes.length - 1)) * STRIP.width * 10) / 10,
    degrees,
  }));
  const path = (isShown: (degrees: number) => boolean) =>
    points
      .map(({ x, degrees }, index) => {
        if (!isShown(degrees)) return '';
        const before = points[index - 1];
        return `${before !== undefined && isShown(before.degrees) ? 'L' : 'M'}${x} ${y(degrees)}`;
      })
      .join('');
  return (
    <svg class="strip ink-sun" viewBox={VIEW} preserveAspectRatio="xMinYMid" aria-hidden="true">
      <path class="base" d={`M0 ${horizon + 0.5}H${STRIP.width}`} />
      <path class="below" d={path((degrees) => degrees < 2 && degrees > -30)} />
      <path d={path((degrees) => degrees >= -1)} />
      {share !== undefined && altitude > -30 && (
        <circle class={altitude < 0 ? 'ring' : undefined} cx={share * STRIP.width} cy={y(altitude)} r="4" />
      )}
    </svg>
  );
}
