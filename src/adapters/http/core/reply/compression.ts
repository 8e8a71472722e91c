import type { ServerResponse } from 'node:http';
import { Readable, pipeline, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  type BrotliOptions,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
  type ZlibOptions,
} from 'node:zlib';
import type { Incoming } from '../transport.js';
import { acceptedCoding, type Coding } from './accept-encoding.js';
import { type Reply, varyBy } from './reply.js';

/** Smallest number of bytes of a reply that is compressed. A shorter reply needs one or two packets with or without compression. */
const MIN_LENGTH = 2048;
/**
 * Largest body, in bytes or characters, that the main thread compresses. Compressing such a body takes about 0.1 ms, as long as
 * the transfer to a thread of libuv and back.
 */
const MAX_SYNCHRONOUS = 32_768;
/** Size of the pieces that a compressor returns, in bytes. */
const PIECE = 65_536;

/**
 * The fastest levels. Brotli compresses the JSON of a year to 19 % of its length at level 1 and to 16 % at level 4, but level 4
 * takes three times as long as level 1. Gzip compresses the JSON to 23 % at level 1 and to 18 % at level 6, but level 6 takes six
 * times as long as level 1.
 */
const BROTLI: BrotliOptions = { chunkSize: PIECE, params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const GZIP: ZlibOptions = { chunkSize: PIECE, level: 1 };
/**
 * The options of gzip for bodies of limited length, such as charts. Level 4 compresses a chart of a year to 19 % of its length,
 * and level 1 to 23 %. Level 4 takes a millisecond longer. Gzip is needed, because browsers accept no Brotli without TLS. The
 * options of Brotli are the same for all bodies, because level 1 already compresses the chart to 20 %.
 */
const STRONGER_GZIP: ZlibOptions = { ...GZIP, level: 4 };

const compressInThread = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/**
 * Whether a media type is worth compressing. Formats that are already compressed are not. Event streams are not compressed
 * either, because an event must not wait in the buffer of a compressor.
 */
export function isCompressible(mediaType: string | undefined): boolean {
  if (mediaType === undefined) return false;
  const [type = ''] = mediaType.split(';', 1);
  return type.startsWith('text/') ? type !== 'text/event-stream' : COMPRESSIBLE.has(type);
}

const COMPRESSIBLE = new Set([
  'application/json',
  'application/geo+json',
  'application/prs.coverage+json',
  'application/vnd.oai.openapi+json',
  'application/openmetrics-text',
  'image/svg+xml',
]);

/**
 * Compresses a reply if the client accepts a compressed reply and if the reply is long enough.
 *
 * Large replies are compressed in the threads of libuv. These threads have little other work, because databases and password
 * hashing have their own threads.
 *
 * The text of a large reply is also written in other threads, but these threads cannot compress it. Each of them writes only some
 * pieces of the text, and the compressed reply is one stream of all pieces.
 */
export function compressed(reply: Reply, incoming: Incoming): Reply | Promise<Reply> {
  const { body } = reply;
  if (body === undefined || reply.compression === 'none') return reply;
  // The length of a string is in characters. A string with enough characters also has enough bytes.
  const isShort = (typeof body === 'string' || body instanceof Uint8Array) && body.length < MIN_LENGTH;
  const accept = incoming.message.headers['accept-encoding'];
  if (isShort && accept === undefined) return reply;
  const { coding, isRequired } = acceptedCoding(accept);
  if ((isShort && !isRequired) || !isCompressible(reply.headers['content-type'])) return reply;
  const varying = { ...reply, headers: varyBy(reply.headers, 'Accept-Encoding') };
  if (coding === undefined) return varying;
  return body instanceof Readable
    ? compressStream(varying, body, coding, incoming)
    : compressWhole(varying, body, coding);
}

function compressWhole(reply: Reply, body: string | Uint8Array, coding: Coding): Reply | Promise<Reply> {
  const headers = headersWith(reply, coding);
  const finish = (bytes: Uint8Array): Reply => {
    headers['content-length'] = String(bytes.length);
    return { ...reply, headers, body: bytes };
  };
  const isBrotli = coding === 'br';
  const options = gzipOf(reply);
  if (body.length <= MAX_SYNCHRONOUS)
    return finish(isBrotli ? brotliCompressSync(body, BROTLI) : gzipSync(body, options));
  return (isBrotli ? compressInThread.br(body, BROTLI) : compressInThread.gzip(body, options)).then(finish);
}

async function compressStream(
  reply: Reply,
  body: Readable,
  coding: Coding,
  incoming: Incoming,
): Promise<Reply> {
  const short = await readShort(body, incoming.response);
  if (short !== undefined) return shortReply({ ...reply, body: short }, coding, incoming);
  const headers = headersWith(reply, coding);
  if (incoming.message.method === 'HEAD') {
    body.destroy();
    return { ...reply, headers, body: undefined };
  }
  const compressor: Transform = coding === 'br' ? createBrotliCompress(BROTLI) : createGzip(gzipOf(reply));
  // If the body fails, `pipeline` also ends the compressor with this error. The error is handled where the compressed bytes are
  // read.
  pipeline(body, compressor, () => undefined);
  return { ...reply, headers, body: compressor };
}

/**
 * Reads a body that is too short to be compressed. The bytes of a longer body are put back into the stream.
 *
 * @returns the bytes, or undefined for a longer body. Rejects if the body fails or the client disconnects.
 */
function readShort(body: Readable, response: ServerResponse): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const start: Buffer[] = [];
    let length = 0;
    const settle = (finish: () => void) => {
      body.off('readable', read).off('end', end).off('error', fail);
      response.off('close', leave);
      finish();
    };
    const read = () => {
      for (let piece = body.read() as Buffer | string | null; piece !== null; piece = body.read()) {
        const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
        start.push(bytes);
        length += bytes.length;
        if (length < MIN_LENGTH) continue;
        // The bytes are put back into the stream at once. If the stream was read to its end, it emits `end` in the next tick, and
        // after that nothing can be put back.
        body.unshift(Buffer.concat(start));
        settle(() => resolve(undefined));
        return;
      }
    };
    const end = () => settle(() => resolve(Buffer.concat(start)));
    const fail = (error: Error) => settle(() => reject(error));
    const leave = () => body.destroy(new DOMException('The client has disconnected.', 'AbortError'));
    body.on('readable', read).on('end', end).on('error', fail);
    if (response.closed) leave();
    else response.on('close', leave);
  });
}

/**
 * Replies with a streamed body that was too short to be compressed. The body is compressed only if the client refuses
 * uncompressed bytes.
 */
function shortReply(
  reply: Reply & { readonly body: Uint8Array },
  coding: Coding,
  incoming: Incoming,
): Reply | Promise<Reply> {
  if (acceptedCoding(incoming.message.headers['accept-encoding']).isRequired)
    return compressWhole(reply, reply.body, coding);
  return { ...reply, headers: { ...reply.headers, 'content-length': String(reply.body.length) } };
}

function gzipOf({ compression }: Reply): ZlibOptions {
  return compression === 'stronger' ? STRONGER_GZIP : GZIP;
}

function headersWith({ headers }: Reply, coding: Coding): Record<string, string> {
  const { 'content-length': _length, etag, ...others } = headers;
  const coded = etag === undefined ? others : { ...others, etag: codedTag(etag, coding) };
  return { ...coded, 'content-encoding': coding };
}

/** The ETag, with or without quotes, of a version in a coding. Each coding has its own ETag (RFC 9110, section 8.8.3.3). */
export function codedTag(etag: string, coding: Coding): string {
  return etag.replace(/"?$/, `-${coding}$&`);
}
