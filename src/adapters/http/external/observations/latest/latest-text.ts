import type { KnownAlarms } from '#application/alarms/alarm-cache.js';
import type { Latest } from '#application/observations/read/get-latest.js';
import type { LatestPage } from '#application/observations/read/list-latest.js';
import { MILLISECONDS } from '#domain/time.js';
import type { DerivedQuantity } from '#domain/weather/derived/quantity.js';
import { verdictOf } from '#domain/weather/series.js';
import type { Station } from '#domain/weather/station.js';
import { shownIn } from '#domain/weather/units.js';
import { type Variable, VARIABLES } from '#domain/weather/variables.js';
import { TextWriter } from '#adapters/formats/text/text-writer.js';
import { toRaisedFields } from '../../alarms/alarm-fields.js';
import { envelopeStart } from '../../stations/station-content.js';
import { toDerivedFields } from './derived-fields.js';
import { toQualityFields } from './quality-fields.js';
import { toRecentFields } from './recent-fields.js';
import { toStationFields, toTime, toUnitFields, type ValueStyle } from '../weather-fields.js';

export const MESSAGE = 'Newest values.';

/** Caches the text of each station up to the field `last_seen`. A changed station is a new object, so the text is never outdated. */
const heads = new WeakMap<Station, string>();

/** The query parameters that determine which fields a reply has, and its units. */
export interface LatestStyle extends ValueStyle {
  readonly limit?: number | undefined;
  readonly include: Parameters<typeof toRecentFields>[1];
  /** Largest age of a value in seconds. */
  readonly max_age?: number | undefined;
  /** The raised alarms by number of the station. */
  readonly raised?: KnownAlarms['raised'];
  /** The work of quality control at the station; present if the request includes it. */
  readonly quality?: Parameters<typeof toQualityFields>[0] | undefined;
  /** Time of issue of the forecast of the station; null if there is none, undefined if the request does not include it. */
  readonly issued?: number | null | undefined;
}

/**
 * Writes the reply to `GET /v1/observations/latest` in pieces. Creating objects for JSON.stringify would take three times as
 * long.
 *
 * @param more further fields of each station as text, such as the fields that the parameter `include` adds; see `moreText`
 */
export function* latestText(
  { stations, next }: Pick<LatestPage, 'stations' | 'next'>,
  { limit, units: system, decimals, max_age: maxAge = Infinity }: LatestStyle,
  more: readonly string[],
): Generator<Buffer> {
  const writer = new TextWriter();
  const names = VARIABLES.map(({ name }) => `${JSON.stringify(name)}:{"time":"`);
  const converters = VARIABLES.map((variable) => shownIn(system, variable, decimals));
  const before = { ...envelopeStart(MESSAGE), units: toUnitFields(VARIABLES, system) };
  writer.text(`${JSON.stringify(before).slice(0, -1)},"stations":[`);
  const timeText = lastOf(toTime);
  const oldest = maxAge * MILLISECONDS.second;
  for (const [index, station] of stations.entries()) {
    const { station: of, distance, newest, asOf } = station;
    const lastSeen = newest.lastSeen === null ? 'null' : `"${timeText(newest.lastSeen)}"`;
    let latest = '';
    newest.each((number, time, value, flags) => {
      if (asOf - time > oldest) return;
      const position = INDICES[number] as number;
      // `+ 0` turns -0 into 0, because JSON has no -0.
      const converted = (converters[position] as (value: number) => number)(value) + 0;
      const verdict = flags === 0 ? 'pass' : verdictOf(flags);
      latest += `${latest === '' ? '' : ','}${names[position] as string}${timeText(time)}","value":${Number.isFinite(converted) ? converted : null},"age":${(asOf - time) / 1000},"verdict":"${verdict}"}`;
    });
    // One call of `text` writes the whole station, because a call takes as long as writing ten numbers.
    const end = more[index] ?? '';
    writer.text(`${index > 0 ? ',' : ''}${headOf(of, distance)}${lastSeen},"latest":{${latest}}${end}}`);
    if (writer.isFull) yield writer.take();
  }
  const after = { limit, next: next === null ? null : String(next) };
  writer.text(`],${JSON.stringify(after).slice(1)}`);
  yield writer.take();
}

/**
 * The text of the fields after `latest`: the fields that `include` adds, and the raised alarms. The text is empty or begins with
 * a comma.
 *
 * @param feelsLike the quantity `feels_like`
 */
export function moreText(
  latest: Latest,
  { include, raised, quality, issued, ...style }: LatestStyle,
  feelsLike: DerivedQuantity,
): string {
  const alarms = raised?.get(latest.station.number);
  if (include.length === 0 && alarms === undefined) return '';
  const { station, newest } = latest;
  const fields = {
    ...toRecentFields(latest, include, style, (variable) => newest.values.has(variable)),
    ...(include.includes('derived') &&
      toDerivedFields(station, (visit) => newest.each(visit), style, feelsLike)),
    ...(quality && toQualityFields(quality)),
    ...(issued !== undefined && { forecast_issued: issued === null ? null : toTime(issued) }),
    ...toRaisedFields(alarms, style.units),
  };
  const text = JSON.stringify(fields).slice(1, -1);
  return text === '' ? '' : `,${text}`;
}

/** Returns `toText` with a cache of the last text. Newest values often have the same time, even of different stations. */
function lastOf(toText: (time: number) => string): (time: number) => string {
  let [last, text] = [Number.NaN, ''];
  return (time) => {
    if (time !== last) [last, text] = [time, toText(time)];
    return text;
  };
}

/** For the number of each variable, the index of the variable in `VARIABLES`. */
const INDICES = indicesByNumber(VARIABLES);

function indicesByNumber(variables: readonly Variable[]): readonly number[] {
  const indices: number[] = [];
  for (const [index, { number }] of variables.entries()) indices[number] = index;
  return indices;
}

/**
 * The text `{"station":{…},"last_seen":` of a station.
 *
 * @param distance distance from the point near which stations are searched; undefined without such a point. Only the text
 *   without a distance is cached
 */
function headOf(station: Station, distance: number | undefined): string {
  if (distance !== undefined) return writeHead(station, distance);
  let head = heads.get(station);
  if (head === undefined) heads.set(station, (head = writeHead(station, undefined)));
  return head;
}

function writeHead(station: Station, distance: number | undefined): string {
  return `{"station":${JSON.stringify(toStationFields({ station, ...(distance !== undefined && { distance }) }))},"last_seen":`;
}
