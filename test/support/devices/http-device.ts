import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that a simulated device got. */
export interface DeviceRequest {
  readonly method: string;
  /** Path with the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What a simulated device does with a request. */
export type DeviceReply =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Anything but a text or bytes is sent as JSON. */
      readonly body: unknown;
      /** Ends the connection after this number of bytes of the body. */
      readonly dieAfter?: number;
    }
  /** The device ends the connection without a reply. */
  | 'dead';

/** A device or a service that is asked over HTTP, on a port of the loopback interface. */
export interface HttpDevice {
  /** Host and port, for `--address`. */
  readonly address: string;
  readonly port: number;
  /** Base URL, for `--url`. */
  readonly url: string;
  readonly requests: readonly DeviceRequest[];
  /** Takes the device off the network: it ends each connection without a reply. */
  readonly setAway: (isAway: boolean) => void;
  readonly close: () => Promise<void>;
}

/** A part of a reply, or what makes it at each request. */
export type Made<T> = T | (() => T);

export function made<T>(part: Made<T>): T {
  return typeof part === 'function' ? (part as () => T)() : part;
}

/** Starts a device. @param reply undefined for a path that the device does not have */
export async function httpDevice(
  reply: (request: DeviceRequest) => DeviceReply | undefined,
): Promise<HttpDevice> {
  const requests: DeviceRequest[] = [];
  let isAway = false;
  const server = createServer((message, response) => {
    void text(message).then((body) => {
      const { method = '', url: path = '', headers } = message;
      const request = { method, path, headers, body };
      requests.push(request);
      answer(response, isAway ? 'dead' : (reply(request) ?? { status: 404, body: 'Not Found' }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  const address = `127.0.0.1:${port}`;
  return {
    address,
    port,
    url: `http://${address}`,
    requests,
    setAway: (value) => {
      isAway = value;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse, reply: DeviceReply): void {
  if (reply === 'dead') {
    response.destroy();
    return;
  }
  const { status = 200, headers = {}, body, dieAfter } = reply;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const bytes = Buffer.from(isRaw ? body : JSON.stringify(body));
  response.writeHead(status, {
    'content-type': isRaw ? 'text/plain' : 'application/json',
    'content-length': bytes.length,
    ...headers,
  });
  if (dieAfter === undefined) response.end(bytes);
  else response.write(bytes.subarray(0, dieAfter), () => response.destroy());
}
