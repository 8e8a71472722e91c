import { rainColor } from '../../format/rain-scale.js';
import { temperatureColor, temperatureMarks } from '../../format/temperature-scale.js';
import { useTimeFormat } from '../../now/times.js';
import { useSite, useUnit } from '../../site-context.js';
import type { CalendarQuantity, Day } from './calendar-model.js';
import { useDayValue } from './use-day-value.js';

/** Size of a day, and of the margin for the names of months and days, in units of the picture. */
const CELL = { wide: { width: 40, height: 24 }, upright: { width: 24, height: 16 } };
const NAMES = { width: 40, height: 24 };
const GAP = 2;
/** Days of the month whose numbers are written at the edge. */
const NUMBERED = [1, 5, 10, 15, 20, 25, 30];
const DAYS = 31;
const MONTHS = 12;

const colorOf = (quantity: CalendarQuantity, value: number) =>
  quantity === 'rain' ? rainColor(value) : temperatureColor(value);

/** The days of a year as colored cells. Each month is a row. In a narrow window, each month is a column. */
export function CalendarPicture({
  days,
  quantity,
  isUpright,
  cursor,
  onChoose,
}: {
  readonly days: readonly Day[];
  readonly quantity: CalendarQuantity;
  readonly isUpright: boolean;
  /** The selected date. */
  readonly cursor: string | undefined;
  readonly onChoose: (date: string) => void;
}) {
  const write = useTimeFormat('UTC');
  const cell = isUpright ? CELL.upright : CELL.wide;
  const [columns, rows] = isUpright ? [MONTHS, DAYS] : [DAYS, MONTHS];
  /** The top left corner of a day. Months and days start at 1. */
  const cornerOf = (month: number, day: number) => {
    const [column, row] = isUpright ? [month - 1, day - 1] : [day - 1, month - 1];
    return { x: NAMES.width + column * cell.width, y: NAMES.height + row * cell.height };
  };
  const year = days[0]?.date.slice(0, 4) ?? '';
  const monthName = (month: number) => write(`${year}-${String(month).padStart(2, '0')}-01`, 'month');
  return (
    <svg
      viewBox={`0 0 ${NAMES.width + columns * cell.width} ${NAMES.height + rows * cell.height}`}
      aria-hidden="true"
      onPointerMove={(event) => choose(event, onChoose)}
      onClick={(event) => choose(event, onChoose)}
    >
      {Array.from({ length: MONTHS }, (_month, index) => {
        const { x, y } = cornerOf(index + 1, 1);
        return isUpright ? (
          <text key={index} x={x + cell.width / 2} y={NAMES.height - 8} class="centered">
            {monthName(index + 1).slice(0, 1)}
          </text>
        ) : (
          <text key={index} x={0} y={y + cell.height / 2 + 4}>
            {monthName(index + 1)}
          </text>
        );
      })}
      {NUMBERED.map((day) => {
        const { x, y } = cornerOf(1, day);
        return isUpright ? (
          <text key={day} x={8} y={y + cell.height / 2 + 4}>
            {day}
          </text>
        ) : (
          <text key={day} x={x + cell.width / 2} y={NAMES.height - 8} class="centered">
            {day}
          </text>
        );
      })}
      {days.map(({ date, value, isComplete }) => {
        const { x, y } = cornerOf(Number(date.slice(5, 7)), Number(date.slice(8)));
        const box = { x, y, width: cell.width - GAP, height: cell.height - GAP };
        return (
          <g key={date}>
            <rect
              {...box}
              data-date={date}
              class={`day${value === undefined ? ' empty' : ''}${date === cursor ? ' chosen' : ''}`}
              fill={value === undefined ? 'none' : colorOf(quantity, value)}
            />
            {value !== undefined && !isComplete && (
              <circle class="incomplete" cx={x + box.width / 2} cy={y + box.height / 2} r="2" />
            )}
          </g>
        );
      })}
    </svg>
  );
}

function choose(event: Event, onChoose: (date: string) => void): void {
  const { date } = (event.target as SVGElement).dataset;
  if (date !== undefined) onChoose(date);
}

/** Amounts of rain in the legend, in mm. */
const RAIN_VALUES = [0, 1, 5, 10, 20, 50];

/** The legend of the colors. The freezing point has a mark, because the two halves of the scale meet there. */
export function CalendarLegend({ quantity }: { readonly quantity: CalendarQuantity }) {
  const { calendar } = useSite().text.station;
  const value = useDayValue(quantity);
  const degrees = useUnit('air_temperature', '°C');
  const values =
    quantity === 'rain' ? RAIN_VALUES : temperatureMarks(-20, 40, degrees).map(({ celsius }) => celsius);
  return (
    <div class="calendar-legend">
      <ul aria-label={calendar.legend}>
        {values.map((metric) => (
          <li key={metric}>
            <svg viewBox="0 0 24 16" aria-hidden="true">
              <rect
                width="24"
                height="16"
                class={metric === 0 && quantity !== 'rain' ? 'day freezing' : 'day'}
                fill={colorOf(quantity, metric)}
              />
            </svg>
            {value.rounded(metric)}
          </li>
        ))}
      </ul>
      <p class="quiet">{calendar.outline}</p>
    </div>
  );
}
