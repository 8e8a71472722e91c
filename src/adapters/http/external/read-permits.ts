import { Readable } from 'node:stream';
import type { RequestPermit, Permit, GateClient } from '#application/observations/read/gate/permit.js';
import type { ReadGate } from '#application/observations/read/gate/read-gate.js';
import type { EndpointCall } from '../core/endpoint.js';
import type { Content } from '../core/reply/content.js';

type Caller = Pick<EndpointCall<unknown, unknown, unknown>, 'caller' | 'signal'>;

/**
 * Calls `read` with the permit of a request at the read gate, and leaves it when the reply is whole: at once, or, if the content is
 * a stream, when the stream closes, also after an abort or a HEAD request. A result whose body is made later keeps the permit until
 * then, or until it is known that the client has it.
 */
export type WithPermit = <Result extends object>(
  call: Caller,
  read: (permit: Permit) => Promise<Result>,
) => Promise<Result>;

/** The one maker of permits for requests of the external API. */
export function placesAt(gate: ReadGate): WithPermit {
  return async (call, read) => {
    const permit = gate.permitFor(readerOf(call));
    try {
      const result = await read(permit);
      return isUnmade(result) ? withBody(result, permit) : leftAfter(result, permit);
    } catch (error) {
      permit.release();
      throw error;
    }
  };
}

function isUnmade<Result extends object>(result: Result): result is Result & Content {
  return 'body' in result && typeof result.body === 'function';
}

function withBody<Result extends Content>(content: Result, permit: RequestPermit): Result {
  const body = async () => {
    try {
      return leftAfter(await content.body(), permit);
    } catch (error) {
      permit.release();
      throw error;
    }
  };
  return { ...content, body, release: () => permit.release() };
}

function leftAfter<Result extends object>(result: Result, permit: RequestPermit): Result {
  const content = 'content' in result ? result.content : undefined;
  if (content instanceof Readable) {
    permit.begin();
    // It closes when the threads have written what it is waiting for.
    content.once('close', () => permit.release());
    const { signal } = permit;
    if (signal?.aborted === true) content.destroy();
    else signal?.addEventListener('abort', () => content.destroy(), { once: true });
  } else {
    permit.release();
  }
  return result;
}

function readerOf(call: Caller): GateClient {
  return { network: clientNetworkOf(call), signal: call.signal };
}

/** The network that limits count. All callers without one (on a Unix domain socket) count as one caller. */
export function clientNetworkOf({ caller }: Pick<Caller, 'caller'>): string {
  return caller.network ?? caller.address ?? '';
}
