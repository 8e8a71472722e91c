import type { Requests } from '../../../../clients/typescript/src/requests.js';
import type { components } from '../../../../clients/typescript/src/schema.js';

import type { Reply } from '../../../../clients/typescript/src/types.js';

export { targetOf } from '../../../../clients/typescript/src/target.js';
export { WeatherdError } from '../../../../clients/typescript/src/requests.js';
export type * from '../../../../clients/typescript/src/types.js';

/**
 * Types of the replies of the API, generated from the OpenAPI document. All values are in metric units; the site converts these
 * values for display.
 */
export type Schemas = components['schemas'];

export type Station = Pick<
  Schemas['Station'],
  'id' | 'name' | 'latitude' | 'longitude' | 'elevation' | 'time_zone' | 'reporting_interval' | 'recorded'
>;
export type Inventory = Schemas['Inventory'];
export type RaisedAlarm = Schemas['RaisedAlarm'];
/** The newest value of a variable. It has no age, because the pages compute ages. */
export type NewestValue = Omit<Schemas['NewestValue'], 'age'>;
export type Newest = Readonly<Record<string, NewestValue>>;
/** The parts that `include` adds to newest values and to events. */
export type RecentParts = Partial<
  Pick<Reply<'/v1/stations/{id}/observations/latest', 'get'>, 'today' | 'trend' | 'rain'>
>;
/** The rain of the current local day of a station, and the start of this day. */
export type TodayRain = Pick<Schemas['Today'], 'from' | 'rain'>;

/**
 * Reads the API. The server that renders pages has an implementation that calls the API without HTTP. The implementation in the
 * browser is the TypeScript client.
 */
export interface ApiClient {
  /** @throws WeatherdError in the browser; on the server that renders the page, another error with the same `code` */
  readonly get: Requests['get'];
  /**
   * A function that requests a reply of any media type. It exists only in the browser. On the server that renders the page it is
   * undefined, because only browsers read such replies.
   *
   * @throws WeatherdError
   */
  readonly response?: Requests['response'];
}

/** `PageDefinition.load` throws this error to show another page at the same URL. */
export class Redirect extends Error {
  /** Path of the page that is shown instead of the page at the URL. */
  readonly path: string;

  constructor(path: string) {
    super(`${path} is shown instead`);
    this.path = path;
  }
}

/** Whether an error means that the service cannot be reached: there was no reply, or the reply came from a proxy. */
export function isUnreachable(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 'UNREACHABLE' || code === 'UNREADABLE';
}

/**
 * Returns undefined for an error of the API, so that the page is shown without the data that could not be read. Throws any other
 * error again.
 */
export function ignoreApiError(error: unknown): undefined {
  if (!('code' in (error as Error))) throw error;
}
