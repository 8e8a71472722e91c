import type { ComponentChildren } from 'preact';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '../../api.js';
import { useTimeFormat } from '../../now/times.js';
import { useNumbers, useSite } from '../../site-context.js';
import { almanacOf, type Twilight } from './almanac-model.js';
import { MoonPicture } from './moon.js';

/** The times of sun and moon on the current local day of the station. */
export function AlmanacCard({ station }: { readonly station: Station }) {
  const { text, now } = useSite();
  const number = useNumbers();
  const write = useTimeFormat(station.time_zone);
  const { almanac } = text;
  const { sun, polar, dayLength, civil, nautical, astronomical, moon } = almanacOf(now, station);
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
      <h2 id="card-almanac">{almanac.title}</h2>
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

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
