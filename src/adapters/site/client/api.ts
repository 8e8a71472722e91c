import type { Requests } from '../../../../clients/typescript/src/requests.js';
import type { components } from '../../../../clients/typescript/src/schema.js';

export { targetOf } from '../../../../clients/typescript/src/target.js';
export { WeatherdError } from '../../../../clients/typescript/src/requests.js';
export type * from '../../../../clients/typescript/src/types.js';

/**
 * The replies of the API that the site reads have the types of the OpenAPI document. All values are in metric units; the site
 * converts them for display.
 */
export type Schemas = components['schemas'];

export type Station = Pick<
  Schemas['Station'],
  'id' | 'name' | 'latitude' | 'longitude' | 'elevation' | 'time_zone' | 'reporting_interval'
>;
export type Inventory = Schemas['Inventory'];
export type RaisedAlarm = Schemas['RaisedAlarm'];
/** Without the age, which the pages compute. */
export type NewestValue = Omit<Schemas['NewestValue'], 'age'>;
export type Newest = Readonly<Record<string, NewestValue>>;
/** What the list shows of the local day of a station. */
export type TodayRain = Pick<Schemas['Today'], 'from' | 'rain'>;

/** Reads the API: in the process of the service, or with the client in the browser. */
export interface ApiClient {
  /** @throws WeatherdError, or in the service an error with such a `code` */
  readonly get: Requests['get'];
  /** A reply of any media type. Only browsers can read it. @throws WeatherdError */
  readonly response?: Requests['response'];
}

/** What the loading of a page throws if another page belongs to its address. */
export class Redirect extends Error {
  /** The own path of that page. */
  readonly path: string;

  constructor(path: string) {
    super(`${path} is shown instead`);
    this.path = path;
  }
}

/** Whether an error says that the service is away: there was no reply, or one of a proxy. @param error of any kind */
export function isAway(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 'UNREACHABLE' || code === 'UNREADABLE';
}
