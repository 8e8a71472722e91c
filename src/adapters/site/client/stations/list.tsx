import { useMemo } from 'preact/hooks';
import { Age } from '../parts/age.js';
import { AlarmMark } from '../parts/alarms.js';
import { useSite } from '../site-context.js';
import { Rain, Temperature, Wind } from './cells.js';
import type { ListedStation, StationList } from './listed.js';
import { type ListColumn, LIST_COLUMNS, type Order } from './order.js';

/** The table of stations. */
export function StationRows({
  stations,
  units,
  order,
  onOrder,
  selected,
  onSelect,
}: {
  readonly stations: readonly ListedStation[];
  readonly units: StationList['units'];
  readonly order: Order | undefined;
  readonly onOrder: (by: ListColumn) => void;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}) {
  const { text } = useSite();
  return (
    <div class="table-scroll" role="region" aria-label={text.home.list} tabIndex={0}>
      <table class="stations">
        <thead>
          <tr>
            {LIST_COLUMNS.map((column) => (
              <th
                key={column}
                scope="col"
                class={column}
                {...(order?.by === column && { 'aria-sort': order.direction })}
              >
                <button type="button" onClick={() => onOrder(column)}>
                  {text.home.columns[column]}
                  <span class="sort-mark" aria-hidden="true" />
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {stations.map((station) => (
            <Row
              key={station.station.id}
              listed={station}
              units={units}
              isSelected={station.station.id === selected}
              onSelect={onSelect}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Renders a row again only if its station has new values, because there can be hundreds of rows. */
function Row(props: RowProps) {
  const { listed, units, isSelected, onSelect } = props;
  return useMemo(() => <DrawnRow {...props} />, [listed, units, isSelected, onSelect]);
}

interface RowProps {
  readonly listed: ListedStation;
  readonly units: StationList['units'];
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
}

function DrawnRow({ listed, units, isSelected, onSelect }: RowProps) {
  const { station, last_seen: lastSeen, rain } = listed;
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
          {...(isSelected && { 'aria-current': 'true' })}
        >
          {station.name}
        </a>
        <AlarmMark names={listed.alarms} />
      </th>
      <td class="temperature">
        <Temperature listed={listed} units={units} />
      </td>
      <td class="rain">
        <Rain amount={rain} />
      </td>
      <td class="wind">
        <Wind listed={listed} units={units} />
      </td>
      <td class="age">
        <Age since={lastSeen} interval={station.reporting_interval} />
      </td>
    </tr>
  );
}
