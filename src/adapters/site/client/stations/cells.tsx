import { temperatureColor } from '../format/temperature-scale.js';
import { sectorIndex } from '../format/wind.js';
import { ShownValue } from '../parts/value.js';
import { useNumbers, useSite, useUnit } from '../site-context.js';
import { type ListedStation, shownValue } from './listed.js';

interface Cell {
  readonly listed: ListedStation;
  /** Units of the API by variable. */
  readonly units: Readonly<Record<string, string>>;
}

export function Temperature({ listed, units }: Cell) {
  const value = shownValue(listed, 'air_temperature');
  return (
    <>
      <svg class="dot" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        {value !== undefined && <circle cx="8" cy="8" r="7" fill={temperatureColor(value)} />}
      </svg>{' '}
      <ShownValue
        variable="air_temperature"
        metric={units['air_temperature'] ?? '°C'}
        latest={listed.latest}
      />
    </>
  );
}

export function Rain({ amount }: { readonly amount: number | null }) {
  const { text } = useSite();
  const number = useNumbers();
  const { unit, decimals, convert } = useUnit('precipitation_amount', 'mm');
  if (amount === null)
    return (
      <span class="value missing">
        <span aria-hidden="true">{text.value.none}</span>
        <span class="hidden">{text.value.missing}</span>
      </span>
    );
  return (
    <span class="value">
      {number(convert(amount), decimals)}
      <span class="unit"> {unit}</span>
    </span>
  );
}

/** An arrow in the direction in which the wind blows, the wind speed and the gust. */
export function Wind({ listed, units }: Cell) {
  const { text } = useSite();
  const number = useNumbers();
  const { decimals, convert } = useUnit('wind_speed', units['wind_speed'] ?? 'm/s');
  const direction = shownValue(listed, 'wind_from_direction');
  const gust = shownValue(listed, 'wind_speed_of_gust');
  const isCalm = (shownValue(listed, 'wind_speed') ?? 0) === 0;
  const isTurned = direction !== undefined && !isCalm;
  const sector = text.sectors[sectorIndex(direction ?? 0)] ?? '';
  return (
    <>
      <svg class="arrow" viewBox="-8 -8 16 16" width="16" height="16" aria-hidden="true">
        {isTurned && <path d="M0-7V7M-4 2 0 7 4 2" transform={`rotate(${Math.round(direction)})`} />}
      </svg>{' '}
      {isTurned && (
        <>
          <span class="sector" aria-hidden="true">
            {sector}
          </span>
          <span class="hidden">{text.home.windFrom(sector)}</span>{' '}
        </>
      )}
      <ShownValue variable="wind_speed" metric={units['wind_speed'] ?? 'm/s'} latest={listed.latest} />
      {gust !== undefined && <span class="gust"> {text.home.gust(number(convert(gust), decimals))}</span>}
    </>
  );
}
