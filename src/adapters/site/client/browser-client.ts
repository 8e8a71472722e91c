import { Requests } from '../../../../clients/typescript/src/requests.js';
import { recheckConnection } from './live/connection.js';
import { compareClocks } from './live/server-clock.js';

/**
 * Creates a client of the API for the browser.
 *
 * @param token a bearer token, or a function that returns the current token
 * @param keepalive whether requests outlive the page
 */
export function browserClient(token: Requests['token'], keepalive = false): Requests {
  const client = new Requests(location.origin, (target, init) =>
    fetch(target, { ...init, keepalive }).then(
      (reply) => {
        compareClocks(reply.headers.get('date'));
        return reply;
      },
      (error: unknown) => {
        if (init?.signal?.aborted !== true) recheckConnection();
        throw error;
      },
    ),
  );
  client.token = token;
  return client;
}
