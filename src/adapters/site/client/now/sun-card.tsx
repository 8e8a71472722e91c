import { getPosition } from 'suncalc';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '../api.js';
import { addDays, localTime, startOfDay } from '../charts/model/zone.js';
import { sunDayOf } from '../sections/almanac/almanac-model.js';
import { useNumbers, useSite } from '../site-context.js';
import { Card } from './card.js';
import { SunStrip } from './strip.js';
import { useTimeFormat } from './times.js';

/** Number of points of the arc of the sun. */
const POINTS = 49;

/** Minutes until the next sunrise or sunset from which the time until then is written in hours. */
const ROUNDED = 90;

/** The next sunrise or sunset, the arc of the sun over the current local day, and the length of the day. */
export function SunCard({ station }: { readonly station: Station }) {
  const { text, now } = useSite();
  const number = useNumbers();
  const write = useTimeFormat(station.time_zone);
  const { cards } = text;
  const { latitude, longitude, time_zone: zone } = station;
  const today = sunDayOf(now, station);
  const { date } = localTime(now, zone);
  const [from, to] = [startOfDay(date, zone), startOfDay(addDays(date, 1), zone)];
  const altitudeAt = (time: number) => getPosition(new Date(time), latitude, longitude).altitude;
  const altitudes = Array.from({ length: POINTS }, (_point, index) =>
    altitudeAt(from + (index / (POINTS - 1)) * (to - from)),
  );
  const length = (time: number) => {
    const minutes = Math.round(time / MILLISECONDS.minute);
    const hours = Math.floor(minutes / 60);
    if (hours === 0) return cards.minutes(number(minutes, 0));
    return cards.hoursMinutes(number(hours, 0), String(minutes % 60).padStart(2, '0'));
  };
  // The exact time stands beside it.
  const until = (time: number) => {
    const minutes = Math.round(time / MILLISECONDS.minute);
    const { lengths } = text.age;
    const written = minutes < ROUNDED ? lengths.minutes(minutes) : lengths.hours(Math.round(minutes / 60));
    // The words stay on one line, beside the time or below it.
    return cards.in(written).replaceAll(' ', '\u00A0');
  };
  const strip = (
    <SunStrip altitudes={altitudes} share={(now - from) / (to - from)} altitude={altitudeAt(now)} />
  );
  if (today.polar !== undefined) {
    const isDay = today.polar === 'day';
    return (
      <Card
        id="sun"
        name={cards.sun}
        value={<span class="unit">{isDay ? cards.polarDay : cards.polarNight}</span>}
        strip={strip}
      />
    );
  }
  const tomorrow = sunDayOf(to + MILLISECONDS.hour, station);
  const rise = [today, tomorrow].map(({ sun }) => sun.rise?.getTime()).find((time) => (time ?? 0) > now);
  const set = [today, tomorrow].map(({ sun }) => sun.set?.getTime()).find((time) => (time ?? 0) > now);
  const isSetNext = set !== undefined && (rise === undefined || set < rise);
  const next = isSetNext ? set : rise;
  const day = next !== undefined && next >= to ? tomorrow : today;
  const light = isSetNext ? day.civil.set : day.civil.rise;
  let name = cards.sun;
  if (next !== undefined) name = isSetNext ? cards.sunset : cards.sunrise;
  return (
    <Card
      id="sun"
      name={name}
      value={
        next === undefined ? (
          text.value.none
        ) : (
          <>
            {write(next, 'time')}
            <span class="unit until"> {until(next - now)}</span>
          </>
        )
      }
      strip={strip}
      extremes={
        light && (isSetNext ? cards.lastLight(write(light, 'time')) : cards.firstLight(write(light, 'time')))
      }
      fact={cards.day(length(day.dayLength))}
    />
  );
}
