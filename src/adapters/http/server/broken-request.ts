import { STATUS_CODES } from 'node:http';
import { ProtocolError } from '../core/errors.js';
import { describeError, JSON_TYPE, commonHeaders } from '../core/reply/reply.js';

/** The code of Node's error when a TLS port receives an HTTP request without TLS. */
export const PLAIN_HTTP = 'ERR_SSL_HTTP_REQUEST';

/** The refusal of a request that Node's parser has rejected; undefined if the client has disconnected. */
export function refusalOf(error: NodeJS.ErrnoException): ProtocolError | undefined {
  switch (error.code) {
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return undefined;
    case 'HPE_HEADER_OVERFLOW':
      return new ProtocolError('HEADERS_TOO_LARGE', 'The headers are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ProtocolError('REQUEST_TIMEOUT', 'The request did not arrive in time.');
    case PLAIN_HTTP:
      return new ProtocolError(
        'REQUEST_INVALID',
        'This port needs TLS. Use an address that begins with https://.',
      );
    case 'HPE_INVALID_EOF_STATE':
      return new ProtocolError(
        'REQUEST_INVALID',
        'The connection ended before the whole request had arrived.',
      );
    default:
      return new ProtocolError('REQUEST_INVALID', 'The request is not valid HTTP/1.1.');
  }
}

/** A complete HTTP reply as text, for a request that Node could not parse. The connection closes after the reply. */
export function rawReply(error: ProtocolError, id: string): string {
  const { status, body } = describeError(error);
  const content = JSON.stringify(body);
  const headers = {
    ...commonHeaders(id),
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(content),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${content}`;
}
