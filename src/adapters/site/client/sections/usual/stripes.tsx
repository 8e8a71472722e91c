import { useLayoutEffect, useRef } from 'preact/hooks';
import { temperatureColor } from '../../format/temperature-scale.js';
import { useSite } from '../../site-context.js';
import { TemperatureLegend } from '../temperature-legend.js';
import { useWidth } from '../use-width.js';
import { moveAlong } from './against-record.js';
import { comparePeriod, monthlyMeans, startOf } from './compare.js';
import { DayFigure } from './day-figure.js';
import {
  completeValue,
  type DayRecord,
  daysOfYear,
  lastCompleteDay,
  sameDate,
  startOfMonth,
  yearOf,
  yearsOf,
} from './day-record.js';
import type { Reference } from './reference.js';
import { useDayWords, useWords } from './use-words.js';
import type { UsualMeans } from './year-line.js';
import { useUsualText } from './text.js';

/** Widths of the columns with the year and with the mean, in px. */
const [YEAR, MEAN] = [48, 80];
/** In windows up to this width in px, the means are left out, and months are named by one letter. */
const NARROW = 640;
/** Height of a row and of its stripes in px. */
const [ROW, STRIPE] = [20, 16];
const AXIS = 24;

/** Every day of the record as a stripe in the color of its mean. Each year is a row. */
export function Stripes({
  record,
  usual,
  reference,
  onYear,
}: {
  readonly record: DayRecord;
  readonly usual: UsualMeans;
  readonly reference: Reference;
  /** Called with the year whose name was clicked. */
  readonly onYear: (year: number) => void;
}) {
  const { stripes } = useUsualText();
  const { date, temperature } = useWords();
  const describe = useDayWords(record, usual);
  const [element, width] = useWidth<HTMLDivElement>();
  const years = yearsOf(record);
  const to = lastCompleteDay(record) ?? reference.day;
  const means = new Map(
    comparePeriod(record, { from: startOf(to, 'year'), to }, 'mean').values.map(({ year, value }) => [
      year,
      value,
    ]),
  );
  const isNarrow = width < NARROW;
  const [left, right] = [YEAR, isNarrow ? 0 : MEAN];
  const length = width - left - right;
  const rowOf = (day: number) => years.indexOf(yearOf(day));
  const shareOf = (day: number) => {
    const days = daysOfYear(yearOf(day));
    return (day - (days[0] as number)) / days.length;
  };
  const months = Array.from({ length: 12 }, (_month, index) => startOfMonth(2001, index + 1));
  const title = stripes.title(String(years[0]));
  const shownMeans = isNarrow ? [] : years;
  return (
    <section class="usual-part" aria-labelledby="stripes-title">
      <div class="with-legend">
        <div>
          <h3 id="stripes-title">{title}</h3>
          <p class="quiet">{stripes.explain(date(to, 'dateOfYear'))}</p>
        </div>
        <TemperatureLegend />
      </div>
      <div class="measured" ref={element}>
        {width > 0 && (
          <DayFigure
            name="stripes"
            label={stripes.label}
            width={width}
            startDay={to}
            move={(day, key) => {
              if (key === 'ArrowUp' || key === 'ArrowDown') {
                const next = sameDate(day, key === 'ArrowUp' ? -1 : 1);
                return years.includes(yearOf(next)) ? next : day;
              }
              const days = daysOfYear(yearOf(day));
              return moveAlong(day, key, days[0] as number, days.at(-1) as number);
            }}
            dayAt={(x, y) => {
              const days = daysOfYear(years[Math.floor(y / ROW)] ?? Number.NaN);
              return x < left || y > years.length * ROW
                ? undefined
                : days[Math.floor(((x - left) / length) * days.length)];
            }}
            positionOf={(day) => ({ x: left + shareOf(day) * length, y: rowOf(day) * ROW })}
            describe={describe}
          >
            {(cursor) => (
              <>
                <svg class="stripes-text" width={width} height={years.length * ROW + AXIS} aria-hidden="true">
                  {years.map((year, row) => (
                    <text
                      key={year}
                      class={`end year${year === yearOf(to) ? ' bold' : ''}`}
                      x={left - 8}
                      y={row * ROW + 14}
                      onClick={(event) => {
                        event.stopPropagation();
                        onYear(year);
                      }}
                    >
                      {year}
                    </text>
                  ))}
                  {shownMeans.map((year, row) => (
                    <text
                      key={year}
                      class={`end${year === yearOf(to) ? ' bold' : ''}`}
                      x={width}
                      y={row * ROW + 14}
                    >
                      {means.has(year) ? temperature(means.get(year) as number) : ''}
                    </text>
                  ))}
                  {months.map((day) => {
                    const x = left + shareOf(day) * length;
                    return (
                      <g key={day}>
                        <path class="tick" d={`M${x.toFixed(1)} ${years.length * ROW}v5`} />
                        <text class="middle" x={x + length / 24} y={years.length * ROW + 18}>
                          {isNarrow ? date(day, 'month').slice(0, 1) : date(day, 'month')}
                        </text>
                      </g>
                    );
                  })}
                </svg>
                <div class="stripe-rows">
                  {years.map((year) => (
                    <Stripe key={year} record={record} year={year} width={length} />
                  ))}
                </div>
                {cursor !== undefined && (
                  <svg class="stripes-cursor" width={width} height={years.length * ROW} aria-hidden="true">
                    <rect
                      x={left + shareOf(cursor) * length - 1}
                      y={rowOf(cursor) * ROW - 1}
                      width={Math.max(3, length / 366 + 2)}
                      height={STRIPE + 2}
                    />
                  </svg>
                )}
              </>
            )}
          </DayFigure>
        )}
      </div>
      <MonthTable record={record} years={years} />
    </section>
  );
}

/** The days of a year as pixels of a canvas, because a record of decades has tens of thousands of days. */
function Stripe({
  record,
  year,
  width,
}: {
  readonly record: DayRecord;
  readonly year: number;
  readonly width: number;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const days = daysOfYear(year);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, days.length, 1);
    for (const [index, day] of days.entries()) {
      const mean = completeValue(record, day, 'mean');
      if (Number.isNaN(mean)) continue;
      context.fillStyle = temperatureColor(mean);
      context.fillRect(index, 0, 1, 1);
    }
  }, [record, year]);
  return <canvas ref={canvas} width={days.length} height={1} style={{ width: `${width}px` }} />;
}

/** The mean temperature of each month of each year. A month with too few days has none. */
function MonthTable({ record, years }: { readonly record: DayRecord; readonly years: readonly number[] }) {
  const { text } = useSite();
  const { table, stripes } = useUsualText();
  const { date, plain } = useWords();
  const months = monthlyMeans(record);
  return (
    <details>
      <summary>{text.station.section.table}</summary>
      <div class="table-scroll" role="region" aria-label={stripes.caption} tabIndex={0}>
        <table class="numbers">
          <caption>{stripes.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{table.year}</th>
              {months.map((_means, index) => (
                <th key={index} scope="col">
                  {date(startOfMonth(2001, index + 1), 'month')}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {years.toReversed().map((year) => (
              <tr key={year}>
                <th scope="row">{year}</th>
                {months.map((means, index) => {
                  const mean = means.get(year);
                  return <td key={index}>{mean === undefined ? text.value.none : plain(mean)}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
