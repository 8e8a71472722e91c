import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import { useNow } from '../live/clock.js';
import { useLive } from '../live/use-live.js';
import { MapPanel } from '../map/map-panel.js';
import { useSite } from '../site-context.js';
import { MapLegend } from './legend.js';
import { StationRows } from './list.js';
import {
  type ListStart,
  readAgain,
  readNextStations,
  type StationList,
  withChanges,
  withoutEndedDays,
} from './listed.js';
import { type ListColumn, filterStations, nextOrder, type Order, sortStations } from './order.js';
import { Shortcuts } from './shortcuts.js';

/** Number of table rows at first, and number of rows that the button below the table adds. */
const ROWS = 200;
/** Up to this number of stations, the page reads further stations automatically. A link opens the remaining stations. */
const MAX_AUTOMATIC = 2000;
/**
 * Delay in ms between an event with new values and the next reading of the list. Events do not contain alarms, so only a reading
 * updates the alarms in the list.
 */
const REREAD = 5 * MILLISECONDS.minute;

/** The list and the map of stations. Both show the same values and share the selected station. */
export function StationsPage({ first, begin }: { readonly first: StationList; readonly begin: ListStart }) {
  const { text, preferences, api } = useSite();
  const { text: search } = begin;
  const [list, change] = useLive<StationList>({
    first,
    scope: { include: 'today' },
    read: (reader, shown) => readAgain(reader, begin, shown.stations.length),
    merge: withChanges,
    reread: REREAD,
  });
  const now = useNow();
  useEffect(() => change((shown) => withoutEndedDays(shown, now)), [now]);
  const [words, setWords] = useState('');
  const [order, setOrder] = useState<Order | undefined>();
  const [rows, setRows] = useState(ROWS);
  const [selected, setSelected] = useState<string | undefined>();
  const filter = useRef<HTMLInputElement>(null);

  const more = async (): Promise<void> => {
    const longer = await readNextStations(api, list, begin.text);
    change((shown) => (shown.next === list.next ? longer : shown));
  };
  useEffect(() => {
    if (list.next !== null && list.stations.length < MAX_AUTOMATIC) void more().catch(() => undefined);
  }, [list.next]);

  const { stations, next, units } = list;
  const found = useMemo(() => filterStations(stations, words), [stations, words]);
  const ordered = useMemo(
    () => sortStations(found, order, preferences.language),
    [found, order, preferences.language],
  );
  const selectOnMap = (id: string): void => {
    setSelected(id);
    document.getElementById(`row-${id}`)?.scrollIntoView({ block: 'nearest' });
  };
  const isMore = found.length > rows;
  return (
    <div class="stations-page">
      <MapPanel stations={found} units={units} selected={selected} onSelect={selectOnMap} />
      <div class="stations-list">
        <form class="filter" method="get" action="/" role="search" onSubmit={searchAll}>
          <label for="filter">{text.home.filter}</label>
          <input
            id="filter"
            ref={filter}
            type="search"
            name="q"
            autocomplete="off"
            maxLength={100}
            defaultValue={search ?? ''}
            onInput={({ currentTarget }) =>
              setWords(currentTarget.value === search ? '' : currentTarget.value)
            }
          />
          <p class="hidden" role="status">
            {words !== '' && text.home.found(found.length)}
          </p>
          <Shortcuts filter={filter} />
        </form>
        {found.length === 0 && <p class="quiet">{text.home.noneFound}</p>}
        <StationRows
          stations={isMore ? ordered.slice(0, rows) : ordered}
          units={units}
          order={order}
          onOrder={(by: ListColumn) => setOrder((shown) => nextOrder(shown, by))}
          selected={selected}
          onSelect={setSelected}
        />
        {isMore && (
          <p>
            <button type="button" onClick={() => setRows((number) => number + ROWS)}>
              {text.home.moreRows(found.length - rows)}
            </button>
          </p>
        )}
        {!isMore && next !== null && (
          <p>
            <a
              href={`/?${new URLSearchParams({ cursor: next, ...(search !== undefined && { q: search }) }).toString()}`}
            >
              {text.home.more}
            </a>
          </p>
        )}
        <MapLegend />
      </div>
    </div>
  );

  /** Lets Enter search all stations in the service, unless the page has already read all stations and filters the list itself. */
  function searchAll(event: SubmitEvent): void {
    if (next === null && search === undefined) event.preventDefault();
  }
}
