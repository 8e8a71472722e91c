import { GetForecast } from '#application/forecast/read/get-forecast.js';
import type { StationSnapshot } from '#application/observations/read/describe-station.js';
import type { Permit } from '#application/observations/read/gate/permit.js';
import { ReadMany } from '#application/observations/read/many/read-many.js';
import { SummarizeMany } from '#application/observations/read/many/summarize-many.js';
import { ROW_LIMITS } from '#application/observations/read/read-observations.js';
import type { UseCaseOf } from '#application/use-cases.js';
import { isDomainError } from '#domain/domain-error.js';
import { FORECAST_VARIABLES } from '#domain/forecast/forecast-variables.js';
import { suggestion } from '#domain/nearest-name.js';
import { quoted } from '#domain/quoted.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Series } from '#domain/weather/series.js';
import type { Audience } from '#domain/weather/stations/audience.js';
import type { Station } from '#domain/weather/station.js';
import type { Completeness } from '#domain/weather/summaries/completeness.js';
import type { Statistics } from '#domain/weather/summaries/statistics.js';
import { type Variable, variableNumbered } from '#domain/weather/variables.js';
import type { TextColumn } from '#adapters/formats/text/text-column.js';
import { toColumns } from '../observations/get-observations.js';
import { rounded } from '../observations/summaries/summary-fields.js';
import { invalid, tooLarge } from './ogc-error.js';
import {
  ALL_PARAMETERS,
  forecastParameter,
  observationParameter,
  type Parameter,
  summaryParameters,
} from './parameters.js';
import type { DataQuery } from './query-fields.js';

/** Values of one station. */
export interface StationValues {
  readonly station: Station;
  /** Consecutive pieces of the rows. */
  readonly parts: readonly Series[];
  readonly columns: readonly TextColumn[];
  readonly parameters: readonly Parameter[];
  /** For intervals: their start and end, two numbers for each row, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly bounds?: Float64Array;
  /** Must be shown wherever the values are shown. */
  readonly attribution?: { readonly text: string; readonly url: string };
}

/** A collection of values. */
export interface ValueCollection {
  readonly title: string;
  readonly description: string;
  /** The parameters that stations with these variables can have. */
  parametersOf(variables: readonly Variable[]): readonly Parameter[];
  /**
   * Whether the versions of the stations say when the values change. Otherwise the values are read to find out whether a client has
   * the current version.
   */
  readonly isVersioned: boolean;
  /**
   * Reads the values of stations.
   *
   * @throws ProtocolError for an unknown parameter, and for too many values; DomainError as the use-cases
   */
  read(
    stations: readonly StationSnapshot[],
    query: DataQuery,
    permit: Permit,
    audience: Audience,
  ): Promise<readonly StationValues[]>;
}

export type ValueCollectionId = keyof typeof ALL_PARAMETERS;

/** The collections of values, by id. */
export function valueCollections(useCase: UseCaseOf): Readonly<Record<ValueCollectionId, ValueCollection>> {
  return {
    observations: observations(useCase),
    summaries: summaries(useCase),
    forecast: forecast(useCase),
  };
}

function observations(useCase: UseCaseOf): ValueCollection {
  const readMany = useCase(ReadMany);
  return {
    title: 'Observations',
    description:
      'Values as the stations have reported them. Values that did not pass quality control are omitted unless `qc=all`. The time of a ' +
      'value that describes an interval is its end.',
    parametersOf: (variables) => variables.map(observationParameter),
    isVersioned: true,
    read: async (stations, query, permit) => {
      const variables = namesIn(query, 'observations');
      const input = {
        ...rangeOf(query),
        last: undefined,
        variables,
        quality: query.qc,
        limit: ROW_LIMITS.max,
        points: undefined,
        cursor: undefined,
      };
      const page = await readMany.execute(stations, input, permit);
      if (page.next !== null)
        throw tooLarge(
          `The reply would have more than ${ROW_LIMITS.max} rows. Ask for a shorter datetime or for fewer stations.`,
        );
      return page.stations.map(({ station, parts, variables: found }) => ({
        station,
        parts,
        columns: toColumns(found, { units: 'metric' }, false),
        parameters: found.map(observationParameter),
      }));
    },
  };
}

function summaries(useCase: UseCaseOf): ValueCollection {
  const summarizeMany = useCase(SummarizeMany);
  return {
    title: 'Summaries',
    description:
      'Minima, maxima, means and sums of calendar intervals in the time zone of each station; `interval` is their length. The time of a ' +
      'summary is its start, and the bounds of the time axis are its start and end. Summaries that are not valid are omitted unless `qc=all`.',
    parametersOf: (variables) => variables.flatMap((variable) => summaryParameters(variable, 'day')),
    isVersioned: true,
    read: async (stations, query, permit) => {
      const { qc, interval } = query;
      const named = namesIn(query, 'summaries');
      const input = {
        ...rangeOf(query),
        last: undefined,
        interval,
        timeZone: 'station',
        dayStart: 0,
        variables: named && [...new Set(named.map((name) => name.slice(0, name.lastIndexOf('.'))))],
        quality: qc,
      };
      const found = await summarizeMany.execute(stations, input, permit);
      return found.stations.map(({ station, variables, rows }) => {
        const parameters = variables.flatMap((variable, index) =>
          summaryParameters(variable, interval)
            .filter(({ name }) => named === undefined || named.includes(name))
            .map((parameter) => ({ parameter, index, values: [] as number[] })),
        );
        const [times, bounds]: [number[], number[]] = [[], []];
        for (const { start, end, statistics, completeness } of rows) {
          times.push(start);
          bounds.push(start, end);
          for (const { parameter, index, values } of parameters) {
            const { valid } = completeness[index] as Completeness;
            const value = (statistics[index] as Statistics)[parameter.statistic];
            values.push(qc === 'pass' && valid === false ? Number.NaN : rounded(value));
          }
        }
        return {
          station,
          ...asSeries(
            times,
            parameters.map(({ parameter, values }) => ({ parameter, values })),
          ),
          bounds: Float64Array.from(bounds),
        };
      });
    },
  };
}

/** Estimated number of values of a forecast: ten days of hours. */
const CELLS_OF_FORECAST = 240 * FORECAST_VARIABLES.length;

function forecast(useCase: UseCaseOf): ValueCollection {
  const getForecast = useCase(GetForecast);
  return {
    title: 'Forecasts',
    description:
      'The newest forecast of each station that has one: corrected values where they are better, otherwise the values of the provider. ' +
      'Amounts, chances and maxima are of the hour that ends at the time, `_6h` of six hours.',
    parametersOf: () => ALL_PARAMETERS.forecast,
    isVersioned: false,
    read: async (stations, query, permit, audience) => {
      const named = namesIn(query, 'forecast');
      const { from, to } = rangeOf(query);
      const all: StationValues[] = [];
      await permit.acquire(stations.length * CELLS_OF_FORECAST);
      for (const { station } of stations) {
        permit.signal?.throwIfAborted();
        // oxlint-disable-next-line no-await-in-loop -- one station after the other, so that memory is bounded
        const shown = await getForecast.execute(station.id, undefined, audience).catch((error: unknown) => {
          if (isDomainError(error, 'FORECAST_UNKNOWN')) return undefined;
          throw error;
        });
        if (shown === undefined) continue;
        const { issued, times } = shown.forecast;
        const begin = Math.max(from ?? -Infinity, Math.floor(issued / MILLISECONDS.hour) * MILLISECONDS.hour);
        const rows = [...times.keys()].filter(
          (row) => (times[row] as number) >= begin && (times[row] as number) < (to ?? Infinity),
        );
        const columns = FORECAST_VARIABLES.filter(({ name }) => named?.includes(name) ?? true).flatMap(
          (variable) => {
            const column = shown.published.get(variable.number);
            const parameter = forecastParameter(variable);
            return column === undefined
              ? []
              : [{ parameter, values: rows.map((row) => column[row] ?? Number.NaN) }];
          },
        );
        const { attribution } = shown.provider;
        const values = asSeries(
          rows.map((row) => times[row] as number),
          columns,
        );
        all.push({ station: shown.station, ...values, attribution });
      }
      return all;
    },
  };
}

/** The requested names of parameters. @throws ProtocolError for a name that the collection does not have */
function namesIn(query: DataQuery, collection: ValueCollectionId): readonly string[] | undefined {
  const named = query['parameter-name'] ?? query.parameter_names;
  const known = ALL_PARAMETERS[collection].map(({ name }) => name);
  const unknown = named?.find((name) => !known.includes(name));
  if (unknown === undefined) return named;
  throw invalid(
    `parameter-name: The collection ${collection} has no parameter ${quoted(unknown)}.${suggestion(unknown, known)}`,
  );
}

/** The range of a query without its end, as use-cases have it. `datetime` has its end, in whole milliseconds. */
function rangeOf({ datetime }: DataQuery) {
  const { from, to } = datetime ?? {};
  return { from, to: to === undefined ? undefined : to + 1, timeZone: 'UTC' };
}

/** Rows from columns of numbers. The number of a column is the index of its parameter in the list of the collection. */
function asSeries(
  times: readonly number[],
  columns: readonly { readonly parameter: Parameter; readonly values: readonly number[] }[],
): Pick<StationValues, 'parts' | 'columns' | 'parameters'> {
  const keyed = columns.map(({ parameter, values }) => ({
    parameter,
    values,
    number: keyOf(parameter.name),
  }));
  const values = new Map(keyed.map((column) => [column.number, Float64Array.from(column.values)]));
  return {
    parts: times.length === 0 ? [] : [{ times: Float64Array.from(times), values, flags: new Map() }],
    columns: keyed.map(({ number, parameter: { name } }) => ({ number, name })),
    parameters: columns.map(({ parameter }) => parameter),
  };
}

/** A number for each name of summaries and forecasts, so that the columns of all stations of a reply have the same numbers. */
const KEYS = new Map(
  [...ALL_PARAMETERS.summaries, ...ALL_PARAMETERS.forecast].map(({ name }, index) => [name, index]),
);
const keyOf = (name: string) => KEYS.get(name) as number;

/** The variables of a station, for `ValueCollection.parametersOf`. */
export function variablesOf({ inventory }: Pick<StationSnapshot, 'inventory'>): readonly Variable[] {
  return inventory.variables.map(variableNumbered);
}
