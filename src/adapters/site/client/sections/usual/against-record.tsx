import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { useSite } from '../../site-context.js';
import { useWidth } from '../use-width.js';
import { DayFigure } from './day-figure.js';
import { completeValue, type DayRecord, sameDate, startOfMonth, valueOf, yearsOf } from './day-record.js';
import { useDayWords, useWords } from './use-words.js';
import { areasOutside, axisTicks, comparedDays, piecesOf, type Point, type UsualMeans } from './year-line.js';
import { useUsualText } from './text.js';

const HEIGHT = 272;
/** Margins of the plot in px. */
const [TOP, BOTTOM, LEFT] = [16, 32, 48];
/** In windows up to this width in px, months are named by one letter. */
const NARROW = 640;
/** Smallest distance of the name of an extreme from the edge of the picture, in px. */
const NAME_EDGE = 72;

interface YearProps {
  readonly record: DayRecord;
  readonly usual: UsualMeans;
  readonly year: number;
}

/** The mean of each day of a year, over the usual range of its date. */
export function AgainstRecord({
  record,
  usual,
  year,
  yearChoice,
}: YearProps & { readonly yearChoice: ComponentChildren }) {
  const texts = useUsualText();
  const { degree } = useWords();
  const days = useMemo(() => comparedDays(record, year, usual), [record, year, usual]);
  const hasBand = days.some(({ p10 }) => !Number.isNaN(p10));
  const lastYear = hasBand || !yearsOf(record).includes(year - 1) ? undefined : year - 1;
  const { against } = texts;
  const name = String(year);
  return (
    <section class="usual-part" aria-labelledby="against-title">
      <div class="with-legend">
        <h3 id="against-title">
          {hasBand || lastYear !== undefined ? against.title(name) : against.alone(name)}
        </h3>
        {yearChoice}
      </div>
      <p class="quiet">
        {against.explain(degree.unit)}{' '}
        {hasBand && (
          <>
            {against.filled} <span class="warmer">{against.warmer}</span>,{' '}
            <span class="colder">{against.colder}</span>.
            <span class="swatch-text">
              <svg class="swatch" viewBox="0 0 24 16" aria-hidden="true">
                <rect class="band" width="24" height="16" />
              </svg>
              {against.band}
            </span>
            <span class="swatch-text">
              <svg class="swatch" viewBox="0 0 24 16" aria-hidden="true">
                <path class="median" d="M0 8H24" />
              </svg>
              {against.median}
            </span>
          </>
        )}
        {lastYear !== undefined && (
          <span class="swatch-text">
            <svg class="swatch" viewBox="0 0 24 16" aria-hidden="true">
              <path class="last-year" d="M0 8H24" />
            </svg>
            {lastYear}
          </span>
        )}
      </p>
      <YearPicture {...{ record, usual, year, days, hasBand, lastYear }} />
      <YearTable year={year} days={days} hasBand={hasBand} />
    </section>
  );
}

function YearPicture({
  record,
  usual,
  year,
  days,
  hasBand,
  lastYear,
}: YearProps & {
  readonly days: ReturnType<typeof comparedDays>;
  readonly hasBand: boolean;
  readonly lastYear: number | undefined;
}) {
  const texts = useUsualText();
  const { degree, date, temperature } = useWords();
  const describe = useDayWords(record, usual);
  const [element, width] = useWidth<HTMLDivElement>();
  const first = days[0]?.day ?? 0;
  const drawing = useMemo(() => {
    const convert = (values: readonly number[]) => values.map((value) => degree.convert(value));
    return {
      mean: convert(days.map(({ mean }) => mean)),
      p10: convert(days.map(({ p10 }) => p10)),
      p50: convert(days.map(({ p50 }) => p50)),
      p90: convert(days.map(({ p90 }) => p90)),
      lastYear:
        lastYear === undefined
          ? []
          : convert(days.map(({ day }) => completeValue(record, sameDate(day, -1), 'mean'))),
    };
  }, [days, lastYear, degree]);
  const drawn = Object.values(drawing)
    .flat()
    .filter((value) => !Number.isNaN(value));
  const ticks = axisTicks(Math.min(...drawn), Math.max(...drawn));
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const x = (position: number) => LEFT + ((position + 0.5) / days.length) * (width - LEFT);
  const y = (value: number) => TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const path = (points: readonly Point[]) =>
    points.map(([at, value]) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join('L');
  const line = (values: readonly number[]) =>
    piecesOf(values)
      // A single day between two gaps is a line of no length, which its round ends show as a dot.
      .map((piece) => `M${path(piece)}${piece.length === 1 ? 'h0' : ''}`)
      .join('');
  const areas = (bounds: readonly number[], side: 1 | -1) =>
    areasOutside(drawing.mean, bounds, side)
      .map((area) => `M${path(area)}Z`)
      .join('');
  const band = piecesOf(drawing.p10)
    .map((lower) => {
      const upper = lower.map(([at]): Point => [at, drawing.p90[at] as number]);
      return `M${path(upper)}L${path(lower.toReversed())}Z`;
    })
    .join('');
  const freezing = degree.convert(0);
  const known = drawing.mean.flatMap((value, position) => (Number.isNaN(value) ? [] : [{ value, position }]));
  const sorted = known.toSorted((a, b) => a.value - b.value);
  const extremes = sorted.length < 2 ? [] : [sorted[0], sorted.at(-1)].flatMap((one) => one ?? []);
  const startDay = first + (known.at(-1)?.position ?? 0);
  const dayAt = (at: number) => {
    const position = Math.floor(((at - LEFT) / (width - LEFT)) * days.length);
    return position < 0 || position >= days.length ? undefined : first + position;
  };
  const months = Array.from({ length: 12 }, (_month, index) => startOfMonth(year, index + 1) - first);
  return (
    <div class="measured against-box" ref={element}>
      {width > 0 && (
        <DayFigure
          name="against"
          label={texts.against.label(String(year))}
          width={width}
          startDay={startDay}
          move={(day, key) => moveAlong(day, key, first, first + days.length - 1)}
          dayAt={dayAt}
          positionOf={(day) => {
            const value = degree.convert(valueOf(record, day, 'mean'));
            return { x: x(day - first), y: Number.isNaN(value) ? HEIGHT / 2 : y(value) };
          }}
          describe={describe}
        >
          {(cursor) => (
            <svg width={width} height={HEIGHT} aria-hidden="true">
              <rect class="ground" x={LEFT} y={TOP} width={width - LEFT} height={HEIGHT - TOP - BOTTOM} />
              {months.map((start, index) => (
                <g key={start}>
                  {index > 0 && (
                    <path class="grid" d={`M${Math.round(x(start - 0.5)) + 0.5} ${TOP}V${HEIGHT - BOTTOM}`} />
                  )}
                  <text x={x(start + 14.5)} y={HEIGHT - 10} class="middle">
                    {width < NARROW ? date(first + start, 'month').slice(0, 1) : date(first + start, 'month')}
                  </text>
                </g>
              ))}
              {ticks.map((tick) => (
                <g key={tick}>
                  <path
                    class={tick === freezing ? 'freezing' : 'grid'}
                    d={`M${LEFT} ${Math.round(y(tick)) + 0.5}H${width}`}
                  />
                  <text x={LEFT - 8} y={y(tick) + 5} class={`end${tick === freezing ? ' bold' : ''}`}>
                    {String(tick).replace('-', '−')}
                  </text>
                </g>
              ))}
              {!ticks.includes(freezing) && freezing > low && freezing < high && (
                <path class="freezing" d={`M${LEFT} ${Math.round(y(freezing)) + 0.5}H${width}`} />
              )}
              {hasBand && (
                <>
                  <path class="band" d={band} />
                  <path class="median" d={line(drawing.p50)} />
                  <path class="above" d={areas(drawing.p90, 1)} />
                  <path class="below" d={areas(drawing.p10, -1)} />
                </>
              )}
              {lastYear !== undefined && <path class="last-year" d={line(drawing.lastYear)} />}
              <path class="mean" d={line(drawing.mean)} />
              {extremes.map(({ value, position }, index) => (
                <g key={index} data-day={first + position}>
                  <circle class="extreme" cx={x(position)} cy={y(value)} r="3.5" />
                  <text
                    class="extreme-name"
                    x={Math.max(LEFT + NAME_EDGE, Math.min(x(position), width - NAME_EDGE))}
                    y={
                      index === 0 ? Math.min(y(value) + 20, HEIGHT - BOTTOM - 4) : Math.max(y(value) - 10, 14)
                    }
                  >
                    {texts.against.extreme(
                      temperature(days[position]?.mean ?? 0),
                      date(first + position, 'dayOfMonth'),
                    )}
                  </text>
                </g>
              ))}
              {cursor !== undefined && (
                <path class="cursor" d={`M${x(cursor - first).toFixed(1)} ${TOP}V${HEIGHT - BOTTOM}`} />
              )}
            </svg>
          )}
        </DayFigure>
      )}
    </div>
  );
}

/** Moves a cursor along a line of days: by a day, with Page Up and Page Down by a month, or to an end. */
export function moveAlong(day: number, key: string, first: number, last: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: day - 1,
    ArrowRight: day + 1,
    PageUp: day - 30,
    PageDown: day + 30,
    Home: first,
    End: last,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.max(first, Math.min(last, target));
}

function YearTable({
  year,
  days,
  hasBand,
}: {
  readonly year: number;
  readonly days: ReturnType<typeof comparedDays>;
  readonly hasBand: boolean;
}) {
  const { text } = useSite();
  const { against } = useUsualText();
  const { date, plain } = useWords();
  const caption = against.label(String(year));
  const write = (value: number) => (Number.isNaN(value) ? text.value.none : plain(value));
  return (
    <details>
      <summary>{text.station.section.table}</summary>
      <div class="table-scroll tall" role="region" aria-label={caption} tabIndex={0}>
        <table class="numbers">
          <caption>{caption}</caption>
          <thead>
            <tr>
              {[
                against.date,
                against.mean,
                ...(hasBand ? [against.p10, against.median, against.p90] : []),
              ].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, mean, p10, p50, p90 }) => (
              <tr key={day}>
                <th scope="row">{date(day, 'dayOfMonth')}</th>
                {[mean, ...(hasBand ? [p10, p50, p90] : [])].map((value, index) => (
                  <td key={index}>{write(value)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
