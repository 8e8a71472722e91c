import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import { onChange } from '../live/changes.js';
import { useNow } from '../live/clock.js';
import { useLive } from '../live/use-live.js';
import { MapPanel } from '../map/map-panel.js';
import type { Place } from '../map/fit.js';
import { areAllPast } from '../past/past-model.js';
import { useSite } from '../site-context.js';
import { SilentStations, StationRows } from './list.js';
import {
  type ListStart,
  type ListedStation,
  readAgain,
  readNextStations,
  type StationList,
  withChanges,
  withoutEndedDays,
} from './listed.js';
import { nearPlaces } from './near-places.js';
import {
  filterStations,
  firstOrder,
  type ListColumn,
  nextOrder,
  type Order,
  sortStations,
  splitStations,
} from './order.js';
import { Shortcuts } from './shortcuts.js';
import { sparkScale } from './spark-line.js';
import { useHourly } from './use-hourly.js';

/** Number of table rows at first, and number of rows that the button below the table adds. */
const ROWS = 100;
/** Up to this number of stations, the page reads further stations automatically. A link opens the remaining stations. */
const MAX_AUTOMATIC = 2000;
/** Delay in ms between the first event of a new station and the reading of the list. */
const NEW_STATION = MILLISECONDS.second;
/** In windows of at least this width, the map is beside the list. */
const BESIDE = '(width >= 1200px)';

/** The list and the map of stations. Both show the same values and share the selected station. */
export function StationsPage({
  first,
  begin,
  chosen,
}: {
  readonly first: StationList;
  readonly begin: ListStart;
  /** Id of the station that is selected at first, with its popover on the map. */
  readonly chosen: string | undefined;
}) {
  const { text, preferences, api, reload } = useSite();
  const { text: search } = begin;
  const [list, change] = useLive<StationList>({
    first,
    scope: { include: 'today,alarms' },
    read: (reader, shown) => readAgain(reader, begin, shown.stations.length),
    merge: withChanges,
  });
  const now = useNow();
  useEffect(() => change((shown) => withoutEndedDays(shown, now)), [now]);
  // The last station was removed. The page of a service without stations is another one.
  const hasLostAll = list.stations.length === 0 && first.stations.length > 0;
  useEffect(() => {
    if (hasLostAll) void reload().catch(() => undefined);
  }, [hasLostAll]);
  useNewStations(list, () => readAgain(api, begin, list.stations.length + 1).then(change));
  const [words, setWords] = useState('');
  const [order, setOrder] = useState<Order | undefined>(() => firstOrder(first.next));
  const [rows, setRows] = useState(ROWS);
  const [selected, setSelected] = useState(chosen);
  const [opened, setOpened] = useState(chosen);
  const [towns, setTowns] = useState<readonly Place[]>([]);
  const filter = useRef<HTMLInputElement>(null);

  const more = async (): Promise<void> => {
    const longer = await readNextStations(api, list, begin.text);
    change((shown) => (shown.next === list.next ? longer : shown));
  };
  useEffect(() => {
    if (list.next !== null && list.stations.length < MAX_AUTOMATIC) void more().catch(() => undefined);
  }, [list.next]);

  const { stations, next, units } = list;
  const positions = stations.map(({ station }) => station.id).join();
  const places = useMemo(() => nearPlaces(stations, towns), [positions, towns]);
  const found = useMemo(() => filterStations(stations, words, places), [stations, words, places]);
  const isPast = areAllPast(stations, now);
  const { live, silent } = useMemo(() => splitStations(found, now), [found, now]);
  const ordered = useMemo(
    () => sortStations(live, order, preferences.language),
    [live, order, preferences.language],
  );
  const shown = ordered.length > rows ? ordered.slice(0, rows) : ordered;
  const left = ordered.length - shown.length;
  const hourly = useHourly(
    shown.slice(-ROWS).map(({ station }) => station.id),
    'temperature',
  );
  const scale = useMemo(
    () => sparkScale(shown.flatMap(({ station }) => [hourly.get(station.id)?.temperature ?? []])),
    [hourly],
  );
  const selectOnMap = (id: string): void => {
    setSelected(id);
    if (matchMedia(BESIDE).matches)
      document.getElementById(`row-${id}`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <div class="stations-page">
      <MapPanel
        stations={found}
        units={units}
        search={words}
        isPast={isPast}
        selected={selected}
        opened={opened === selected ? opened : undefined}
        temperatures={hourly}
        onSelect={selectOnMap}
        onOpen={setOpened}
        onPlaces={setTowns}
      />
      <div class="stations-list">
        <div class="stations-head">
          <h1>
            {next === null && search === undefined ? text.home.found(stations.length) : text.home.title}
          </h1>
          <Within stations={live} now={now} />
        </div>
        <form class="filter" method="get" action="/" role="search" onSubmit={searchAll}>
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <circle cx="6.5" cy="6.5" r="4.5" />
            <path d="M10 10 14 14" />
          </svg>
          <input
            ref={filter}
            type="search"
            name="q"
            aria-label={text.home.filter}
            placeholder={text.home.filter}
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
        </form>
        {found.length === 0 && <p class="quiet">{text.home.noneFound}</p>}
        <StationRows
          stations={shown}
          units={units}
          isPast={isPast}
          order={order}
          onOrder={(by: ListColumn) => setOrder((current) => nextOrder(current, by))}
          places={places}
          hourly={hourly}
          scale={scale}
          selected={selected}
          onSelect={setSelected}
        />
        {left > 0 && (
          <p>
            <button type="button" onClick={() => setRows((number) => number + ROWS)}>
              {text.home.moreRows(left)}
            </button>
          </p>
        )}
        <SilentStations stations={silent} isOpen={words !== ''} />
        {left === 0 && next !== null && (
          <p>
            <a
              href={`/?${new URLSearchParams({ cursor: next, ...(search !== undefined && { q: search }) }).toString()}`}
            >
              {text.home.more}
            </a>
          </p>
        )}
        <Shortcuts filter={filter} />
      </div>
    </div>
  );

  /** Lets Enter search all stations in the service, unless the page has already read all stations and filters the list itself. */
  function searchAll(event: SubmitEvent): void {
    if (next === null && search === undefined) event.preventDefault();
  }
}

/** The ages in minutes in which the page says how new the values are. */
const WITHIN = [1, 2, 5, 10, 15, 20, 30, 60, 120, 180];

/** How new the values of all stations are, in one sentence, so that no row needs its age. */
function Within({ stations, now }: { readonly stations: readonly ListedStation[]; readonly now: number }) {
  const { text } = useSite();
  const oldest = Math.min(...stations.map(({ last_seen: seen }) => Date.parse(seen ?? '')));
  const minutes = WITHIN.find((limit) => now - oldest <= limit * MILLISECONDS.minute);
  if (minutes === undefined || stations.length === 0) return null;
  const { lengths } = text.age;
  const length = minutes < 120 ? lengths.minutes(minutes) : lengths.hours(minutes / 60);
  return <p class="quiet">{text.home.within(length)}</p>;
}

/** Reads the list again when an event names a station that the list does not have yet. */
function useNewStations(list: StationList, read: () => Promise<void>): void {
  const newest = useRef({ list, read });
  newest.current = { list, read };
  useEffect(() => {
    /** Stations for which the list was read already. A search may not contain them. */
    const known = new Set<string>();
    let reading: ReturnType<typeof setTimeout> | undefined;
    const end = onChange(({ station }) => {
      const { stations, next } = newest.current.list;
      if (station === undefined || next !== null || known.has(station)) return;
      known.add(station);
      if (stations.some((listed) => listed.station.id === station)) return;
      reading ??= setTimeout(() => {
        reading = undefined;
        void newest.current.read().catch(() => undefined);
      }, NEW_STATION);
    });
    return () => {
      end();
      clearTimeout(reading);
    };
  }, []);
}
