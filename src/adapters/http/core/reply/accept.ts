import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { JSON_TYPE } from './reply.js';

/** Whether a caller prefers JSON to `mediaType`, which is the default without an Accept header (RFC 9110, section 12.5.1). */
export function prefersJson({ headers }: IncomingMessage, mediaType: string): boolean {
  if (headers.accept === undefined || headers.accept === '*/*') return false;
  return new Negotiator({ headers }).mediaType([mediaType, JSON_TYPE]) === JSON_TYPE;
}
