import type { components } from '../../../../clients/typescript/src/schema.js';

/**
 * The replies of the API that the site reads, with the types of the OpenAPI document. All values are in metric units; the
 * site converts them for display.
 */

type Schemas = components['schemas'];

/** Some fields of an object of a reply, which nobody changes. */
type Read<T, Name extends keyof T = keyof T> = {
  readonly [K in Name]: T[K] extends readonly (infer Item)[] ? readonly Item[] : T[K];
};

export type Station = Read<
  Schemas['Station'],
  'id' | 'name' | 'latitude' | 'longitude' | 'elevation' | 'time_zone' | 'reporting_interval'
>;

export type NewestValue = Read<Schemas['NewestValue'], 'time' | 'value' | 'verdict'>;

export type Newest = Readonly<Record<string, NewestValue>>;

export type RaisedAlarm = Read<Schemas['RaisedAlarm']>;

/** What the list shows of the local day of a station. */
export interface TodayRain {
  /** The local midnight. */
  readonly from: string;
  /** In mm. */
  readonly rain: number | null;
}

export interface LatestOfStation extends Read<Schemas['LatestOfStation'], 'last_seen'> {
  readonly station: Station;
  readonly latest: Newest;
  /** With `include=today`. */
  readonly today?: TodayRain;
  readonly alarms?: readonly RaisedAlarm[];
}

export interface LatestPage {
  readonly stations: readonly LatestOfStation[];
  readonly next: string | null;
}

export type Inventory = Read<Schemas['Inventory']>;

/** Reads the JSON of a route of the API: in the process of the service, or with `fetch`. */
export interface Api {
  /** @param signal ends a request of the browser early @throws ApiError */
  read(target: string, signal?: AbortSignal): Promise<unknown>;
  /** Reads a reply of any media type. Only browsers can. @throws ApiError */
  readonly file?: (target: string) => Promise<Blob>;
  /** Opens a stream of server-sent events. Only browsers can. @throws ApiError */
  readonly stream?: (target: string, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
}

/** What the loading of a page throws if another page belongs to its address. */
export class ShowInstead extends Error {
  /** The own path of that page. */
  readonly path: string;

  constructor(path: string) {
    super(`${path} is shown instead`);
    this.path = path;
  }
}

/** An error reply of the API. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The field `error` of the reply, or `UNREACHABLE` without a reply. */
  readonly code: string;
  readonly status: number;
  /** Seconds after which to try again (`Retry-After`); NaN if the reply does not say. */
  readonly retryAfter: number;

  constructor(code: string, status: number, message: string, retryAfter = Number.NaN) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** A path with its query; parameters that are undefined are left out. */
export function target(
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(
    parameters.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return search === '' ? path : `${path}?${search}`;
}

export function stationPath(id: string): string {
  return `/v1/stations/${encodeURIComponent(id)}`;
}
