import type { KnownAlarms } from '#application/alarms/alarm-cache.js';
import type { Latest } from '#application/observations/read/get-latest.js';
import type { LatestPage } from '#application/observations/read/list-latest.js';
import { MILLISECONDS } from '#domain/time.js';
import { verdictOf } from '#domain/weather/series.js';
import type { Station } from '#domain/weather/station.js';
import { converter, unitIn, type UnitSystem } from '#domain/weather/units.js';
import { type Variable, VARIABLES } from '#domain/weather/variables.js';
import { TextWriter } from '#adapters/formats/text/text-writer.js';
import { toRaisedFields } from '../../alarms/alarm-fields.js';
import { envelopeStart } from '../../stations/station-content.js';
import { toRecentFields } from './recent-fields.js';
import { toStationFields, toTime, toUnitFields } from '../weather-fields.js';

export const MESSAGE = 'Newest values.';

/**
 * Caches the text of each station up to `last_seen`. After a change, a station is a new object, so it is written again.
 */
const heads = new WeakMap<Station, string>();

/** The query parameters that determine how a page is written. */
export interface LatestStyle {
  readonly limit?: number | undefined;
  readonly units: UnitSystem;
  readonly include: Parameters<typeof toRecentFields>[1];
  /** In seconds. */
  readonly max_age?: number | undefined;
  /** The raised alarms by number of the station. */
  readonly raised?: KnownAlarms['raised'];
}

/**
 * The reply to `GET /v1/observations/latest` in pieces. Making objects and JSON.stringify would take three times as
 * long.
 *
 * @param more `moreText` of each station
 */
export function* latestText(
  { stations, next }: Pick<LatestPage, 'stations' | 'next'>,
  { limit, units: system, max_age: maxAge = Infinity }: LatestStyle,
  more: readonly string[],
): Generator<Buffer> {
  const writer = new TextWriter();
  const names = VARIABLES.map(({ name }) => `${JSON.stringify(name)}:{"time":"`);
  const converters = VARIABLES.map((variable) => converter(variable, unitIn(system, variable), 'unit'));
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
      const place = PLACES[number] as number;
      // JSON has no -0.
      const converted = (converters[place] as (value: number) => number)(value) + 0;
      const verdict = flags === 0 ? 'pass' : verdictOf(flags);
      latest += `${latest === '' ? '' : ','}${names[place] as string}${timeText(time)}","value":${Number.isFinite(converted) ? converted : null},"age":${(asOf - time) / 1000},"verdict":"${verdict}"}`;
    });
    // One call for each station, because a call that writes into the bytes costs as much as ten numbers.
    const end = more[index] ?? '';
    writer.text(`${index > 0 ? ',' : ''}${headOf(of, distance)}${lastSeen},"latest":{${latest}}${end}}`);
    if (writer.isFull) yield writer.take();
  }
  const after = { limit, next: next === null ? null : String(next) };
  writer.text(`],${JSON.stringify(after).slice(1)}`);
  yield writer.take();
}

/** The fields of a station after `latest`, each with a comma before it: what is included, and the alarms that are raised. */
export function moreText(latest: Latest, { include, units, raised }: LatestStyle): string {
  const alarms = raised?.get(latest.station.number);
  if (include.length === 0 && alarms === undefined) return '';
  const fields = { ...toRecentFields(latest, include, units), ...toRaisedFields(alarms, units) };
  const text = JSON.stringify(fields).slice(1, -1);
  return text === '' ? '' : `,${text}`;
}

/** Caches the last text, because newest values often have the same time, also those of different stations. */
function lastOf(toText: (time: number) => string): (time: number) => string {
  let [last, text] = [Number.NaN, ''];
  return (time) => {
    if (time !== last) [last, text] = [time, toText(time)];
    return text;
  };
}

/** Index in the catalogue by number of variable. */
const PLACES = placesOf(VARIABLES);

function placesOf(variables: readonly Variable[]): readonly number[] {
  const places: number[] = [];
  for (const [place, { number }] of variables.entries()) places[number] = place;
  return places;
}

/** `{"station":{…},"last_seen":` */
function headOf(station: Station, distance: number | undefined): string {
  if (distance !== undefined) return makeHead(station, distance);
  let head = heads.get(station);
  if (head === undefined) heads.set(station, (head = makeHead(station, undefined)));
  return head;
}

function makeHead(station: Station, distance: number | undefined): string {
  return `{"station":${JSON.stringify(toStationFields({ station, ...(distance !== undefined && { distance }) }))},"last_seen":`;
}
