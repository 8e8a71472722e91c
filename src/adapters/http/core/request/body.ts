import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { ProtocolError } from '../errors.js';
import { parseWith } from '../validate.js';
import type { BodyStream, BytesBody, FormBody, JsonBody, StreamBody } from './body-kinds.js';
import { exchangeOf } from './exchange.js';
import { assertShape, SHORT_JSON } from './json-shape.js';
import { parseFields } from './sent-fields.js';
import { parseQuery } from './target.js';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads and checks the body that an endpoint declares.
 *
 * @throws ProtocolError MEDIA_TYPE_UNSUPPORTED, BODY_TOO_LARGE, or REQUEST_INVALID with the fields and their faults
 */
export function readBody<T>(
  message: IncomingMessage,
  declared: JsonBody<T> | FormBody<T> | BytesBody | StreamBody,
): Promise<T | Uint8Array | BodyStream> {
  const alternative = declared.kind === 'json' ? declared.text : undefined;
  const isAnyType = declared.kind === 'stream' && declared.anyType === true;
  const isText = !isAnyType && assertMediaType(message, mediaTypeOf(declared), alternative);
  assertNotEncoded(message);
  if (declared.kind === 'stream') {
    exchangeOf(message).bodyDuration = declared.duration;
    return Promise.resolve(streamBytes(message, declared.limit));
  }
  return readBytes<T | Uint8Array>(message, declared.limit, (bytes) => {
    if (declared.kind === 'bytes') return bytes;
    if (isText) {
      if (!isUtf8(bytes)) throw notUtf8();
      return { text: bytes } as T;
    }
    if (declared.kind === 'form')
      return parseFields(declared.schema, parseQuery(parseText(bytes), 'body'), 'body');
    const parse = () => parseWith(declared.schema, parseJson(bytes), 'body');
    return bytes.length > SHORT_JSON ? assertShape(bytes).then(parse) : parse();
  });
}

export function mediaTypeOf(
  declared: JsonBody<unknown> | FormBody<unknown> | BytesBody | StreamBody,
): string {
  if (declared.kind === 'bytes' || declared.kind === 'stream') return declared.mediaType;
  return declared.kind === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
}

/** @returns whether the body has the alternative media type. @throws ProtocolError MEDIA_TYPE_UNSUPPORTED */
function assertMediaType(message: IncomingMessage, expected: string, alternative?: string): boolean {
  const header = message.headers['content-type'];
  // Nearly every client sends exactly the expected text. Parsing the header would cost more than all other checks of the body.
  if (header === expected) return false;
  let type: MIMEType | undefined;
  try {
    type = new MIMEType(header ?? '');
  } catch {
    type = undefined;
  }
  if (type === undefined || (type.essence !== expected && type.essence !== alternative)) {
    const accept = alternative === undefined ? expected : `${expected}, ${alternative}`;
    throw new ProtocolError('MEDIA_TYPE_UNSUPPORTED', `The body must have the content type ${accept}.`, {
      accept,
    });
  }
  const charset = type.params.get('charset');
  if (charset !== null && charset.toLowerCase() !== 'utf-8') {
    throw new ProtocolError('MEDIA_TYPE_UNSUPPORTED', 'The body must be in UTF-8.', { accept: expected });
  }
  return type.essence === alternative;
}

function assertNotEncoded(message: IncomingMessage): void {
  const encoding = message.headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw new ProtocolError('MEDIA_TYPE_UNSUPPORTED', 'The body must not be compressed.', {
    'accept-encoding': 'identity',
  });
}

function tooLarge(limit: number): ProtocolError {
  return new ProtocolError('BODY_TOO_LARGE', `The body is larger than ${limit} bytes.`);
}

function cutOff(): ProtocolError {
  return new ProtocolError('REQUEST_INVALID', 'The connection ended before the whole body had arrived.');
}

/** The body as a stream. Bytes that the endpoint does not read are discarded, so that the client can read the reply. */
function streamBytes(message: IncomingMessage, limit: number): BodyStream {
  if (Number(message.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  let fault: ProtocolError | undefined;
  exchangeOf(message).failBody = (error) => {
    fault = error;
    // Node closes the connection of a message that ends before it is complete. Then no reply could be sent.
    message.complete = true;
    message.push(null);
  };
  return pieces();

  async function* pieces(): AsyncGenerator<Uint8Array> {
    let length = 0;
    try {
      for await (const chunk of message.iterator({ destroyOnReturn: false })) {
        length += (chunk as Buffer).length;
        if (length > limit) throw tooLarge(limit);
        yield chunk as Buffer;
      }
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ECONNRESET' ? cutOff() : error;
    } finally {
      message.resume();
    }
    if (fault !== undefined) throw fault;
    if (!message.complete) throw cutOff();
  }
}

/**
 * Reads all bytes of the body. After a refusal the remaining bytes are discarded, so that the client can read the reply.
 *
 * @param parse converts the bytes. If it throws, the promise rejects with that error. Calling `then` on the result instead would
 *   cost 0.2 µs more.
 */
export function readBytes<T>(
  message: IncomingMessage,
  limit: number,
  parse: (bytes: Buffer) => T | Promise<T>,
): Promise<T> {
  if (Number(message.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) {
        message.off('data', onData);
        message.resume();
        reject(tooLarge(limit));
      } else {
        chunks.push(chunk);
      }
    };
    message.on('data', onData);
    message.on('end', () => {
      if (length > limit) return;
      let content: T | Promise<T>;
      try {
        content = parse(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
      } catch (error) {
        reject(error);
        return;
      }
      resolve(content);
    });
    // The event `close` shows that the connection is broken. Node reports a broken connection only by `close` if there is no
    // listener for `error`.
    message.on('close', () => {
      if (!message.complete) reject(cutOff());
    });
  });
}

function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new ProtocolError('REQUEST_INVALID', 'The body is empty.');
  const text = parseText(bytes);
  try {
    return JSON.parse(text);
  } catch {
    // The message of the JSON parser is not shown, because it quotes the body, which may contain a password.
    throw new ProtocolError('REQUEST_INVALID', 'The body is not valid JSON.');
  }
}

function parseText(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw notUtf8();
  }
}

function notUtf8(): ProtocolError {
  return new ProtocolError('REQUEST_INVALID', 'The body is not valid UTF-8.');
}
