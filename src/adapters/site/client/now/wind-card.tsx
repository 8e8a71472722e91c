import { isOfCurrentWind, sectorIndex } from '../format/wind.js';
import { useSite } from '../site-context.js';
import { Compass } from './compass.js';
import { beaufortForce, CALM_BELOW } from './model/beaufort.js';
import { type CardProps, ReadingCard, useAmountFormat } from './reading.js';
import { useTimeFormat } from './times.js';

const [SPEED, GUST, DIRECTION] = ['wind_speed', 'wind_speed_of_gust', 'wind_from_direction'];

export function WindCard({ station, now }: CardProps) {
  const { text } = useSite();
  const amount = useAmountFormat();
  const write = useTimeFormat(station.time_zone);
  const { wind, at } = text.station;
  const speed = acceptedValue(now, SPEED);
  const direction = acceptedValue(now, DIRECTION);
  const isCalm = speed !== undefined && speed < CALM_BELOW;
  const force = speed === undefined ? undefined : beaufortForce(speed);
  const strongest = now.today?.gust;
  const gustTime = now.latest[GUST]?.time ?? '';
  const gust = isOfCurrentWind(now.latest, GUST) ? amount(GUST, 'm/s', acceptedValue(now, GUST)) : undefined;
  return (
    <section class="card main-card" aria-labelledby="card-wind">
      <h2 id="card-wind">{text.variables[SPEED]}</h2>
      {direction !== undefined && !isCalm && <Compass direction={direction} />}
      <ReadingCard variable={SPEED} {...{ station, now }} />
      <p class="facts">
        {isCalm && <span>{wind.calm}</span>}
        {direction !== undefined && !isCalm && (
          <span>{wind.from(text.sectors[sectorIndex(direction)] ?? '', String(Math.round(direction)))}</span>
        )}
        {force !== undefined && !isCalm && <span>{wind.beaufort(force, wind.forces[force] ?? '')}</span>}
        {gust !== undefined && (
          <span>
            {wind.gust} {gustTime === now.latest[SPEED]?.time ? gust : at(gust, write(gustTime, 'time'))}
          </span>
        )}
        {strongest && (
          <span>
            {wind.strongest} {at(amount(GUST, 'm/s', strongest.value), write(strongest.time, 'time'))}
          </span>
        )}
      </p>
    </section>
  );
}

/**
 * The newest value; undefined if quality control has rejected the value, or if the value does not belong to the newest wind
 * speed.
 */
function acceptedValue({ latest }: CardProps['now'], variable: string): number | undefined {
  const newest = latest[variable];
  const isShown = newest !== undefined && newest.verdict !== 'fail' && isOfCurrentWind(latest, variable);
  return isShown ? newest.value : undefined;
}
