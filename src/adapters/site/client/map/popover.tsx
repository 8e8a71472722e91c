import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useTimeFormat } from '../now/times.js';
import { pastMark } from '../past/past-model.js';
import { useNumbers, useSite, useUnit } from '../site-context.js';
import type { HourlyValues } from '../stations/hourly-values.js';
import { WindAndRain, WindArrow } from '../stations/cells.js';
import { type ListedStation, shownValue, type StationList } from '../stations/listed.js';
import { Spark } from '../stations/spark.js';
import { sparkScale } from '../stations/spark-line.js';

/** The newest values of the selected station beside its dot. */
export function Popover({
  listed,
  units,
  hourly,
  position,
  onClose,
}: {
  readonly listed: ListedStation;
  readonly units: StationList['units'];
  readonly hourly: HourlyValues | undefined;
  /** Returns the position for a popover of this size; undefined if the station is not in view. */
  readonly position: (size: readonly [number, number]) => readonly [number, number] | undefined;
  readonly onClose: () => void;
}) {
  const { text, now } = useSite();
  const number = useNumbers();
  const { station, last_seen: lastSeen } = listed;
  const write = useTimeFormat(station.time_zone);
  const temperature = useUnit('air_temperature', '°C');
  const trend = useTrend(listed);
  const value = shownValue(listed, 'air_temperature');
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const at = position([current.offsetWidth, current.offsetHeight]);
    current.hidden = at === undefined;
    if (at !== undefined) [current.style.left, current.style.top] = [`${at[0]}px`, `${at[1]}px`];
  });
  const values = hourly?.temperature.filter((hour) => hour !== null) ?? [];
  const mark = pastMark(station, lastSeen, now, text.past, (time) => write(time, 'shortMonthOfYear'));
  const degrees = (celsius: number) => number(temperature.convert(celsius), temperature.decimals);
  return (
    <div
      class="popover"
      ref={box}
      role="group"
      aria-label={station.name}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <p class="popover-head">
        <strong>{station.name}</strong>
        {lastSeen !== null && <time dateTime={lastSeen}>{write(lastSeen, 'time')}</time>}
      </p>
      {mark !== undefined && <p class="quiet">{mark}</p>}
      <p>
        <span class="large">{value === undefined ? text.value.none : degrees(value)}</span>{' '}
        <span class="quiet">{temperature.unit}</span>
        {trend !== undefined && <span class="quiet">, {text.map.trend[trend]}</span>}
      </p>
      {values.length > 1 && hourly !== undefined && (
        <>
          <Spark
            values={hourly.temperature}
            scale={sparkScale([hourly.temperature])}
            label={text.home.spark}
          />
          <p class="quiet">{text.map.range24(degrees(Math.min(...values)), degrees(Math.max(...values)))}</p>
        </>
      )}
      <p>
        <WindArrow listed={listed} />
        <WindAndRain listed={listed} units={units} />
      </p>
      <p>
        <a href={`/stations/${encodeURIComponent(station.id)}`}>{text.map.open}</a>
      </p>
    </div>
  );
}

/** Whether the temperature rises, falls or is steady; undefined until it has been read. */
function useTrend({ station: { id }, last_seen: lastSeen }: ListedStation): Trend | undefined {
  const { api } = useSite();
  const [trend, setTrend] = useState<{ readonly id: string; readonly value: Trend | undefined }>();
  useEffect(() => {
    const stop = new AbortController();
    api.get('/v1/stations/{id}/now', { path: { id }, signal: stop.signal }).then(
      ({ facts }) => {
        const fact = facts.find(({ code }) => code === 'temperature');
        setTrend({ id, value: fact?.code === 'temperature' ? (fact.trend ?? undefined) : undefined });
      },
      () => undefined,
    );
    return () => stop.abort();
  }, [id, lastSeen]);
  return trend?.id === id ? trend.value : undefined;
}

type Trend = 'rising' | 'falling' | 'steady';
