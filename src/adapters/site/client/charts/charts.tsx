import { signal } from '@preact/signals-core';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import { type Inventory, type Station, targetOf } from '../api.js';
import type { SparkValues } from '../now/model/spark.js';
import type { PageLocation } from '../page.js';
import { Fault } from '../parts/fault.js';
import { loadPart } from '../parts/load-part.js';
import { useReading } from '../sections/use-read.js';
import { useSite } from '../site-context.js';
import { Chart } from './chart.js';
import { Download, fileName } from './download.js';
import { type Drawing, drawBars, drawLines } from './model/drawing.js';
import { viewAfterKey } from './keys.js';
import { type Quantity, quantitiesOf } from './model/quantities.js';
import { type ChartReply, readCharts, rowsRequest } from './model/read.js';
import {
  selectedView,
  isLive,
  isSpan,
  shownRangeOf,
  readView,
  type ViewContext,
  type View,
  writeView,
} from './model/span.js';
import type { Plot } from './plot/plot.js';
import { StaticChart } from './static-chart.js';
import { shownRange } from './shown-range.js';
import { Toolbar } from './toolbar.js';
import { useChanges } from './use-changes.js';
import { useChartFormat } from './use-format.js';

/** Number of charts with the larger height. */
const MAIN_CHARTS = 4;
/**
 * A range that ends now is read again after this time in ms, or after the reporting interval of the station if the reporting
 * interval is longer.
 */
const REFRESH = MILLISECONDS.minute;
const NO_UNITS: Readonly<Record<string, string>> = {};

/** The observations of a station over time: one chart for each quantity. */
export function Charts({
  station,
  inventory,
  pageLocation,
  line,
}: {
  readonly station: Station;
  readonly inventory: Inventory;
  readonly pageLocation: PageLocation;
  /** Temperatures of the last 24 hours. */
  readonly line: SparkValues | undefined;
}) {
  const { text, api, preferences } = useSite();
  const format = useChartFormat(station.time_zone);
  const quantities = useMemo(() => quantitiesOf(inventory.variables), [inventory.variables]);
  const { view, context, range, setView, update } = useView(station, inventory, pageLocation);
  const section = useRef<HTMLElement>(null);
  const {
    data: reply,
    isLoading,
    fault,
    retry,
  } = useReading(JSON.stringify([station.id, quantities, range]), (ending) =>
    readCharts(api, station, quantities, range, section.current?.clientWidth ?? 0, ending),
  );
  useChanges(station.id, range, isLive(view, context), () => {
    // If the range ends now, `update` moves the range to the current time, and the new range is read. For any other range,
    // `retry` reads the same range again.
    if (!update()) retry();
  });
  const drawnRange = reply?.range ?? range;
  const [loadError, setLoadError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const charts = useMemo(
    () =>
      quantities.map((quantity) => {
        const source = quantity.kind === 'bars' ? reply?.summaries : reply?.observations;
        const unit = format.unit(quantity, source?.units ?? NO_UNITS);
        return { quantity, unit, drawing: reply && drawingOf(quantity, reply, unit, station) };
      }),
    [reply, quantities, preferences],
  );
  const [cursor] = useState(() => signal<number | undefined>(undefined));
  const [announcement, setAnnouncement] = useState('');
  const plots = useRef(new Map<string, Plot>());
  const title = rangeTitle(drawnRange, format.date, format.moment, text.charts.range);

  const onPicture = () => {
    const draw = async (): Promise<void> => {
      const { savePicture } = await loadPart(() => import('./plot/picture.js'));
      const drawn = charts.flatMap(({ quantity, unit }) => {
        const plot = plots.current.get(quantity.id);
        return plot === undefined
          ? []
          : [{ title: `${format.title(quantity)} (${unit.unit})`, canvas: plot.canvas }];
      });
      const { backgroundColor: paper, color: ink } = getComputedStyle(document.body);
      savePicture(
        `${station.name} · ${title}`,
        drawn,
        { paper, ink },
        `${fileName(station.id, drawnRange)}.png`,
      );
    };
    draw().catch(setLoadError);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target as Element).matches('.chart')) return;
    const next = viewAfterKey(event, view, context, cursor.value);
    if (next === undefined) return;
    event.preventDefault();
    setView(next);
  };

  return (
    <section class="charts needs-script" aria-label={text.charts.title} ref={section} onKeyDown={onKeyDown}>
      <h2>{text.charts.title}</h2>
      <Toolbar view={view} context={context} onView={setView} />
      <p class="chart-range">
        {title}
        {isSpan(view) && view.at === undefined && !isLive(view, context) && (
          <span class="quiet"> · {text.charts.untilLast}</span>
        )}
        <span class="quiet" role="status">
          {isLoading && ` ${text.charts.loading}`}
        </span>
      </p>
      {fault !== undefined && <Fault error={fault} retry={retry} />}
      {loadError !== undefined && (
        <Fault
          error={loadError}
          retry={() => {
            setLoadError(undefined);
            setAttempt((count) => count + 1);
          }}
        />
      )}
      <noscript>
        {line && line.times.length > 1 && <StaticChart {...{ station, line }} moment={format.moment} />}
        <p>
          {text.charts.withoutScript}{' '}
          <a href={targetOf(...rowsRequest(station.id, quantities, range, 'csv'))}>
            {text.charts.download.csv}
          </a>
        </p>
      </noscript>
      <div aria-busy={isLoading}>
        {charts.map(({ quantity, unit, drawing }, number) => (
          <Chart
            key={quantity.id}
            {...{ quantity, unit, drawing, station, format, cursor }}
            range={drawnRange}
            isMain={number < MAIN_CHARTS}
            onRange={(part) => setView(selectedView(part))}
            announce={setAnnouncement}
            attempt={attempt}
            onMissing={setLoadError}
            onPlot={(id, plot) => {
              if (plot === undefined) plots.current.delete(id);
              else plots.current.set(id, plot);
            }}
          />
        ))}
      </div>
      <p class="quiet chart-keys">{text.charts.keys}</p>
      <Download station={station.id} quantities={quantities} range={drawnRange} onPicture={onPicture} />
      <div class="hidden" aria-live="polite">
        {announcement}
      </div>
    </section>
  );
}

/**
 * The view of the charts that the visitor has chosen: a span such as the last 7 days, or two times. The URL contains the view. A
 * view that ends now moves with the clock.
 */
function useView(station: Station, { first, last }: Inventory, pageLocation: PageLocation) {
  const site = useSite();
  const [now, setNow] = useState(site.now);
  const [view, setView] = useState(() => readView(pageLocation.query));
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
  useEffect(() => {
    shownRange.value = range;
  }, [range]);
  const follows = isLive(view, context);
  useEffect(() => {
    if (!follows) return undefined;
    const distance = Math.max(REFRESH, (station.reporting_interval ?? 0) * MILLISECONDS.second);
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now());
    }, distance);
    return () => clearInterval(timer);
  }, [follows, station]);
  const choose = (next: View) => {
    setView(next);
    const address = new URL(location.href);
    address.search = writeView(next, address.searchParams).toString();
    site.replace(address.href);
  };
  /** If the range follows the clock, moves its end to the current time. @returns whether the range follows the clock */
  const update = () => {
    if (follows) setNow(Date.now());
    return follows;
  };
  return { view, context, range, setView: choose, update };
}

function drawingOf(
  quantity: Quantity,
  { range, points, observations, summaries }: ChartReply,
  unit: Parameters<typeof drawLines>[3],
  station: Station,
): Drawing | undefined {
  if (quantity.kind === 'bars') {
    return summaries && drawBars(quantity, summaries, unit, { range, zone: station.time_zone });
  }
  return (
    observations &&
    drawLines(quantity, observations, summaries, unit, {
      interval: (station.reporting_interval ?? 0) * MILLISECONDS.second,
      columnLength: (range.to - range.from) / points,
    })
  );
}

/** The range as text. A range of whole days is written with dates only. */
function rangeTitle(
  { from, to }: { readonly from: number; readonly to: number },
  date: (time: number) => string,
  time: (time: number) => string,
  between: (from: string, to: string) => string,
): string {
  const [first, last] = [date(from), date(to - 1)];
  const isOfDays = date(from - 1) !== first && date(to) !== last;
  if (!isOfDays) return between(time(from), time(to));
  return first === last ? first : between(first, last);
}
