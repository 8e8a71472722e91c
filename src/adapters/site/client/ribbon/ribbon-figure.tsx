import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '../api.js';
import { Attribution } from '../forecast/attribution.js';
import { sectorIndex } from '../format/wind.js';
import type { Now } from '../now/read-now.js';
import { useAmountFormat } from '../now/reading.js';
import { useWidth } from '../sections/use-width.js';
import { useSite } from '../site-context.js';
import { textWidth } from './labels.js';
import { pagePaint, type Role } from './paint.js';
import { Ribbon } from './ribbon.js';
import { hasBounds, type Reading, readingAt, ribbonDataOf, timeAfterKey } from './ribbon-data.js';
import {
  type Percentiles,
  type RibbonBox,
  type RibbonData,
  type RibbonForecast,
  type RibbonFormat,
  type RibbonModel,
  ribbonModel,
} from './ribbon-model.js';
import { useRibbonFormat } from './use-ribbon-format.js';

/** The two pictures of the first screen. The style sheet shows one of them, until the page knows its width. */
const WIDE: RibbonBox = { width: 1200, height: 320, gutter: 48, type: 14 };
const NARROW: RibbonBox = { width: 360, height: 320, gutter: 0, type: 14 };
/** In a figure of at least this width, there is room for the names of the axes. */
const WIDE_FROM = 640;

/**
 * The picture of the last 24 hours: temperature, rain, wind, sun, and the usual range. A cursor follows the pointer and the arrow
 * keys, and a live region says what the cursor shows.
 */
export function RibbonFigure({
  station,
  now,
  isOld = false,
}: {
  readonly station: Station;
  readonly now: Now;
  /** Whether the page shows a time of the past, so that the picture has no mark of the current time. */
  readonly isOld?: boolean;
}) {
  const site = useSite();
  const format = useRibbonFormat(station.time_zone);
  const describe = useDescription(format);
  const [figure, width] = useWidth<HTMLElement>();
  const [cursor, setCursor] = useState<number>();
  const [isByKey, setByKey] = useState(false);
  const minute = Math.floor(site.now / MILLISECONDS.minute) * MILLISECONDS.minute;
  const data = useMemo(() => ribbonDataOf(station, now, minute, isOld), [station, now, minute, isOld]);
  const boxes = width === 0 ? [WIDE, NARROW] : [boxOf(width)];
  const models = useMemo(
    () => boxes.map((box) => data && ribbonModel(data, box, format)),
    [data, width, site.preferences],
  );
  if (data === undefined || (data.temperature === undefined && data.hours.length === 0)) return null;
  const reading = cursor === undefined ? undefined : readingAt(data, cursor);
  const lines = reading && describe.reading(reading);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') setCursor(undefined);
    const next = timeAfterKey(event, cursor, data);
    if (next === undefined) return;
    event.preventDefault();
    setByKey(true);
    setCursor(next);
  };
  const onPointer = (event: PointerEvent, model: RibbonModel): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * model.box.width;
    setByKey(false);
    setCursor(x < model.plot.left ? undefined : Math.min(Math.max(model.timeAt(x), data.from), data.to));
  };
  const { label, labelAhead } = site.text.ribbon;
  return (
    <figure class="ribbon" ref={figure}>
      <div
        class="ribbon-picture"
        role="group"
        tabIndex={0}
        aria-label={`${data.forecast ? labelAhead : label}. ${describe.summary(data)}`}
        onKeyDown={onKeyDown}
        onBlur={() => setCursor(undefined)}
      >
        {models.map(
          (model, index) =>
            model !== undefined && (
              <div
                key={index === 0 && boxes.length === 1 ? 'fitting' : index}
                class={boxes.length === 1 ? undefined : ['wide', 'narrow'][index]}
                onPointerMove={(event) => onPointer(event, model)}
                onPointerLeave={() => setCursor(undefined)}
              >
                <Ribbon model={model} id={`ribbon-${index}`}>
                  {reading && lines && <Cursor model={model} reading={reading} lines={lines} />}
                </Ribbon>
              </div>
            ),
        )}
      </div>
      <p class="hidden" aria-live="polite">
        {isByKey && lines?.join(', ')}
      </p>
      <Legend station={station} now={now} data={data} />
    </figure>
  );
}

/** The keys of the lines and bands, and the provider of the forecast. */
function Legend({
  station,
  now: { usual, forecast },
  data,
}: {
  readonly station: Station;
  readonly now: Now;
  readonly data: RibbonData;
}) {
  const { legend } = useSite().text.ribbon;
  if (usual === undefined && data.lastYear === undefined && data.forecast === undefined) return null;
  return (
    <figcaption class="quiet">
      {data.forecast && (
        <>
          <Key line="temperature">{legend.measured}</Key>
          <Key line="forecast" band="forecastBand">
            {hasBounds(data.forecast) ? legend.forecastBounds : legend.forecast}
          </Key>
        </>
      )}
      {usual && (
        <Key line="median" band="usual">
          {legend.usual(String(usual.since ?? ''))}
        </Key>
      )}
      {!usual && data.lastYear && <Key line="lastYear">{legend.lastYear}</Key>}
      {data.forecast && forecast && <Attribution forecast={forecast} zone={station.time_zone} proof />}
    </figcaption>
  );
}

function Key({
  line,
  band,
  children,
}: {
  readonly line: Role;
  readonly band?: Role;
  readonly children: ComponentChildren;
}) {
  return (
    <span class="key">
      <svg viewBox="0 0 24 12" width="24" height="12" aria-hidden="true">
        {band && <rect width="24" height="12" {...pagePaint(band)} />}
        <path d="M0 6H24" {...pagePaint(line)} />
      </svg>{' '}
      {children}
    </span>
  );
}

function boxOf(width: number): RibbonBox {
  const isWide = width >= WIDE_FROM;
  return { width, height: 320, gutter: isWide ? 48 : 0, type: 14 };
}

/** A line through the picture, and a box with the values beside it. */
function Cursor({
  model,
  reading,
  lines,
}: {
  readonly model: RibbonModel;
  readonly reading: Reading;
  readonly lines: readonly string[];
}) {
  const em = model.box.type;
  const shownTemperature = reading.temperature ?? reading.forecast?.p50;
  const x = Math.round(model.xOf(reading.time)) + 0.5;
  const width = Math.max(...lines.map((line, index) => textWidth(line, em, index < 2))) + em;
  const isLeft = x + em + width > model.plot.right;
  const left = isLeft ? Math.max(model.plot.left, x - em * 0.7 - width) : x + em * 0.7;
  const top = em * 2.4;
  return (
    <g>
      <path d={`M${x} ${em * 2}V${model.plot.bottom}`} {...pagePaint('cursor')} />
      {shownTemperature !== undefined && (
        <circle cx={x} cy={model.yOf(shownTemperature)} r={em * 0.32} {...pagePaint('dot')} />
      )}
      <rect
        x={left}
        y={top}
        width={width}
        height={lines.length * em * 1.4 + em * 0.5}
        rx={em / 3.5}
        {...pagePaint('tooltip')}
      />
      {lines.map((line, index) => (
        <text
          key={line}
          x={left + em / 2}
          y={top + em * 1.3 + index * em * 1.4}
          {...pagePaint(index < 2 ? 'label' : 'text')}
        >
          {line}
        </text>
      ))}
    </g>
  );
}

/** Returns functions that say in words what the picture shows. */
function useDescription(format: RibbonFormat): {
  readonly summary: (data: RibbonData) => string;
  readonly reading: (reading: Reading) => readonly string[];
} {
  const { text } = useSite();
  const amount = useAmountFormat();
  const { summary, cursor } = text.ribbon;
  const degrees = (celsius: number) => amount('air_temperature', '°C', celsius);
  const valueOf = (celsius: number | undefined) => (celsius === undefined ? cursor.none : degrees(celsius));
  const summaryAhead = ({ temperature, hours }: RibbonForecast) => {
    const rain = hours.reduce((sum, hour) => sum + (hour.rain ?? 0), 0);
    const [first] = temperature;
    if (first === undefined) return summary.rainAhead(amount('precipitation_amount', 'mm', rain));
    const highest = temperature.reduce((best, hour) => (hour.p50 > best.p50 ? hour : best), first);
    const lowest = temperature.reduce((best, hour) => (hour.p50 < best.p50 ? hour : best), first);
    const at = ({ time }: Percentiles) => `${format.weekday(time)} ${format.time(time)}`;
    return summary.ahead(
      degrees(highest.p50),
      at(highest),
      degrees(lowest.p50),
      at(lowest),
      amount('precipitation_amount', 'mm', rain),
    );
  };
  return {
    summary: ({ temperature, hours, from, forecast }) => {
      const { times = [], values = [] } = temperature ?? {};
      const [highest, lowest] = [Math.max(...values), Math.min(...values)];
      const timeOf = (value: number) =>
        format.time((times[values.indexOf(value)] ?? 0) * MILLISECONDS.second);
      const known = hours.filter(
        ({ rain, start }) => typeof rain === 'number' && start + MILLISECONDS.hour > from,
      );
      const sum = known.reduce((total, { rain }) => total + (rain ?? 0), 0);
      const rain = sum > 0 ? summary.rain(amount('precipitation_amount', 'mm', sum)) : summary.noRain;
      return [
        values.length > 0 &&
          summary.extremes(degrees(highest), timeOf(highest), degrees(lowest), timeOf(lowest)),
        known.length > 0 && rain,
        forecast !== undefined && summaryAhead(forecast),
        summary.keys,
      ]
        .filter(Boolean)
        .join(' ');
    },
    reading: ({ time, temperature, usual, hour, forecast, isForecast }) => [
      `${format.day(time)} ${format.time(time)}${isForecast ? `, ${cursor.forecast}` : ''}`,
      valueOf(temperature ?? forecast?.p50),
      ...(forecast !== undefined && forecast.p10 < forecast.p90
        ? [cursor.bounds(format.temperature(forecast.p10), format.temperature(forecast.p90))]
        : []),
      ...(usual === undefined
        ? []
        : [cursor.usual(format.temperature(usual.p10), format.temperature(usual.p90))]),
      ...(hour !== undefined && typeof hour.speed === 'number'
        ? [
            cursor
              .wind(
                amount('wind_speed', 'm/s', hour.speed),
                typeof hour.direction === 'number' ? (text.sectors[sectorIndex(hour.direction)] ?? '') : '',
              )
              .trim(),
          ]
        : []),
      ...(hour?.rain
        ? [
            cursor.rain(
              amount('precipitation_amount', 'mm', hour.rain),
              format.time(hour.start),
              format.time(hour.start + MILLISECONDS.hour),
            ),
          ]
        : []),
    ],
  };
}
