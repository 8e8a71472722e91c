import type { IncomingMessage } from 'node:http';
import { type Reply, writeReply } from './reply/reply.js';
import { readBytes } from './request/body.js';
import { exchangeOf } from './request/exchange.js';
import type { Mounted } from './transport.js';

/** A request that is not one of the API and that has rules of its own. */
export interface Beside {
  /** For the log. The path of the request may hold a secret. */
  readonly route: string;
  /** Largest body in bytes. */
  readonly limit: number;
  /**
   * Never rejects.
   *
   * @param body undefined where it is too large, or was cut off: then nobody gets the reply
   * @param client its address
   */
  receive(message: IncomingMessage, body: Buffer | undefined, client: string): Promise<Reply>;
}

/**
 * Serves the targets that `find` knows before the API, whatever transport routes the API. The server has checked the request and
 * its limits by then.
 */
export function withBeside(mounted: Mounted, find: (target: string) => Beside | undefined): Mounted {
  return {
    dispatch: (message, response) => {
      const beside = find(message.url ?? '');
      if (beside === undefined) {
        mounted.dispatch(message, response);
        return;
      }
      const exchange = exchangeOf(message);
      exchange.route = beside.route;
      void readBytes(message, beside.limit, (bytes) => bytes)
        .catch(() => undefined)
        .then((body) => beside.receive(message, body, exchange.client))
        .then((reply) => writeReply(response, reply));
    },
    ...(mounted.classes && { classes: mounted.classes }),
    close: async () => mounted.close?.(),
  };
}
