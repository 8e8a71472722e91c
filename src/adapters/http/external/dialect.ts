import type { AnyEndpoint } from '../core/endpoint.js';
import type { ExternalContext } from './external-context.js';

/**
 * A dialect: routes in the form of another API, for clients that exist already. Its folder can be deleted with its line in `dialects.ts`. The
 * routes call the use-cases of the other routes, with the same access, and are not in the OpenAPI document of the service, which
 * describes the API of weatherd. `Endpoint.errorReply` writes errors as the clients read them, and `ignoresQuery` leaves the query
 * to the dialect. The code that answers is imported at the first request (`import()`), so that a dialect without clients costs nothing.
 */
export type Dialect = (context: DialectContext) => readonly AnyEndpoint[];

/** The dependencies of a dialect: what reads need, and nothing that changes data. */
export type DialectContext = Pick<
  ExternalContext,
  'version' | 'useCase' | 'readAccess' | 'withPermit' | 'textThreads' | 'feelsLike'
> & {
  /** Largest distance in kilometers of the station that answers a request of Open-Meteo's clients. */
  readonly openMeteoRadius: number;
  /**
   * The address at which clients reach the service, without a slash at its end, for links in replies.
   *
   * @param host the header `Host` of the request
   */
  readonly addressOf: (host: string) => string;
};
