import { signal } from '@preact/signals-core';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import { type Inventory, type Newest, type Station } from '../api.js';
import { Attribution } from '../forecast/attribution.js';
import { providerName } from '../forecast/provider-name.js';
import type { Forecast } from '../forecast/read-forecast.js';
import type { PageLocation } from '../page.js';
import { Fault } from '../parts/fault.js';
import { loadPart } from '../parts/load-part.js';
import { useReading } from '../sections/use-read.js';
import { useDayRecord } from '../sections/usual/use-day-record.js';
import type { RibbonHour } from '../ribbon/ribbon-model.js';
import { useSite } from '../site-context.js';
import { Brush } from './brush.js';
import { Chart, gutterOf } from './chart.js';
import { Download, fileName } from './download.js';
import { Heading } from './heading.js';
import { viewAfterKey } from './keys.js';
import { AHEAD_OF_SPAN } from './model/ahead.js';
import { hasNoAmount } from './model/drawing.js';
import { quantitiesOf } from './model/quantities.js';
import { newestTime, RAIN, readCharts, TEMPERATURE, withHours, withNewest } from './model/read.js';
import { rangeFacts } from './model/record.js';
import { isLive, isSpan, openedView, selectedView, type ShownRange, viewOfDates } from './model/span.js';
import { stepOf } from './model/steps.js';
import { timeAxisOf } from './model/time-axis.js';
import { localTime } from './model/zone.js';
import { isPast } from '../past/past-model.js';
import { NoRain } from './no-rain.js';
import type { Cursor } from './shown-chart.js';
import { shownCharts } from './shown-charts.js';
import { ChartTable } from './table.js';
import { type ChartSwitch, Toolbar } from './toolbar.js';
import { Tooltip } from './tooltip.js';
import { useChanges } from './use-changes.js';
import { useChartFormat } from './use-format.js';
import { useView } from './use-view.js';

/** Width in pixels below which charts are narrow. */
const NARROW = 640;
/** Number of charts that share the labels of one time axis. */
const STACK = 4;
/** Shortest record in ms whose dates have usual values. The API needs five years. */
const RECORD_WITH_USUAL = 4 * 365 * MILLISECONDS.day;

/** The observations of a station over time: one chart for each quantity. */
export function Charts({
  station,
  inventory,
  pageLocation,
  latest,
  hours,
  forecast,
}: {
  readonly station: Station;
  readonly inventory: Inventory;
  readonly pageLocation: PageLocation;
  /** The newest values, which are drawn without another request. */
  readonly latest: Newest;
  /** Rain and wind of the last hours, which are drawn without another request. */
  readonly hours: readonly RibbonHour[];
  /** The forecast, which is drawn behind now in short spans that end now. */
  readonly forecast?: Forecast | undefined;
}) {
  const { text, api, preferences } = useSite();
  const format = useChartFormat(station.time_zone);
  const quantities = useMemo(() => quantitiesOf(inventory.variables), [inventory.variables]);
  const { view, context, range, readRange, hrefOf, show, chooseSpan, reset, update } = useView(
    station,
    inventory,
    pageLocation,
  );
  const section = useRef<HTMLElement>(null);
  const { grid, width, columns } = useWidth();
  const isNarrow = width > 0 && width < NARROW;
  const follows = isLive(view, context);
  const viewKey = JSON.stringify(view);

  const { data, isLoading, fault, retry } = useReading(
    JSON.stringify([station.id, quantities, readRange]),
    async (ending) => {
      const pixels = grid.current?.clientWidth ?? 0;
      return { viewKey, reply: await readCharts(api, station, quantities, readRange, pixels, ending) };
    },
  );
  const read = data?.reply;
  /** Until the reply for another view comes, the reply for the earlier view is shown. */
  const isMoving = follows && data?.viewKey === viewKey;
  const newest = useNewest(latest, read);
  const reply = useMemo(() => {
    if (read === undefined || !isMoving) return read;
    const rows = read.observations;
    return {
      ...withHours(read, hours),
      observations: rows && newest.reduce((longer, values) => withNewest(longer, values), rows),
    };
  }, [read, newest, hours, isMoving]);
  const observations = reply?.observations?.observations.time;
  const lastTime = (observations?.at(-1) ?? 0) * MILLISECONDS.second;
  const lastRow = reply?.step === 'value' ? lastTime : newestTime(newest[0]);
  useChanges(station.id, readRange, follows, read && lastRow, () => {
    // If the range ends now, `update` moves the range to the current time, and the new range is read. For any other range,
    // `retry` reads the same range again.
    if (!update()) retry();
  });
  const drawnRange = useMemo((): ShownRange => {
    if (!isMoving) return read?.range ?? range;
    const to = Math.max(range.to, lastTime);
    return { from: isSpan(view) && view.span === '24h' ? to - MILLISECONDS.day : range.from, to };
  }, [read, range.from, range.to, isMoving, lastTime]);
  const step = reply?.step ?? stepOf(range);
  const length = isMoving && forecast && isSpan(view) ? (AHEAD_OF_SPAN[view.span] ?? 0) : 0;
  /** The range of the pictures, which goes on behind now for the forecast. */
  const pictureRange = useMemo(
    (): ShownRange => (length === 0 ? drawnRange : { ...drawnRange, to: drawnRange.to + length }),
    [drawnRange, length],
  );

  const [showsUsual, setShowsUsual] = useState(true);
  const [showsDoubtful, setShowsDoubtful] = useState(true);
  const [showsYears, setShowsYears] = useState(false);
  const record: ShownRange = {
    from: context.first ?? context.now,
    to: Math.max(
      follows ? context.now : (context.last ?? context.now),
      range.to > context.now ? context.now : 0,
    ),
  };
  const isRecorded = station.recorded !== undefined; // All years have the values of the same recorded year.
  const hasUsual =
    !isRecorded && context.first !== undefined && context.now - context.first > RECORD_WITH_USUAL;
  /** An old record has no gap after its last value, because its page does not show the time after this value. */
  const end = isPast(inventory.last, context.now) ? record.to : context.now;
  const isReady = reply !== undefined;
  const usual = useUsual(station, isReady && hasUsual && inventory.variables.includes(TEMPERATURE));
  const usualHours = useUsual(
    station,
    isReady && hasUsual && step === 'value' && showsUsual && inventory.variables.includes(TEMPERATURE),
    pictureRange,
  );
  const hasYears =
    !isRecorded &&
    (step === 'hour' || step === 'day') &&
    drawnRange.to - drawnRange.from <= 367 * MILLISECONDS.day &&
    inventory.variables.includes(TEMPERATURE) &&
    record.from < drawnRange.from - 300 * MILLISECONDS.day;
  const { data: days } = useDayRecord(
    station,
    inventory,
    isReady && ((showsYears && hasYears) || (step === 'day' && inventory.variables.includes(RAIN))),
  );
  const charts = useMemo(
    () =>
      shownCharts(quantities, reply, {
        station,
        range: pictureRange,
        expected: { from: Math.max(drawnRange.from, record.from), to: Math.min(drawnRange.to, end) },
        format,
        text,
        usual: showsUsual ? (step === 'value' ? usualHours : usual) : undefined,
        days,
        showsYears: showsYears && hasYears,
        ahead: forecast && length > 0 ? { forecast, from: drawnRange.to } : undefined,
      }),
    [
      quantities,
      reply,
      pictureRange,
      forecast,
      preferences,
      usual,
      usualHours,
      days,
      showsUsual,
      showsYears,
      hasYears,
    ],
  );
  const axis = useMemo(() => timeAxisOf(pictureRange, station), [pictureRange, station]);
  const facts = useMemo(
    () =>
      reply?.summaries.day && stepOf(drawnRange) !== 'week'
        ? rangeFacts(reply.summaries.day, usual, drawnRange)
        : undefined,
    [reply, usual],
  );
  const [cursor] = useState(() => signal<Cursor | undefined>(undefined));
  const [announcement, setAnnouncement] = useState('');
  const [loadError, setLoadError] = useState<unknown>();
  const [isTable, setTable] = useState(false);

  const onPicture = () => {
    const draw = async (): Promise<void> => {
      const { savePicture } = await loadPart(() => import('./picture.js'));
      const pictures = charts.flatMap(({ quantity, title, unit }) => {
        const picture = section.current?.querySelector<SVGSVGElement>(
          `#chart-${CSS.escape(quantity.id)} .plot`,
        );
        return picture ? [{ title: `${title} (${unit.unit})`, picture }] : [];
      });
      const source =
        forecast && length > 0 ? ` · ${text.forecast.title}: ${providerName(forecast.source, text)}` : '';
      await savePicture(
        `${station.name} · ${format.range(drawnRange)}${source}`,
        pictures,
        `${fileName(station.id, drawnRange)}.png`,
      );
    };
    draw().catch(setLoadError);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (event.key === 'Escape') {
      reset();
      return;
    }
    if (!(event.target as Element).matches('.chart')) return;
    const next = viewAfterKey(event, view, context, cursor.value?.time);
    if (next === undefined) return;
    event.preventDefault();
    show(next);
  };
  /** What a click opens: the day, or the month if a step is a week. */
  const opened = step === 'week' ? 'month' : 'day';
  const onOpen = (time: number) => {
    if (time > context.now) return;
    if (step === 'value' && pictureRange.to - pictureRange.from <= 26 * MILLISECONDS.hour) return;
    show(openedView(opened, time, context));
  };
  const hasDoubtful = charts.some(({ drawing }) =>
    drawing?.lines.some(({ doubtful }) => doubtful.length > 0),
  );
  const switches: ChartSwitch[] = [
    ...(charts.some((chart) => chart.usual !== undefined) || (!showsUsual && usual !== undefined)
      ? [{ label: text.charts.switches.usual, isOn: showsUsual, onChange: setShowsUsual }]
      : []),
    ...(hasYears ? [{ label: text.charts.switches.years, isOn: showsYears, onChange: setShowsYears }] : []),
    ...(hasDoubtful
      ? [{ label: text.charts.switches.doubtful, isOn: showsDoubtful, onChange: setShowsDoubtful }]
      : []),
  ];
  /** Whether the labels of the time axis stand below a chart: the first, the last, and the last of the main charts. */
  const hasTimes = (number: number) =>
    columns > 1 || number === 0 || number === charts.length - 1 || number === STACK - 1;

  return (
    <section
      id="charts"
      class="charts needs-script"
      aria-label={text.charts.title}
      ref={section}
      onKeyDown={onKeyDown}
    >
      <Toolbar
        {...{ view, context, range, switches }}
        rangeText={format.range(range, true)}
        onView={show}
        onSpan={chooseSpan}
      >
        <button type="button" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
          {text.charts.table.open}
        </button>
        <Download station={station.id} quantities={quantities} range={drawnRange} onPicture={onPicture} />
      </Toolbar>
      <Heading
        range={drawnRange}
        {...{ facts, step, isLoading, format }}
        isUntilLast={isSpan(view) && view.at === undefined && !follows}
      />
      {fault !== undefined && <Fault error={fault} retry={retry} />}
      {loadError !== undefined && <Fault error={loadError} retry={() => setLoadError(undefined)} />}
      {isTable && <ChartTable {...{ charts, format }} range={drawnRange} />}
      <div class="chart-grid" ref={grid} aria-busy={isLoading}>
        {charts.map((chart, number) =>
          chart.quantity.id === RAIN &&
          chart.drawing &&
          chart.drawing.times.length > 0 &&
          hasNoAmount(chart.drawing) &&
          (chart.ahead === undefined || hasNoAmount(chart.ahead.drawing)) ? (
            <NoRain
              key={chart.quantity.id}
              {...{ chart, station, format }}
              range={drawnRange}
              isLive={follows}
            />
          ) : (
            <Chart
              key={chart.quantity.id}
              {...{ chart, station, axis, isNarrow, showsDoubtful, format, cursor, width, onOpen }}
              range={pictureRange}
              hasTimes={hasTimes(number)}
              hasNeighbor={columns > 1}
              namedGaps={number === 0 ? [] : (charts[0]?.drawing?.lines[0]?.gaps ?? [])}
              onRange={({ from, to }) => {
                // Nothing is measured behind now.
                if (length === 0) show(selectedView({ from, to }));
                else if (from < context.now) show(selectedView({ from, to: Math.min(to, context.now) }));
              }}
              hrefOf={(time) => hrefOf(openedView(opened, time, context))}
              onReset={reset}
              announce={setAnnouncement}
            />
          ),
        )}
        <Tooltip {...{ charts, cursor, format }} />
      </div>
      {context.first !== undefined && inventory.variables.includes(TEMPERATURE) && (
        <Brush
          {...{ station, record, format }}
          range={range}
          width={columns > 1 ? width * columns : width}
          gutter={gutterOf(isNarrow)}
          onWindow={({ from, to }) => {
            const [first, last] = [from, to - 1].map((time) => localTime(time, station.time_zone).date);
            show(viewOfDates(first ?? '', last ?? '', context));
          }}
        />
      )}
      {forecast && length > 0 && <Attribution forecast={forecast} zone={station.time_zone} proof />}
      <p class="quiet chart-keys">
        <span class="with-mouse">{text.charts.keys}</span>
        <span class="with-touch">{text.charts.touch}</span>
      </p>
      <div class="hidden" aria-live="polite">
        {announcement}
      </div>
    </section>
  );
}

/** The width of a chart in pixels, and the number of columns of charts. */
function useWidth() {
  const grid = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, columns: 1 });
  useEffect(() => {
    const element = grid.current;
    if (element === null) return undefined;
    const measure = () => {
      const columns = getComputedStyle(element).gridTemplateColumns.split(' ').length;
      const width = element.querySelector('.chart')?.clientWidth ?? element.clientWidth;
      setSize((before) =>
        before.width === width && before.columns === columns ? before : { width, columns },
      );
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { grid, ...size };
}

/** The newest values since the last reply, in the order in which they came. */
function useNewest(latest: Newest, reply: unknown): readonly Newest[] {
  const known = useRef<{ reply: unknown; values: readonly Newest[] }>({ reply, values: [] });
  if (known.current.reply !== reply) known.current = { reply, values: [latest] };
  else if (known.current.values.at(-1) !== latest)
    known.current = { reply, values: [...known.current.values, latest] };
  return known.current.values;
}

/** The usual temperatures of all dates, or of the hours of the dates in a range, once they are wanted. */
function useUsual(station: Station, isWanted: boolean, hoursOf?: ShownRange) {
  const { api } = useSite();
  const dateOf = (time: number) => localTime(time, station.time_zone).date.slice(5);
  const query = {
    variables: TEMPERATURE,
    ...(hoursOf && { from: dateOf(hoursOf.from), to: dateOf(hoursOf.to - 1), by: 'hour' as const }),
  };
  return useReading(isWanted ? JSON.stringify([station.id, query]) : '', async (ending) =>
    isWanted
      ? api.get('/v1/stations/{id}/climate/usual', { path: { id: station.id }, query, signal: ending })
      : undefined,
  ).data;
}
