import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { JSON_TYPE } from './reply.js';

/** Whether a caller would rather have JSON than `mediaType`, which it gets when it does not say (RFC 9110, 12.5.1). */
export function prefersJson({ headers }: IncomingMessage, mediaType: string): boolean {
  if (headers.accept === undefined || headers.accept === '*/*') return false;
  return new Negotiator({ headers }).mediaType([mediaType, JSON_TYPE]) === JSON_TYPE;
}
