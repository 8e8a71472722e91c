import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { sentWeather } from '#application/hooks/observations/sent-weather.js';
import { TargetKinds } from '#application/hooks/target-kinds.js';
import type { DeliveryOutcome, Message, RecordedExchange } from '#application/ports/delivery.js';
import type {
  PersonalMessage,
  SentSums,
  SentWeather,
  TargetKind,
  TargetSettings,
} from '#application/ports/target-kind.js';
import { ServiceDelivery } from '#adapters/target-network/service-delivery.js';
import type { Station } from '#domain/weather/station.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { FakeClock } from '../application/fakes/fakes.js';

/** A request that the simulated service has received. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface SimulatedReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A simulated service on the loopback interface. */
export interface SimulatedService {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly requests: ReceivedRequest[];
  readonly stop: () => void;
}

/** Starts a service over HTTP. @param answer the reply to each request; by default an empty one with status 200 */
export async function startService(
  answer: (request: ReceivedRequest) => SimulatedReply | Promise<SimulatedReply> = () => ({}),
): Promise<SimulatedService> {
  const requests: ReceivedRequest[] = [];
  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = request;
    const query = new URL(path, 'http://host').searchParams;
    const received = { method, path, query, headers, body: await text(request) };
    requests.push(received);
    const { status = 200, headers: sent = {}, body = '' } = await answer(received);
    response.writeHead(status, sent).end(body);
  };
  const server = createServer((request, response) => void reply(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Starts a service that speaks lines over TCP.
 *
 * @param speak called with each connection and with a function that returns the next line
 */
export async function startLines(
  speak: (socket: Socket, read: () => Promise<string>) => Promise<void> | void,
): Promise<{ readonly url: string; readonly lines: string[]; stop(): void }> {
  const sockets = new Set<Socket>();
  const lines: string[] = [];
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    const waiting: string[] = [];
    let wake = () => {};
    let rest = '';
    socket.on('error', () => undefined).setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      const parts = `${rest}${chunk}`.split('\r\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
      waiting.push(...parts);
      wake();
    });
    const read = async () => {
      while (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return waiting.shift() as string;
    };
    void speak(socket, read);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** The station of `weatherOf`, which is 20 m above the sea in Oslo. */
export const SENDING_STATION: Station = {
  id: 'garden',
  number: 1,
  name: 'Garden',
  latitude: 59.91,
  longitude: 10.75,
  elevation: 20,
  timeZone: 'Europe/Oslo',
  identifiers: {},
  reportingInterval: 300,
  limits: {},
};

/** 2026-11-23T06:00:00Z, a Monday. */
export const SENT_AT = Date.UTC(2026, 10, 23, 6);

/** The weather that a service gets. @param values by name of the variable, in stored units; all have passed quality control */
export function weatherOf(
  values: Readonly<Record<string, number>>,
  {
    time = SENT_AT,
    rain = { hour: null, day: null, twentyFourHours: null },
    sunshine = null,
    station = SENDING_STATION,
  }: Partial<SentSums> & { readonly time?: number; readonly station?: Station } = {},
): SentWeather {
  const numbers = new Map(VARIABLES.map(({ name, number }) => [name, number]));
  const row = Object.entries(values).map(([name, value]) => {
    const variable = numbers.get(name);
    if (variable === undefined) throw new Error(`There is no variable ${name}.`);
    return { variable, value, flags: 0 };
  });
  return sentWeather(station, { time, values: row }, { rain, sunshine });
}

/** Sends to services over the network of this machine, and keeps what `hook test` would show. */
export class TargetBench {
  readonly clock = new FakeClock();
  /** The exchanges of the last call. */
  shown: RecordedExchange[] = [];
  readonly #delivery: ServiceDelivery;
  readonly #kind: TargetKind;

  constructor(kind: TargetKind, options: { readonly timeout?: number } = {}) {
    this.#kind = kind;
    this.clock.time = SENT_AT;
    this.#delivery = new ServiceDelivery(new TargetKinds([kind]), this.clock, {
      allowPrivate: true,
      ...options,
    });
  }

  async send(settings: TargetSettings, weather: SentWeather): Promise<DeliveryOutcome> {
    return await this.#deliver(settings, { event: 'observation', id: '1', body: '{}', weather });
  }

  async notify(settings: TargetSettings, personal: PersonalMessage): Promise<DeliveryOutcome> {
    return await this.#deliver(settings, { event: 'alarm', id: personal.id, body: '{}', personal });
  }

  async #deliver(settings: TargetSettings, message: Message): Promise<DeliveryOutcome> {
    this.shown = [];
    const target = { kind: 'service', service: this.#kind.name, ...settings, allowPrivate: true } as const;
    const { signal } = new AbortController();
    return await this.#delivery.send(target, message, signal, (exchange) => this.shown.push(exchange));
  }
}
