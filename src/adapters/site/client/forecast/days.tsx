import { useNow } from '../live/clock.js';
import { useAmountFormat } from '../now/reading.js';
import { useTimeFormat } from '../now/times.js';
import { useNumbers, useSite, useUnit } from '../site-context.js';
import { Attribution } from './attribution.js';
import { type Forecast, shownForecast } from './read-forecast.js';

/** A week, so that each name of a day stands once. */
const MAX_DAYS = 7;

/**
 * Today and the next days as a row: symbol, maximum and minimum in whole degrees, chance and amount of rain. In a narrow window it
 * scrolls. Shows nothing without a forecast.
 *
 * @param zone time zone of the station
 */
export function DayRow({
  forecast,
  zone,
}: {
  readonly forecast: Forecast | undefined;
  readonly zone: string;
}) {
  const { text } = useSite();
  const now = useNow();
  const shown = shownForecast(forecast, now);
  const days = shown?.days.filter(({ end }) => Date.parse(end) > now).slice(0, MAX_DAYS) ?? [];
  if (shown === undefined || days.length === 0) return null;
  return (
    <>
      <div class="days" role="region" aria-label={text.days.title} tabIndex={0}>
        <ol>
          {days.map((day) => (
            <Day key={day.start} day={day} zone={zone} isToday={Date.parse(day.start) <= now} />
          ))}
        </ol>
      </div>
      <Attribution forecast={shown} zone={zone} isShort />
    </>
  );
}

function Day({
  day,
  zone,
  isToday,
}: {
  readonly day: Forecast['days'][number];
  readonly zone: string;
  readonly isToday: boolean;
}) {
  const { text, files } = useSite();
  const write = useTimeFormat(zone);
  const number = useNumbers();
  const amount = useAmountFormat();
  const { convert } = useUnit('air_temperature', '°C');
  const degrees = (celsius: number | null) =>
    celsius === null ? text.value.none : `${number(convert(celsius), 0)}°`;
  const { symbol, precipitation_amount: rain, probability_of_precipitation: chance } = day;
  return (
    <li>
      <strong>{isToday ? text.days.today : write(day.start, 'weekday')}</strong>
      {symbol !== null && (
        <svg viewBox="0 0 32 32" role="img" aria-label={text.days.symbols[symbol]}>
          <title>{text.days.symbols[symbol]}</title>
          <use href={`${files['weather.svg']}#${symbol}`} />
        </svg>
      )}
      <span class="extremes">
        <span class="hidden">{text.days.highest} </span>
        <b>{degrees(day.air_temperature_maximum)}</b> <span class="hidden">{text.days.lowest} </span>
        <span class="quiet">{degrees(day.air_temperature_minimum)}</span>
      </span>
      {chance !== null && (
        <span class="chance">
          <span class="hidden">{text.days.chance} </span>
          {`${number(chance, 0)}\u00A0%`}
        </span>
      )}
      {rain !== null && rain > 0 && <span class="quiet">{amount('precipitation_amount', 'mm', rain)}</span>}
    </li>
  );
}
