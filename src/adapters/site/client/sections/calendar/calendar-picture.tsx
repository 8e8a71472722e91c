import { rainColor } from '../../format/rain-scale.js';
import { temperatureColor } from '../../format/temperature-scale.js';
import { DayFigure } from '../usual/day-figure.js';
import type { DayRecord, DayValue } from '../usual/day-record.js';
import { useDayWords, useWords } from '../usual/use-words.js';
import type { UsualMeans } from '../usual/year-line.js';
import { useWidth } from '../use-width.js';
import { type CalendarDay, type CalendarForm, cellOf, moveDay } from './calendar-model.js';
import { useUsualText } from '../usual/text.js';

/** In windows up to this width in px, each month is a column. Otherwise each week is a column. */
const NARROW = 640;
/** Columns and rows of the two forms. */
const GRID: Readonly<Record<CalendarForm, readonly [columns: number, rows: number]>> = {
  weeks: [54, 7],
  months: [12, 31],
};
/** Margins for the names of the rows and columns in px. */
const [LEFT, TOP] = [48, 24];
const GAP = 2;
const MAX_CELL = 28;
const MONTH_ROW = 18;
/** Days of the month whose numbers are written at the edge. */
const NUMBERED = [1, 5, 10, 15, 20, 25, 30];
/** Weekdays whose names are written at the edge: every second one. */
const NAMED_ROWS = [0, 2, 4, 6];

const colorOf = (name: DayValue, value: number) =>
  name === 'rain' ? rainColor(value) : temperatureColor(value);

/** The days of a year as colored cells. */
export function CalendarPicture({
  record,
  usual,
  year,
  days,
  name,
  today,
}: {
  readonly record: DayRecord;
  readonly usual: UsualMeans;
  readonly year: number;
  readonly days: readonly CalendarDay[];
  readonly name: DayValue;
  readonly today: number | undefined;
}) {
  const { calendar } = useUsualText();
  const { date } = useWords();
  const describe = useDayWords(record, usual);
  const [element, width] = useWidth<HTMLDivElement>();
  const form = width < NARROW ? 'months' : 'weeks';
  const [columns, rows] = GRID[form];
  const left = form === 'weeks' ? LEFT : LEFT / 2;
  const cellWidth = Math.min((width - left) / columns, MAX_CELL);
  const cellHeight = form === 'weeks' ? cellWidth : MONTH_ROW;
  const cornerOf = (day: number) => {
    const { column, row } = cellOf(day, form);
    return { x: left + column * cellWidth, y: TOP + row * cellHeight };
  };
  const byCell = new Map(
    days.map(({ day }) => {
      const { column, row } = cellOf(day, form);
      return [`${column} ${row}`, day];
    }),
  );
  const first = days[0]?.day ?? 0;
  const lastKnown = days.findLast(({ value }) => value !== undefined)?.day ?? first;
  const monthStarts = days.filter(({ day }) => isMonthStart(day));
  return (
    <div class={`measured calendar-box ${form}`} ref={element}>
      {width > 0 && (
        <DayFigure
          name="calendar"
          label={calendar.label(calendar.quantities[name], String(year))}
          width={width}
          startDay={lastKnown}
          move={(day, key) => moveDay(day, key, form)}
          dayAt={(x, y) =>
            byCell.get(`${Math.floor((x - left) / cellWidth)} ${Math.floor((y - TOP) / cellHeight)}`)
          }
          positionOf={(day) => {
            const { x, y } = cornerOf(day);
            return { x: x + cellWidth / 2, y };
          }}
          describe={describe}
        >
          {(cursor) => (
            <svg width={width} height={TOP + rows * cellHeight + 2} aria-hidden="true">
              {monthStarts.map(({ day }) => (
                <text
                  key={day}
                  x={cornerOf(day).x + (form === 'weeks' ? 0 : cellWidth / 2)}
                  y={TOP - 8}
                  class={form === 'weeks' ? undefined : 'middle'}
                >
                  {form === 'weeks' ? date(day, 'month') : date(day, 'month').slice(0, 1)}
                </text>
              ))}
              {form === 'weeks'
                ? NAMED_ROWS.map((row) => (
                    <text key={row} x={0} y={TOP + (row + 0.5) * cellHeight + 5}>
                      {/* The fourth day after 1970-01-01, a Thursday, was a Monday. */}
                      {date(row + 4, 'weekday')}
                    </text>
                  ))
                : NUMBERED.map((day) => (
                    <text key={day} x={left - 6} y={TOP + (day - 0.5) * cellHeight + 4} class="end">
                      {day}
                    </text>
                  ))}
              {days.map(({ day, value, isComplete }) => {
                const { x, y } = cornerOf(day);
                const box = {
                  x: x + GAP / 2,
                  y: y + GAP / 2,
                  width: Math.max(1, cellWidth - GAP),
                  height: cellHeight - GAP,
                  rx: 2,
                };
                return (
                  <g key={day}>
                    <rect
                      {...box}
                      class={`day${value === undefined ? ' empty' : ''}${day === cursor ? ' chosen' : ''}${day === today ? ' today' : ''}`}
                      fill={value === undefined ? 'none' : colorOf(name, value)}
                    />
                    {value !== undefined && !isComplete && (
                      <circle class="incomplete" cx={x + cellWidth / 2} cy={y + cellHeight / 2} r="2" />
                    )}
                  </g>
                );
              })}
            </svg>
          )}
        </DayFigure>
      )}
    </div>
  );
}

const isMonthStart = (day: number) => cellOf(day, 'months').row === 0;
