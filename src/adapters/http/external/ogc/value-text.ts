import type { TextPiece } from '#adapters/formats/text/text-piece.js';
import { pointFeature } from '#adapters/formats/geojson/feature-collection.js';
import { csvHeading, csvRows } from '#adapters/formats/text/observation-text.js';
import type { TextColumn } from '#adapters/formats/text/text-column.js';
import { toTime } from '../observations/weather-fields.js';
import type { StationValues } from './edr-collections.js';
import { type Parameter, writeParameter } from './parameters.js';
import { CRS84 } from './query-fields.js';

/** The addresses of a collection. */
export interface Home {
  /** Address of the collection. */
  readonly home: string;
  /** Address of the values of a station. */
  readonly locationOf: (id: string) => string;
}

const REFERENCING = [
  { coordinates: ['x', 'y'], system: { type: 'GeographicCRS', id: CRS84 } },
  { coordinates: ['t'], system: { type: 'TemporalRS', calendar: 'Gregorian' } },
];

const text = (content: string): TextPiece => ({ kind: 'text', text: content });

export function rowsOf({ parts }: Pick<StationValues, 'parts'>): number {
  return parts.reduce((sum, { times }) => sum + times.length, 0);
}

/** Number of values in a reply. */
export function countValues(all: readonly StationValues[]): number {
  return all.reduce((sum, values) => sum + rowsOf(values) * (values.columns.length + 1), 0);
}

/** The parameters of all stations, each once. */
export function parametersIn(all: readonly StationValues[]): readonly Parameter[] {
  return [...new Map(all.flatMap(({ parameters }) => parameters.map((one) => [one.name, one]))).values()];
}

/**
 * Writes CoverageJSON 1.0: a coverage of the domain type `PointSeries` for each station that has rows.
 *
 * @param isSingle whether the reply to one station is its coverage. Without rows it is an empty collection too, because an axis of
 *   CoverageJSON needs a value
 */
export function* coverageJson(
  all: readonly StationValues[],
  { home, locationOf }: Home,
  isSingle: boolean,
): Generator<TextPiece> {
  const filled = all.filter((values) => rowsOf(values) > 0);
  const parameters = JSON.stringify(
    Object.fromEntries(
      parametersIn(filled).map((one) => [one.name, writeParameter(one, home, 'coverage')] as const),
    ),
  );
  const referencing = JSON.stringify(REFERENCING);
  const [only] = filled;
  if (isSingle && only !== undefined) {
    yield* coverage(only, locationOf, `,"referencing":${referencing}`, `,"parameters":${parameters}`);
    return;
  }
  yield text(
    `{"type":"CoverageCollection","domainType":"PointSeries","parameters":${parameters},"referencing":${referencing},"coverages":[`,
  );
  for (const [index, values] of filled.entries()) {
    if (index > 0) yield text(',');
    yield* coverage(values, locationOf, '', '');
  }
  yield text(']}');
}

function* coverage(
  values: StationValues,
  locationOf: Home['locationOf'],
  referencing: string,
  parameters: string,
): Generator<TextPiece> {
  const { station, parts, columns, bounds, attribution } = values;
  // The rows are counted first, because a column has the length 0 after its transfer to another thread.
  const lengths = parts.map(({ times }) => times.length);
  const rows = rowsOf(values);
  const [x, y] = pointFeature(station.id, station).geometry.coordinates;
  const about = {
    type: 'Coverage',
    id: locationOf(station.id),
    title: { en: station.name },
    ...(attribution && { attribution }),
  };
  yield text(
    `${JSON.stringify(about).slice(0, -1)},"domain":{"type":"Domain","domainType":"PointSeries","axes":{"x":{"values":[${x}]},"y":{"values":[${y}]},"t":{"values":[`,
  );
  yield { kind: 'times', parts: parts.map(({ times }) => times), format: 'iso' };
  yield text(']');
  if (bounds !== undefined) {
    yield text(',"bounds":[');
    yield { kind: 'times', parts: [bounds], format: 'iso' };
    yield text(']');
  }
  yield text(`}}${referencing}}${parameters},"ranges":{`);
  for (const [index, column] of columns.entries()) {
    const range = { type: 'NdArray', dataType: 'float', axisNames: ['t'], shape: [rows] };
    yield text(
      `${index > 0 ? ',' : ''}${JSON.stringify(column.name)}:${JSON.stringify(range).slice(0, -1)},"values":[`,
    );
    const own = parts.map((part, at) => part.values.get(column.number) ?? (lengths[at] as number));
    yield { kind: 'values', parts: own, column };
    yield text(']}');
  }
  yield text('}}');
}

/**
 * Writes CSV: a line for each station and time. Its columns are the station, its position, the time, the parameters of all stations,
 * and the verdicts of values that did not pass quality control.
 */
export function* valueCsv(all: readonly StationValues[]): Generator<TextPiece> {
  const columns = [
    ...new Map(all.flatMap((values) => values.columns.map((column) => [column.name, column]))).values(),
  ] as readonly TextColumn[];
  yield csvHeading(columns, ['station', 'longitude', 'latitude']);
  for (const { station, parts } of all) {
    const [x, y] = pointFeature(station.id, station).geometry.coordinates;
    yield* csvRows({ parts, columns, format: 'iso' }, `${station.id},${x},${y},`);
  }
}

/** Writes GeoJSON: a feature for each station and time, whose properties are the values. One text for each feature. */
export function* valueGeoJson(
  all: readonly StationValues[],
  { home, locationOf }: Home,
  links: readonly object[],
  now: number,
): Generator<string> {
  const before = {
    type: 'FeatureCollection',
    timeStamp: toTime(now),
    numberReturned: all.reduce((sum, values) => sum + rowsOf(values), 0),
    parameters: parametersIn(all).map((one) => writeParameter(one, home, 'coverage')),
    links,
  };
  yield `${JSON.stringify(before).slice(0, -1)},"features":[`;
  let separator = '';
  for (const { station, parts, columns, bounds, attribution } of all) {
    const { type, geometry } = pointFeature(station.id, station);
    const about = {
      label: station.name,
      'parameter-name': columns.map(({ name }) => name),
      edrqueryendpoint: locationOf(station.id),
      station: station.id,
      ...(attribution && { attribution: `${attribution.text} (${attribution.url})` }),
    };
    let rows = 0;
    for (const { times, values } of parts)
      for (const [row, time] of times.entries()) {
        const start = toTime(time);
        const datetime = bounds === undefined ? start : `${start}/${toTime(bounds[2 * rows + 1] as number)}`;
        const shown = Object.fromEntries(
          columns.map(({ name, number }) => [name, values.get(number)?.[row] ?? null] as const),
        );
        const properties = { datetime, ...about, ...shown };
        yield separator + JSON.stringify({ type, id: `${station.id}/${start}`, geometry, properties });
        separator = ',';
        rows += 1;
      }
  }
  yield ']}';
}
