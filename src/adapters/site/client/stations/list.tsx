import { useMemo } from 'preact/hooks';
import { Age } from '../parts/age.js';
import { useTimeFormat } from '../now/times.js';
import { pastMark } from '../past/past-model.js';
import { AlarmMark } from '../parts/alarms.js';
import { useSite, useUnit } from '../site-context.js';
import { Rain, Temperature, Wind, WindAndRain, WindArrow } from './cells.js';
import type { HourlyValues } from './hourly-values.js';
import type { ListedStation, StationList } from './listed.js';
import { type ListColumn, LIST_COLUMNS, type Order } from './order.js';
import { Spark } from './spark.js';
import type { SparkScale } from './spark-line.js';

/** The table of stations. */
export function StationRows({
  stations,
  units,
  isPast,
  order,
  onOrder,
  places,
  hourly,
  scale,
  selected,
  onSelect,
}: {
  readonly stations: readonly ListedStation[];
  readonly units: StationList['units'];
  /** Whether no station has values of the last year. */
  readonly isPast: boolean;
  /** Undefined if no column orders the rows. */
  readonly order: Order | undefined;
  readonly onOrder: (by: ListColumn) => void;
  /** Names of the nearest towns by station. */
  readonly places: ReadonlyMap<string, string>;
  readonly hourly: ReadonlyMap<string, HourlyValues>;
  readonly scale: SparkScale | undefined;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}) {
  const { text } = useSite();
  const unitOf: Readonly<Record<ListColumn, string>> = {
    station: '',
    temperature: useUnit('air_temperature', '°C').unit,
    rain: useUnit('precipitation_amount', 'mm').unit,
    wind: useUnit('wind_speed', 'm/s').unit,
  };
  const heading = (column: ListColumn) => (
    <th
      key={column}
      scope="col"
      class={column}
      {...(order?.by === column && { 'aria-sort': order.direction })}
    >
      <button type="button" onClick={() => onOrder(column)}>
        <span class="sort-mark" aria-hidden="true" />
        {isPast && column === 'temperature' ? text.past.last : text.home.columns[column]}
        {unitOf[column] !== '' && <span class="unit"> {unitOf[column]}</span>}
      </button>
    </th>
  );
  const [station, ...others] = LIST_COLUMNS;
  return (
    <table class="stations">
      <thead>
        <tr>
          {heading(station)}
          <th scope="col" class="last-day">
            {text.home.columns.spark}
          </th>
          {others.map(heading)}
        </tr>
      </thead>
      <tbody>
        {stations.map((listed) => (
          <Row
            key={listed.station.id}
            listed={listed}
            units={units}
            place={places.get(listed.station.id)}
            hourly={hourly.get(listed.station.id)}
            scale={scale}
            isSelected={listed.station.id === selected}
            onSelect={onSelect}
          />
        ))}
      </tbody>
    </table>
  );
}

/** Renders a row again only if its station has new values, because there can be hundreds of rows. */
function Row(props: RowProps) {
  return useMemo(() => <DrawnRow {...props} />, Object.values(props));
}

interface RowProps {
  readonly listed: ListedStation;
  readonly units: StationList['units'];
  readonly place: string | undefined;
  readonly hourly: HourlyValues | undefined;
  readonly scale: SparkScale | undefined;
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
}

function DrawnRow({ listed, units, place, hourly, scale, isSelected, onSelect }: RowProps) {
  const { text, now } = useSite();
  const { station, rain } = listed;
  const write = useTimeFormat(station.time_zone);
  const mark = pastMark(station, listed.last_seen, now, text.past, (time) => write(time, 'shortMonthOfYear'));
  const town = place === station.name ? undefined : place;
  const select = () => onSelect(station.id);
  return (
    <tr
      id={`row-${station.id}`}
      class={isSelected ? 'selected' : undefined}
      onFocusIn={select}
      onMouseEnter={select}
    >
      <th scope="row" class="station">
        <a
          href={`/stations/${encodeURIComponent(station.id)}`}
          title={station.name}
          {...(isSelected && { 'aria-current': 'true' })}
        >
          {station.name}
        </a>
        <AlarmMark names={listed.alarms} />
        <span class="place">
          {mark !== undefined && <span class="past-mark">{mark}</span>}
          {/* The town comes with the map. The style sheet reserves its line. */}
          {town !== undefined && (
            <span class="town needs-script">{mark === undefined ? town : ` · ${town}`}</span>
          )}
        </span>
        <span class="summary">
          <WindArrow listed={listed} />
          <WindAndRain listed={listed} units={units} />
        </span>
      </th>
      <td class="last-day">
        <Spark values={hourly?.temperature} scale={scale} label={text.home.spark} />
      </td>
      <td class="temperature">
        <Temperature listed={listed} units={units} />
      </td>
      <td class="rain">
        <Rain amount={rain} />
      </td>
      <td class="wind">
        <Wind listed={listed} units={units} />
      </td>
    </tr>
  );
}

/** Number of silent stations that the closed list names. */
const NAMED = 2;

/** The stations that have missed several reports, in one line that opens. */
export function SilentStations({
  stations,
  isOpen,
}: {
  readonly stations: readonly ListedStation[];
  /** Whether the list is open, for example because a search has found these stations. */
  readonly isOpen: boolean;
}) {
  const { text } = useSite();
  if (stations.length === 0) return null;
  const age = ({ station, last_seen: lastSeen }: ListedStation) => (
    <Age since={lastSeen} interval={station.reporting_interval} zone={station.time_zone} />
  );
  return (
    <details class="silent-stations" open={isOpen}>
      <summary>
        <span>{text.home.silent(stations.length)}</span>
        <span class="quiet">
          {stations.slice(0, NAMED).map((listed) => (
            <span key={listed.station.id}>
              {listed.station.name} {age(listed)}
            </span>
          ))}
        </span>
      </summary>
      <ul>
        {stations.map((listed) => (
          <li key={listed.station.id}>
            <a href={`/stations/${encodeURIComponent(listed.station.id)}`}>{listed.station.name}</a>
            <span class="quiet">{age(listed)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
