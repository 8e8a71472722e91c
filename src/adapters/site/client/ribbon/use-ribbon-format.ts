import { localTime } from '../charts/model/zone.js';
import { useNumbers, useSite, useUnit } from '../site-context.js';
import { useTimeFormat } from '../now/times.js';
import type { RibbonFormat } from './ribbon-model.js';

/** How the picture writes numbers and times, in the language and the units of the visitor. */
export function useRibbonFormat(zone: string): RibbonFormat {
  const { text, now } = useSite();
  const number = useNumbers();
  const write = useTimeFormat(zone);
  const degrees = useUnit('air_temperature', '°C');
  const rain = useUnit('precipitation_amount', 'mm');
  const speed = useUnit('wind_speed', 'm/s');
  const yearOf = (time: number) => localTime(time, zone).date.slice(0, 4);
  return {
    degrees,
    temperature: (celsius) => `${number(degrees.convert(celsius), degrees.decimals)}°`,
    wholeDegrees: (value) => number(value, 0),
    rain: (millimeters) => number(rain.convert(millimeters), rain.decimals),
    rainUnit: rain.unit,
    speed: (value) => number(speed.convert(value), 0),
    speedUnit: speed.unit,
    time: (time) => write(time, 'time'),
    day: (time) =>
      write(time, yearOf(time) === yearOf(now) ? 'day' : 'weekdayDate').replace(/^(\p{L}+),/u, '$1'),
    weekday: (time) => write(time, 'weekday'),
    words: text.ribbon,
  };
}
