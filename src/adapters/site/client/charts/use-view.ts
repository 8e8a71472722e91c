import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import type { Inventory, Station } from '../api.js';
import { extentOf } from '../extent.js';
import type { PageLocation } from '../page.js';
import { currentTime } from '../live/server-clock.js';
import { useSite } from '../site-context.js';
import { localTime } from './model/zone.js';
import { shownRange } from './shown-range.js';
import {
  DEFAULT_SPAN,
  isLive,
  isSpan,
  readView,
  resetView,
  shownRangeOf,
  type SpanName,
  type View,
  type ViewContext,
  writeView,
} from './model/span.js';

/** A range that ends now moves after this time in ms, or after the reporting interval of the station if it is longer. */
const REFRESH = MILLISECONDS.minute;
/**
 * A range that ends now is read again after this time in ms. Until then, new values are drawn from events; only what the whole range says,
 * such as the number of its days with rain, can be older.
 */
const REREAD = MILLISECONDS.hour;

/**
 * The view of the charts that the visitor has chosen: a span such as the last 7 days, or two times. The URL contains the view. A
 * view that ends now moves with the clock.
 */
export function useView(station: Station, inventory: Inventory, pageLocation: PageLocation) {
  const { first, last } = extentOf(inventory);
  const site = useSite();
  const [now, setNow] = useState(site.now);
  const [readAt, setReadAt] = useState(site.now);
  const [view, setView] = useState(() => readView(pageLocation.query));
  /** The span that the visitor has chosen last, which Escape shows again. */
  const home = useRef<SpanName>(isSpan(view) ? view.span : DEFAULT_SPAN);
  const context = useMemo<ViewContext>(
    () => ({
      now,
      first: first === null ? undefined : Date.parse(first),
      last: last === null ? undefined : Date.parse(last),
      zone: station.time_zone,
    }),
    [now, first, last, station.time_zone],
  );
  const range = useMemo(() => shownRangeOf(view, context), [view, context]);
  const follows = isLive(view, context);
  const isOutdated = now - readAt >= REREAD || dateOf(now, station) !== dateOf(readAt, station);
  useEffect(() => setReadAt(now), [view, isOutdated]);
  const { from, to } = follows ? shownRangeOf(view, { ...context, now: readAt }) : range;
  const readRange = useMemo(() => ({ from, to }), [from, to]);
  useEffect(() => {
    shownRange.value = readRange;
  }, [readRange]);
  // A page that was loaded again can have another query.
  const query = pageLocation.query.toString();
  useEffect(() => setView(readView(pageLocation.query)), [query]);
  /** The query of the last shown URL. The URL of the browser is already another one after its back button was pressed. */
  const written = useRef<URLSearchParams | undefined>(undefined);
  useEffect(
    () =>
      site.onQuery(({ searchParams }) => {
        const shown = new URL(location.href).searchParams;
        const isSame = restOf(searchParams) === restOf(written.current ?? shown);
        if (isSame) setView(readView(searchParams));
        return isSame;
      }),
    [site.onQuery],
  );
  useEffect(() => {
    written.current = new URL(location.href).searchParams;
  }, [view]);
  useEffect(() => {
    if (!follows) return undefined;
    const distance = Math.max(REFRESH, (station.reporting_interval ?? 0) * MILLISECONDS.second);
    const timer = setInterval(() => {
      if (!document.hidden) setNow(currentTime());
    }, distance);
    return () => clearInterval(timer);
  }, [follows, station]);

  /** The URL of a view on this page. */
  const hrefOf = (next: View): string => {
    const address = new URL(location.href);
    address.search = writeView(next, address.searchParams).toString();
    return address.href;
  };
  /** Shows another view. The back button of the browser shows the earlier view again. */
  const show = (next: View) => {
    setView(next);
    site.push(hrefOf(next));
  };
  return {
    view,
    context,
    /** The shown range. A range that ends now moves with the clock. */
    range,
    /** The range whose data are read. If it ends now, it is at most an hour older than `range`. */
    readRange,
    hrefOf,
    show,
    /** Shows a span that Escape will show again. */
    chooseSpan: (next: View) => {
      if (isSpan(next)) home.current = next.span;
      show(next);
    },
    reset: () => show(resetView(home.current)),
    /** If the range follows the clock, moves its end to the current time. @returns whether the range follows the clock */
    update: () => {
      if (!follows) return false;
      const time = currentTime();
      setNow(time);
      setReadAt(time);
      return true;
    },
  };
}

const dateOf = (time: number, station: Station) => localTime(time, station.time_zone).date;

/** The parameters of a query that do not belong to the charts. */
function restOf(query: URLSearchParams): string {
  const rest = new URLSearchParams(query);
  for (const name of ['span', 'at', 'from', 'to']) rest.delete(name);
  rest.sort();
  return rest.toString();
}
