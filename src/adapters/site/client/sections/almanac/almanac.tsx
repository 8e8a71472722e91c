import { extentOf } from '../../extent.js';
import type { ComponentChildren } from 'preact';
import { MILLISECONDS } from '#domain/time.js';
import { readView, shownDateOf } from '../../charts/model/span.js';
import { localTime, startOfDay } from '../../charts/model/zone.js';
import { shownRange } from '../../charts/shown-range.js';
import { useSignal } from '../../live/use-signal.js';
import { useTimeFormat } from '../../now/times.js';
import { useNumbers, useSite } from '../../site-context.js';
import type { SectionProps } from '../section.js';
import { almanacOf, sunArc, type Twilight } from './almanac-model.js';
import { MoonPicture } from './moon.js';
import { SunArc } from './sun-arc.js';

/** The times of sun and moon on the last day that the charts show. */
export function AlmanacCard({ station, inventory, pageLocation }: SectionProps) {
  const { text } = useSite();
  const number = useNumbers();
  const write = useTimeFormat(station.time_zone);
  const { almanac } = text;
  const { moment, isToday } = useMoment({ station, inventory, pageLocation });
  const { sun, polar, dayLength, civil, nautical, astronomical, moon } = almanacOf(moment, station);
  const arc = sunArc(moment, station);
  const time = (of: Date | null | undefined) => (of ? write(of, 'time') : text.value.none);
  const range = ({ rise, set, isEndless }: Twilight) => {
    if (rise && set) return almanac.range(time(rise), time(set));
    return isEndless ? almanac.allNight : text.value.none;
  };
  const minutes = Math.round(dayLength / MILLISECONDS.minute);
  const moonTimes = (times: readonly Date[]) =>
    times.length === 0 ? text.value.none : times.map((of) => time(of)).join(', ');
  return (
    <section class="card almanac" aria-labelledby="card-almanac">
      <h2 id="card-almanac">{almanac.titleOf(write(moment, 'fullDate'))}</h2>
      <SunArc
        points={arc.points}
        current={isToday ? arc.current : undefined}
        label={almanac.arc(time(sun.rise), time(sun.set))}
      />
      {polar !== undefined && <p>{polar === 'day' ? almanac.polarDay : almanac.polarNight}</p>}
      <dl>
        {polar === undefined && (
          <>
            <Fact name={almanac.sunrise}>{time(sun.rise)}</Fact>
            <Fact name={almanac.sunset}>{time(sun.set)}</Fact>
            <Fact name={almanac.length}>
              {almanac.lengthText(number(Math.floor(minutes / 60), 0), String(minutes % 60).padStart(2, '0'))}
            </Fact>
          </>
        )}
        <Fact name={almanac.noon}>{time(sun.noon)}</Fact>
        {polar !== 'day' && (
          <>
            <Fact name={almanac.civil}>{range(civil)}</Fact>
            <Fact name={almanac.nautical}>{range(nautical)}</Fact>
            <Fact name={almanac.astronomical}>{range(astronomical)}</Fact>
          </>
        )}
        <Fact name={almanac.moon}>
          <MoonPicture fraction={moon.fraction} isWaxing={moon.isWaxing} /> {almanac.phases[moon.phase]},{' '}
          {almanac.lit(number(100 * moon.fraction, 0))}
        </Fact>
        {moon.isUp === undefined ? (
          <>
            <Fact name={almanac.moonrise}>{moonTimes(moon.rises)}</Fact>
            <Fact name={almanac.moonset}>{moonTimes(moon.sets)}</Fact>
          </>
        ) : (
          <Fact name={almanac.moonrise}>{moon.isUp ? almanac.moonUp : almanac.moonDown}</Fact>
        )}
      </dl>
    </section>
  );
}

/** The current time, or noon of the last day in the range of the charts if this is another day. */
function useMoment({ station, inventory, pageLocation }: SectionProps) {
  const { first, last } = extentOf(inventory);
  const { now } = useSite();
  const zone = station.time_zone;
  const range = useSignal(shownRange);
  // The service and the first screen of the browser compute the day from the URL, as the charts do.
  const date =
    range === undefined
      ? shownDateOf(readView(pageLocation.query), {
          now,
          first: first === null ? undefined : Date.parse(first),
          last: last === null ? undefined : Date.parse(last),
          zone,
        })
      : localTime(range.to - 1, zone).date;
  const isToday = date === localTime(now, zone).date;
  return { moment: isToday ? now : startOfDay(date, zone) + MILLISECONDS.day / 2, isToday };
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
