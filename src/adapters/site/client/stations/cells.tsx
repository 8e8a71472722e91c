import type { ComponentChildren } from 'preact';
import { temperatureColor } from '../format/temperature-scale.js';
import { sectorIndex } from '../format/wind.js';
import { useNumbers, useSite, useUnit } from '../site-context.js';
import { type ListedStation, shownValue } from './listed.js';

interface Cell {
  readonly listed: ListedStation;
  /** Units of the API by variable. */
  readonly units: Readonly<Record<string, string>>;
}

/** The newest temperature, without its unit, and a dot in its color. */
export function Temperature({ listed, units }: Cell) {
  const { text } = useSite();
  const number = useNumbers();
  const { decimals, convert } = useUnit('air_temperature', units['air_temperature'] ?? '°C');
  const value = shownValue(listed, 'air_temperature');
  const { verdict } = listed.latest['air_temperature'] ?? {};
  return (
    <>
      {value === undefined ? (
        <Missing text={verdict === 'fail' ? text.value.fail : text.value.missing} />
      ) : (
        <span class={`value ${verdict}`}>
          {number(convert(value), decimals)}
          {verdict === 'suspect' && <span class="hidden"> {text.value.suspect}</span>}
        </span>
      )}{' '}
      <svg class="color-dot" viewBox="-7 -7 14 14" width="14" height="14" aria-hidden="true">
        {value !== undefined && <circle class="dot" r="6" fill={temperatureColor(value)} />}
      </svg>
    </>
  );
}

/** The rain since midnight, without its unit. */
export function Rain({ amount }: { readonly amount: number | null }) {
  const { text } = useSite();
  const number = useNumbers();
  const { decimals, convert } = useUnit('precipitation_amount', 'mm');
  if (amount === null) return <Missing text={text.value.missing} />;
  return <span class="value">{number(convert(amount), decimals)}</span>;
}

/** An arrow in the direction in which the wind blows, the wind speed and the gust. */
export function Wind({ listed, units }: Cell) {
  const { text } = useSite();
  const number = useNumbers();
  const { decimals, convert } = useUnit('wind_speed', units['wind_speed'] ?? 'm/s');
  const speed = shownValue(listed, 'wind_speed');
  const gust = shownValue(listed, 'wind_speed_of_gust');
  return (
    <>
      {speed === undefined ? (
        <Missing text={text.value.missing} />
      ) : speed === 0 ? (
        <span class="value">{text.station.wind.calm}</span>
      ) : (
        <>
          <WindArrow listed={listed} />
          <span class="value">{number(convert(speed), decimals)}</span>
        </>
      )}
      <span class="gust">
        {gust !== undefined && speed !== 0 && text.home.gust(number(convert(gust), decimals))}
      </span>
    </>
  );
}

/** The wind speed and the rain of today in one line, with units. */
export function WindAndRain({ listed, units }: Cell) {
  const { text } = useSite();
  const number = useNumbers();
  const rain = useUnit('precipitation_amount', 'mm');
  const wind = useUnit('wind_speed', units['wind_speed'] ?? 'm/s');
  const speed = shownValue(listed, 'wind_speed');
  const parts = [
    speed === undefined ? [] : `${number(wind.convert(speed), wind.decimals)} ${wind.unit}`,
    listed.rain === null ? [] : `${number(rain.convert(listed.rain), rain.decimals)} ${rain.unit}`,
  ].flat();
  return <>{parts.length === 0 ? text.value.none : parts.join(' · ')}</>;
}

/** An arrow in the direction in which the wind blows. Screen readers hear from where it comes. */
export function WindArrow({ listed }: Pick<Cell, 'listed'>) {
  const { text } = useSite();
  const direction = shownValue(listed, 'wind_from_direction');
  if (direction === undefined || (shownValue(listed, 'wind_speed') ?? 0) === 0) return null;
  return (
    <>
      <svg class="arrow" viewBox="-8 -8 16 16" width="16" height="16" aria-hidden="true">
        <path d="M0 7 4.5-6 0-3.5-4.5-6Z" transform={`rotate(${Math.round(direction)})`} />
      </svg>{' '}
      <span class="hidden">{text.home.windFrom(text.sectors[sectorIndex(direction)] ?? '')} </span>
    </>
  );
}

function Missing({ text }: { readonly text: ComponentChildren }) {
  const { value } = useSite().text;
  return (
    <span class="value missing">
      <span aria-hidden="true">{value.none}</span>
      <span class="hidden">{text}</span>
    </span>
  );
}
