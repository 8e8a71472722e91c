import { useSite } from '../site-context.js';
import { PressureCard } from './pressure-card.js';
import { RainCard } from './rain-card.js';
import { type CardProps, ReadingCard } from './reading.js';
import { PRESSURES } from './read-now.js';
import { TemperatureCard } from './temperature-card.js';
import { WindCard } from './wind-card.js';

/** Variables that the main cards show. */
const IN_MAIN_CARDS: ReadonlySet<string> = new Set([
  'air_temperature',
  'dew_point_temperature',
  'wind_speed',
  'wind_speed_of_gust',
  'wind_from_direction',
  'wind_gust_from_direction',
  'precipitation_amount',
]);

/** The newest values of a station: up to four main cards, and a small card for each other variable. */
export function Cards({
  station,
  now,
  mainOnly = false,
}: CardProps & {
  /** Whether to leave out the small cards. */
  readonly mainOnly?: boolean;
}) {
  const { text } = useSite();
  const has = (variable: string) => variable in now.latest;
  const pressure = PRESSURES.find(has);
  const otherVariables = Object.keys(now.latest).filter(
    (name) => !IN_MAIN_CARDS.has(name) && name !== pressure,
  );
  if (now.last_seen === null) return <p class="notice">{text.age.never}</p>;
  return (
    <section aria-label={text.station.now} class="now">
      <div class="main-cards">
        {has('air_temperature') && <TemperatureCard {...{ station, now }} />}
        {has('wind_speed') && <WindCard {...{ station, now }} />}
        {has('precipitation_amount') && <RainCard {...{ station, now }} />}
        {pressure !== undefined && <PressureCard variable={pressure} {...{ station, now }} />}
      </div>
      {!mainOnly && otherVariables.length > 0 && (
        <ul class="small-cards">
          {otherVariables.map((variable) => (
            <li class="card" key={variable}>
              <h2>{text.variables[variable] ?? text.charts.variables[variable] ?? variable}</h2>
              <ReadingCard variable={variable} {...{ station, now }} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
