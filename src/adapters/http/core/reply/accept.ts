import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { JSON_TYPE } from './reply.js';

/** Whether a caller prefers JSON to `mediaType`, which is the default without an Accept header (RFC 9110, section 12.5.1). */
export function prefersJson({ headers }: IncomingMessage, mediaType: string): boolean {
  if (headers.accept === undefined || headers.accept === '*/*') return false;
  return new Negotiator({ headers }).mediaType([mediaType, JSON_TYPE]) === JSON_TYPE;
}

/**
 * The media type that a caller prefers; the first where it accepts none of them. Only the parameter `version` is compared:
 * Prometheus also sends one for its escaping, and the charset is always UTF-8.
 */
export function preferredType({ headers }: IncomingMessage, mediaTypes: readonly string[]): string {
  const accept = headers.accept?.replace(/;\s*(?:escaping|charset)=[^;,]*/gi, '');
  const compared = mediaTypes.map((type) => type.replace(/;\s*charset=[^;]*/i, ''));
  const best = new Negotiator({ headers: { ...headers, ...(accept !== undefined && { accept }) } });
  return mediaTypes[compared.indexOf(best.mediaType(compared) ?? '')] ?? (mediaTypes[0] as string);
}

const HTML_TYPE = 'text/html';

/**
 * Whether a caller prefers HTML to JSON: only if its quality value is greater. A tie, and the defaults of curl and of
 * programs, mean JSON.
 */
export function prefersHtml({ headers: { accept } }: IncomingMessage): boolean {
  if (accept === undefined || accept === '*/*' || accept === JSON_TYPE) return false;
  return quality(accept, HTML_TYPE) > quality(accept, JSON_TYPE);
}

/**
 * The quality value of a media type (RFC 9110, section 12.5.1): that of the most specific range that matches. The negotiator
 * orders types, but does not tell their values. Parameters other than `q` are not compared, because neither type has any.
 */
function quality(accept: string, mediaType: string): number {
  const ranges = [mediaType, `${mediaType.split('/')[0]}/*`, '*/*'];
  let best = { place: ranges.length, q: 0 };
  for (const item of accept.split(',')) {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const place = ranges.indexOf(range);
    if (place === -1 || place >= best.place) continue;
    const q = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
    if (q === undefined || /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q))
      best = { place, q: q === undefined ? 1 : Number(q) };
  }
  return best.q;
}
