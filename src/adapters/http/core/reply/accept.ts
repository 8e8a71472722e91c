import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { JSON_TYPE } from './reply.js';

/**
 * Whether a caller prefers JSON to `mediaType` (RFC 9110, section 12.5.1). The result is false if the caller has no preference,
 * for example without the header `Accept`.
 */
export function prefersJson({ headers }: IncomingMessage, mediaType: string): boolean {
  if (headers.accept === undefined || headers.accept === '*/*') return false;
  return new Negotiator({ headers }).mediaType([mediaType, JSON_TYPE]) === JSON_TYPE;
}

/** The media type that a caller prefers. If the caller accepts none of `mediaTypes`, the result is the first of them. */
export function preferredType(
  message: Pick<IncomingMessage, 'headers'>,
  mediaTypes: readonly string[],
): string {
  return acceptedType(message, mediaTypes) ?? (mediaTypes[0] as string);
}

/**
 * The media type that a caller prefers; undefined if the caller accepts none of `mediaTypes`. The parameters `escaping`, which
 * Prometheus sends, and `charset`, which is always UTF-8, are ignored.
 */
export function acceptedType(
  { headers }: Pick<IncomingMessage, 'headers'>,
  mediaTypes: readonly string[],
): string | undefined {
  const accept = headers.accept?.replace(/;\s*(?:escaping|charset)=[^;,]*/gi, '');
  const compared = mediaTypes.map((type) => type.replace(/;\s*charset=[^;]*/i, ''));
  const best = new Negotiator({ headers: { ...headers, ...(accept !== undefined && { accept }) } });
  return mediaTypes[compared.indexOf(best.mediaType(compared) ?? '')];
}

const HTML_TYPE = 'text/html';

/**
 * Whether a caller prefers HTML to JSON: only if the quality value of HTML is greater. Equal values, and the default headers
 * of curl and of other programs, mean JSON.
 */
export function prefersHtml({ headers: { accept } }: IncomingMessage): boolean {
  if (accept === undefined || accept === '*/*' || accept === JSON_TYPE) return false;
  return quality(accept, HTML_TYPE) > quality(accept, JSON_TYPE);
}

/**
 * The quality value of a media type (RFC 9110, section 12.5.1), taken from the most specific range that matches. The package
 * negotiator sorts types, but does not return their values. Parameters except `q` are ignored, because the service offers HTML
 * and JSON without parameters.
 */
function quality(accept: string, mediaType: string): number {
  const ranges = [mediaType, `${mediaType.split('/')[0]}/*`, '*/*'];
  let best = { index: ranges.length, q: 0 };
  for (const item of accept.split(',')) {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const index = ranges.indexOf(range);
    if (index === -1 || index >= best.index) continue;
    const q = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
    if (q === undefined || /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q))
      best = { index, q: q === undefined ? 1 : Number(q) };
  }
  return best.q;
}
