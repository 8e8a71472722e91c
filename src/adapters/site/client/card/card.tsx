import { MILLISECONDS } from '#domain/time.js';
import { isStale } from '#domain/weather/current/silence.js';
import type { Station } from '../api.js';
import { providerName } from '../forecast/provider-name.js';
import type { Now } from '../now/read-now.js';
import { fixedPaint, scaledPaint } from '../ribbon/paint.js';
import { forecastOf, ribbonDataOf, withoutWind } from '../ribbon/ribbon-data.js';
import { ribbonModel } from '../ribbon/ribbon-model.js';
import { Ribbon } from '../ribbon/ribbon.js';
import { useRibbonFormat } from '../ribbon/use-ribbon-format.js';
import type { Summary } from '../share/summary.js';
import { useSite } from '../site-context.js';
import { textLines, widthOf } from './text-lines.js';

/** Size in pixels. Chats and social networks show pictures of this shape in full. */
export const CARD_SIZE = { width: 1200, height: 630 };
/** Left and right margin: some viewers cut off the edges. */
const MARGIN = 56;
/** Sizes of type in pixels. */
const [SMALL, MEDIUM, LARGE] = [28, 48, 144];
/** Left edge of the sentence beside the value, for short and for long values. */
const SENTENCE = [440, 520] as const;
/** Top of the picture of the last 24 hours, and the height of the line about the forecast under it. */
const RIBBON = 312;
const CREDIT = 40;

/** The picture of a station for links: its name, the temperature, the facts, the last 24 hours, and the forecast. */
export function Card({
  station,
  now,
  summary,
  scheme,
}: {
  readonly station: Station;
  readonly now: Now;
  readonly summary: Summary;
  readonly scheme: 'light' | 'dark';
}) {
  const { text } = useSite();
  const { width, height } = CARD_SIZE;
  const { moment, value, unit, main, facts } = summary;
  const paint = scaledPaint(fixedPaint(scheme), 2);
  const [ink, muted] = [paint.color('ink'), paint.color('muted')];
  const right = width - MARGIN;
  const momentWidth = moment === undefined ? 0 : (widthOf(moment) + 1) * SMALL;
  const [name = ''] = textLines(station.name, (right - MARGIN - momentWidth) / SMALL / 1.05, 1);
  const left = SENTENCE[value !== undefined && value.length > 4 ? 1 : 0];
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      font-family="Open Sans"
      fill={ink}
    >
      <rect width={width} height={height} fill={paint.color('paper')} />
      <text x={MARGIN} y="76" font-size={SMALL} font-weight="600">
        {name}
      </text>
      {moment !== undefined && (
        <text x={right} y="76" font-size={SMALL} text-anchor="end" fill={muted}>
          {moment}
        </text>
      )}
      {value === undefined ? (
        <Lines
          text={[main, ...facts].join(' ')}
          x={MARGIN}
          y={170}
          size={MEDIUM}
          width={right - MARGIN}
          count={2}
        />
      ) : (
        <>
          <text x={MARGIN - 4} y="230" font-size={LARGE} font-weight="600">
            {value}
            <tspan dx="16" dy="-64" font-size={MEDIUM} font-weight="400" fill={muted}>
              {unit}
            </tspan>
          </text>
          <Facts main={main} facts={facts.join(' ')} x={left} width={right - left} muted={muted} />
        </>
      )}
      <LastHours station={station} now={now} paint={paint} />
      {now.last_seen === null && (
        <text x={MARGIN} y={height - 40} font-size={SMALL} fill={muted}>
          {text.site.name}
        </text>
      )}
    </svg>
  );
}

/** The facts beside the value: the main ones in large type, the others in small type under them. */
function Facts({
  main,
  facts,
  x,
  width,
  muted,
}: {
  readonly main: string;
  readonly facts: string;
  readonly x: number;
  readonly width: number;
  readonly muted: string;
}) {
  const [first, second] = main === '' ? [facts, ''] : [main, facts];
  const count = textLines(first, width / MEDIUM, 2).length;
  return (
    <>
      <Lines text={first} x={x} y={154} size={MEDIUM} width={width} count={2} />
      <Lines
        text={second}
        x={x}
        y={154 + count * 56}
        size={SMALL}
        width={width}
        count={3 - count}
        fill={muted}
      />
    </>
  );
}

/**
 * The last 24 hours before the last value, so that the picture changes only with new values, and the forecast unless the station is
 * silent.
 */
function LastHours({
  station,
  now,
  paint,
}: {
  readonly station: Station;
  readonly now: Now;
  readonly paint: ReturnType<typeof fixedPaint>;
}) {
  const { text } = useSite();
  const format = useRibbonFormat(station.time_zone);
  if (now.last_seen === null) return null;
  const last = Date.parse(now.last_seen);
  const isSilent = isStale((Date.now() - last) / MILLISECONDS.second, station.reporting_interval);
  const forecast = isSilent ? undefined : forecastOf(now, last);
  const data = ribbonDataOf(station, { ...now, forecast }, last, forecast === undefined);
  if (data === undefined) return null;
  const { width, height } = CARD_SIZE;
  const credit = data.forecast && forecast && providerName(forecast.source, text);
  const box = { width, height: height - RIBBON - (credit ? CREDIT : 8), gutter: 0, type: SMALL };
  return (
    <g transform={`translate(0 ${RIBBON})`}>
      {/* A preview is read at a glance: it has no wind. */}
      <Ribbon model={ribbonModel(withoutWind(data), box, format)} id="card" paint={paint} />
      {credit && (
        <text
          x={width - MARGIN}
          y={height - RIBBON - 12}
          font-size={SMALL}
          text-anchor="end"
          fill={paint.color('muted')}
        >
          {`${text.forecast.title}: ${credit}`}
        </text>
      )}
    </g>
  );
}

function Lines({
  text,
  x,
  y,
  size,
  width,
  count,
  fill,
}: {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly width: number;
  readonly count: number;
  readonly fill?: string;
}) {
  return (
    <text font-size={size} fill={fill}>
      {textLines(text, width / size, count).map((line, index) => (
        <tspan key={index} x={x} y={y + index * size * 1.25}>
          {line}
        </tspan>
      ))}
    </text>
  );
}
