import type { IncomingMessage } from 'node:http';
import { type Reply, writeReply } from './reply/reply.js';
import { readBytes } from './request/body.js';
import { exchangeOf } from './request/exchange.js';
import type { Mounted } from './transport.js';

/** A route outside the API, with its own rules for requests and replies. */
export interface SideRoute {
  /** The route for the log. The path of a request is not logged, because it may contain a secret. */
  readonly route: string;
  /** Largest body in bytes. */
  readonly limit: number;
  /**
   * Handles a request. Never rejects.
   *
   * @param body undefined if the body is too large or the client has disconnected. A disconnected client does not receive the
   *   reply.
   * @param client address of the client
   */
  receive(message: IncomingMessage, body: Buffer | undefined, client: string): Promise<Reply>;
}

/**
 * Serves the requests for which `find` returns a route. All other requests go to the API. The function works with Express,
 * Fastify and every other router. The server has already checked that each request is valid and within the limits.
 *
 * @param find returns the route of a request target
 */
export function withSideRoutes(mounted: Mounted, find: (target: string) => SideRoute | undefined): Mounted {
  return {
    dispatch: (message, response) => {
      const route = find(message.url ?? '');
      if (route === undefined) {
        mounted.dispatch(message, response);
        return;
      }
      const exchange = exchangeOf(message);
      exchange.route = route.route;
      void readBytes(message, route.limit, (bytes) => bytes)
        .catch(() => undefined)
        .then((body) => route.receive(message, body, exchange.client))
        .then((reply) => writeReply(response, reply));
    },
    ...(mounted.classes && { classes: mounted.classes }),
    close: async () => mounted.close?.(),
  };
}
