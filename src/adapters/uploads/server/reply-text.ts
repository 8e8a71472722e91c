import { STATUS_CODES } from 'node:http';
import type { UploadReply } from '../reply.js';

/** The headers of a reply. The connection closes after it, because consoles open another one for each upload. */
export function uploadReplyHeaders({
  status,
  body,
  type = 'text/plain',
}: UploadReply): Record<string, string> {
  // RFC 9110, section 8.6: no Content-Length with 204.
  const content = status === 204 ? {} : { 'content-type': type, 'content-length': String(body.length) };
  return { ...content, connection: 'close' };
}

/** A reply as it is sent. */
export function replyText(reply: UploadReply, method: string): string {
  const headers = { date: new Date().toUTCString(), ...uploadReplyHeaders(reply) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const body = method === 'HEAD' ? '' : reply.body;
  return `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n${lines.join('')}\r\n${body}`;
}
