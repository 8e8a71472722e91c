import { Readable } from 'node:stream';
import type { RequestPermit, Permit, GateClient } from '#application/observations/read/gate/permit.js';
import type { ReadGate } from '#application/observations/read/gate/read-gate.js';
import type { EndpointCall } from '../core/endpoint.js';
import type { Content } from '../core/reply/content.js';

type Call = Pick<EndpointCall<unknown, unknown, unknown>, 'caller' | 'signal'>;

/**
 * Calls `read` with a permit, and releases the permit when the reply is complete. A permit counts the memory that one request
 * uses. Permits come from the read gate, which limits the memory of all reads together.
 *
 * The time of the release depends on the result of `read`:
 *
 * - If the content is a stream: when the stream closes, also after an abort or a HEAD request.
 * - If the result has a function `body`, which builds the body later: when that body is complete. The permit is also released by
 *   `release`, which is called instead of `body` if the client already has this version.
 * - Otherwise: when `read` has finished.
 */
export type WithPermit = <Result extends object>(
  call: Call,
  read: (permit: Permit) => Promise<Result>,
) => Promise<Result>;

/** Creates the only function that gives permits to requests of the external API. */
export function permitsOf(gate: ReadGate): WithPermit {
  return async (call, read) => {
    const permit = gate.permitFor(gateClientOf(call));
    try {
      const result = await read(permit);
      return hasLaterBody(result) ? withBody(result, permit) : releaseAfter(result, permit);
    } catch (error) {
      permit.release();
      throw error;
    }
  };
}

/** Whether the body of a result is built later, by a call of `body`. */
function hasLaterBody<Result extends object>(result: Result): result is Result & Content {
  return 'body' in result && typeof result.body === 'function';
}

function withBody<Result extends Content>(content: Result, permit: RequestPermit): Result {
  const body = async () => {
    try {
      return releaseAfter(await content.body(), permit);
    } catch (error) {
      permit.release();
      throw error;
    }
  };
  return { ...content, body, release: () => permit.release() };
}

/** Releases the permit now, or when the stream of the result closes. */
function releaseAfter<Result extends object>(result: Result, permit: RequestPermit): Result {
  const content = 'content' in result ? result.content : undefined;
  if (content instanceof Readable) {
    permit.begin();
    // The stream waits for the piece that the threads are writing, so it closes only after the threads have finished this piece.
    content.once('close', () => permit.release());
    const { signal } = permit;
    if (signal?.aborted === true) content.destroy();
    else signal?.addEventListener('abort', () => content.destroy(), { once: true });
  } else {
    permit.release();
  }
  return result;
}

function gateClientOf(call: Call): GateClient {
  return { network: clientNetworkOf(call), signal: call.signal };
}

/**
 * The network by which limits count callers. Callers on a Unix domain socket have no network. All of them count together as one
 * caller.
 */
export function clientNetworkOf({ caller }: Pick<Call, 'caller'>): string {
  return caller.network ?? caller.address ?? '';
}
