import { createSocket, type Socket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import type { Answer, SourceSearch } from '#application/ports/source-kind.js';
import { hostAndPort } from '#domain/sources/source.js';
import { MILLISECONDS } from '#domain/time.js';
import { dnsQuery, type DnsRecord, dnsRecords, type Question, TYPES } from './dns-message.js';

/** The address and the port of multicast DNS (RFC 6762, section 3). */
const [MULTICAST, MULTICAST_PORT] = ['224.0.0.251', 5353];
/** Stands for the broadcast address of each network of this machine. The system would send it into one network, or into none. */
const BROADCAST = '255.255.255.255';
/** Milliseconds until a question is asked again, because datagrams are lost. The time doubles. */
const REPEAT = MILLISECONDS.second;
/** Largest number of datagrams that wait to be read, and of services that are found. */
const [MAX_WAITING, MAX_SERVICES] = [256, 256];

type Service = { readonly name: string; readonly address: string; readonly port: number };
/** Sends a datagram to a host and a port. */
type Send = (datagram: Uint8Array, port: number, host: string) => void;

/**
 * Creates a search that ends with the signal.
 *
 * @param address asks there instead of everywhere; a port in it replaces that of the protocol
 */
export function search(address: string | undefined, signal: AbortSignal): SourceSearch {
  const target = (usual: string, usualPort: number) =>
    address === undefined ? { host: usual, port: usualPort } : hostAndPort(address, usualPort);
  return {
    address,
    signal,
    broadcast: (usualPort, datagram) => {
      const { host, port } = target(BROADCAST, usualPort);
      return answers(signal, { ask: (send) => send(datagram, port, host), isEach: host === BROADCAST });
    },
    listen: (port) => answers(signal, { port }),
    services: (type) => services(type, target(MULTICAST, MULTICAST_PORT), signal),
  };
}

/** Finds services of a type by multicast DNS. Each one is returned once. */
async function* services(
  type: string,
  { host, port }: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): AsyncGenerator<Service> {
  const records = new ServiceRecords(type);
  const ask = (send: Send) => send(dnsQuery(records.questions()), port, host);
  for await (const { bytes, address } of answers(signal, { ask, isEach: host === MULTICAST })) {
    records.add(dnsRecords(bytes), address);
    yield* records.found();
  }
}

/** What is known of the services of a type. The parts of a service may come in several datagrams. */
class ServiceRecords {
  readonly #type: string;
  /** Names of the services, each with the address that has named it. */
  readonly #names = new Map<string, string>();
  readonly #places = new Map<string, { readonly target: string; readonly port: number }>();
  readonly #addresses = new Map<string, string>();
  readonly #returned = new Set<string>();

  constructor(type: string) {
    this.#type = type;
  }

  add(records: readonly DnsRecord[], sender: string): void {
    for (const record of records) {
      const name = record.name.toLowerCase();
      if (this.#names.size + this.#places.size + this.#addresses.size > 3 * MAX_SERVICES) return;
      if (record.type === 'a') this.#addresses.set(name, record.address);
      else if (record.type === 'srv') this.#places.set(name, { target: record.target, port: record.port });
      else if (name === this.#type.toLowerCase()) this.#names.set(record.target, sender);
    }
  }

  /** The type, and the services whose places are not known yet. */
  questions(): readonly Question[] {
    const unplaced = [...this.#names.keys()].filter((name) => !this.#places.has(name.toLowerCase()));
    return [
      { name: this.#type, type: TYPES.ptr },
      ...unplaced.slice(0, 16).map((name) => ({ name, type: TYPES.srv })),
    ];
  }

  *found(): Generator<Service> {
    for (const [name, sender] of this.#names) {
      const place = this.#places.get(name.toLowerCase());
      if (place === undefined || this.#returned.has(name)) continue;
      this.#returned.add(name);
      // Without an address in the reply, the service is where the reply has come from.
      const address = this.#addresses.get(place.target.toLowerCase()) ?? sender;
      const suffix = `.${this.#type}`;
      const title = name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
      yield { name: visible(title), address, port: place.port };
    }
  }
}

/** Only visible characters of a name go to a terminal. */
function visible(text: string): string {
  return text.replace(/\p{C}/gu, ' ').trim();
}

interface Asking {
  /** The port to listen on; undefined for any free one. */
  readonly port?: number;
  /** Sends the question. Called again and again, because datagrams are lost. */
  readonly ask?: (send: Send) => void;
  /** Whether the question goes to each network of this machine. */
  readonly isEach?: boolean;
}

/** The datagrams that arrive until the search ends. */
async function* answers(signal: AbortSignal, { port, ask, isEach = false }: Asking): AsyncGenerator<Answer> {
  const waiting: Answer[] = [];
  let wake = () => {};
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  const networks = isEach ? ownNetworks() : [undefined];
  const timers = new Set<NodeJS.Timeout>();
  let isEnded = false;
  const sockets = networks.map((own) => {
    const socket = createSocket({ type: 'udp4', reuseAddr: port !== undefined });
    socket.on('message', (bytes, { address }) => {
      if (waiting.length < MAX_WAITING) waiting.push({ address, bytes });
      wake();
    });
    // A port that is in use, or a network that is away, only means that nothing is found.
    socket.on('error', () => undefined);
    socket.bind(port ?? 0, own?.address, () => {
      if (isEnded) return;
      socket.setBroadcast(true);
      if (own !== undefined) socket.setMulticastInterface(own.address);
      if (ask !== undefined) repeat(socket, ask, own?.broadcast ?? BROADCAST, timers);
    });
    return socket;
  });
  try {
    while (!signal.aborted) {
      const answer = waiting.shift();
      if (answer !== undefined) yield answer;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    isEnded = true;
    signal.removeEventListener('abort', onAbort);
    for (const timer of timers) clearTimeout(timer);
    for (const socket of sockets) socket.close();
  }
}

/** Asks now, and again after 1, 2, 4 … seconds. */
function repeat(
  socket: Socket,
  ask: (send: Send) => void,
  broadcast: string,
  timers: Set<NodeJS.Timeout>,
  delay: number = REPEAT,
): void {
  // An address that cannot be reached, or a name that is unknown, only means that nothing is found.
  ask((datagram, to, host) =>
    socket.send(datagram, to, host === BROADCAST ? broadcast : host, () => undefined),
  );
  const timer = setTimeout(() => {
    timers.delete(timer);
    repeat(socket, ask, broadcast, timers, 2 * delay);
  }, delay);
  timers.add(timer);
}

/** The IPv4 networks of this machine: its own address in each, and the address of all. */
function ownNetworks(): readonly { readonly address: string; readonly broadcast: string }[] {
  return Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).flatMap(({ family, address, netmask, internal }) =>
      family === 'IPv4' && !internal ? [{ address, broadcast: broadcastOf(address, netmask) }] : [],
    ),
  );
}

/** The broadcast address of a network: all bits of the host are set. */
export function broadcastOf(address: string, netmask: string): string {
  const mask = netmask.split('.').map(Number);
  return address
    .split('.')
    .map((part, at) => Number(part) | (~(mask[at] ?? 255) & 255))
    .join('.');
}
