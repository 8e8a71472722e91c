import { Readable } from 'node:stream';
import type { OwnPlace, Place, Reader } from '#application/observations/read/gate/place.js';
import type { ReadGate } from '#application/observations/read/gate/read-gate.js';
import type { Call } from '../core/endpoint.js';
import type { Content } from '../core/reply/content.js';

type Caller = Pick<Call<unknown, unknown, unknown>, 'caller' | 'signal'>;

/**
 * Calls `read` with the place of a request at the read gate, and leaves it when the reply is whole: at once, or, if the content is
 * a stream, when the stream closes, also after an abort or a HEAD request. A result whose body is made later keeps the place until
 * then, or until it is known that the client has it.
 */
export type WithPlace = <Result extends object>(
  call: Caller,
  read: (place: Place) => Promise<Result>,
) => Promise<Result>;

/** The one maker of places for requests of the external API. */
export function placesAt(gate: ReadGate): WithPlace {
  return async (call, read) => {
    const place = gate.placeFor(readerOf(call));
    try {
      const result = await read(place);
      return isUnmade(result) ? withBody(result, place) : leftAfter(result, place);
    } catch (error) {
      place.leave();
      throw error;
    }
  };
}

function isUnmade<Result extends object>(result: Result): result is Result & Content {
  return 'body' in result && typeof result.body === 'function';
}

function withBody<Result extends Content>(content: Result, place: OwnPlace): Result {
  const body = async () => {
    try {
      return leftAfter(await content.body(), place);
    } catch (error) {
      place.leave();
      throw error;
    }
  };
  return { ...content, body, release: () => place.leave() };
}

function leftAfter<Result extends object>(result: Result, place: OwnPlace): Result {
  const content = 'content' in result ? result.content : undefined;
  if (content instanceof Readable) {
    place.begin();
    // It closes when the threads have written what it is waiting for.
    content.once('close', () => place.leave());
    const { signal } = place;
    if (signal?.aborted === true) content.destroy();
    else signal?.addEventListener('abort', () => content.destroy(), { once: true });
  } else {
    place.leave();
  }
  return result;
}

function readerOf(call: Caller): Reader {
  return { network: networkOf(call), signal: call.signal };
}

/** The network that limits count. All callers without one (on a Unix domain socket) count as one caller. */
export function networkOf({ caller }: Pick<Caller, 'caller'>): string {
  return caller.network ?? caller.address ?? '';
}
