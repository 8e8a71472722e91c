import { STATUS_CODES } from 'node:http';
import type { UploadReply } from '../upload-reply.js';

/** The headers of a reply. The connection closes after the reply, because consoles open a connection for each upload. */
export function uploadReplyHeaders({
  status,
  body,
  type = 'text/plain',
}: UploadReply): Record<string, string> {
  // A reply with status 204 must not have Content-Length (RFC 9110, section 8.6).
  const content = status === 204 ? {} : { 'content-type': type, 'content-length': String(body.length) };
  return { ...content, connection: 'close' };
}

/** The text of a reply, with status line and headers. */
export function replyText(reply: UploadReply, method: string): string {
  const headers = { date: new Date().toUTCString(), ...uploadReplyHeaders(reply) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const body = method === 'HEAD' ? '' : reply.body;
  return `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n${lines.join('')}\r\n${body}`;
}
