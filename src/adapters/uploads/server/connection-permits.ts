export interface ConnectionLimits {
  /** Largest number of requests that are served at the same time. */
  readonly permits: number;
  /** Largest number of requests of one network that are served at the same time. */
  readonly permitsOfNetwork: number;
  /**
   * Largest number of connections without a permit, that is, of connections whose request is not being served. Each keeps at most
   * one request in memory.
   */
  readonly connectionsWithoutPermit: number;
  /** Largest number of connections of one network without a permit, that is, of connections whose request is not being served. */
  readonly connectionsWithoutPermitOfNetwork: number;
}

/**
 * A connection that needs a permit, from its start to its end. The request of the connection is served only while it has a
 * permit.
 */
export interface ConnectionEntry {
  /**
   * Resolves when the connection has a permit, so that its request may be served. It never resolves if the connection ends
   * without a permit.
   */
  acquire(): Promise<void>;
  /** Releases the permit. */
  release(): void;
  /** Must be called when the connection has ended. */
  end(): void;
}

interface Connection {
  readonly end: () => void;
  /** Called when the connection gets the permit for which it waits. */
  begin: () => void;
}

/** The connections of one network. */
interface NetworkConnections {
  /** Connections with a permit, whose request is served. */
  readonly served: Set<Connection>;
  /** Connections with a complete request and without a permit, in the order of arrival. */
  readonly waiting: Set<Connection>;
  /** Connections whose request is not complete, or whose reply has not been read. */
  readonly idle: Set<Connection>;
}

/**
 * Gives permits to connections. The request of a connection is served only while the connection has a permit. A connection is in
 * one of three states:
 *
 * - idle: its request is not complete, or its reply has not been read. It needs no permit. So a client that sends nothing, or
 *   sends slowly, does not take a permit from others.
 * - waiting: its request is complete, but it has no permit yet. A free permit goes to the network with the fewest permits, and
 *   within a network to the connection that arrived last, because its client is most likely still waiting.
 * - served: it has a permit.
 *
 * If there are too many connections without a permit, the oldest idle connection is ended. It most likely belongs to a client
 * that sends slowly, because a client that sends its request in one piece is idle only for a moment.
 */
export class ConnectionPermits {
  readonly #limits: ConnectionLimits;
  readonly #onRefused: () => void;
  readonly #networks = new Map<string | null, NetworkConnections>();
  #served = 0;
  #waiting = 0;
  #idle = 0;

  /** @param onRefused called for each connection that is ended because there are too many connections without a permit */
  constructor(limits: ConnectionLimits, onRefused: () => void) {
    this.#limits = limits;
    this.#onRefused = onRefused;
  }

  /**
   * Adds a connection.
   *
   * @param network null for a network without a limit of its own, such as the network of a trusted proxy
   * @param end ends the connection to make room for others
   */
  add(network: string | null, end: () => void): ConnectionEntry {
    const connection: Connection = { end, begin: () => undefined };
    const group = this.#connectionsOf(network);
    this.#addIdle(connection, group);
    this.#removeExcess(network, group);
    return {
      acquire: () =>
        new Promise((resolve) => {
          connection.begin = resolve;
          if (!group.idle.delete(connection)) return;
          this.#idle -= 1;
          if (this.#hasPermit(network, group)) this.#grant(connection, group);
          else {
            group.waiting.add(connection);
            this.#waiting += 1;
          }
        }),
      release: () => {
        if (!group.served.delete(connection)) return;
        this.#served -= 1;
        this.#addIdle(connection, group);
        this.#grantFree();
      },
      end: () => this.#remove(connection, network, group),
    };
  }

  #addIdle(connection: Connection, { idle }: NetworkConnections): void {
    idle.add(connection);
    this.#idle += 1;
  }

  #remove(connection: Connection, network: string | null, group: NetworkConnections): void {
    if (group.idle.delete(connection)) this.#idle -= 1;
    else if (group.waiting.delete(connection)) this.#waiting -= 1;
    else if (group.served.delete(connection)) {
      this.#served -= 1;
      this.#grantFree();
    }
    if (group.served.size + countWithoutPermit(group) === 0 && this.#networks.get(network) === group)
      this.#networks.delete(network);
  }

  /**
   * Ends a connection if there are too many connections without a permit. Must be called after a connection was added to `group`.
   */
  #removeExcess(network: string | null, group: NetworkConnections): void {
    const { connectionsWithoutPermit, connectionsWithoutPermitOfNetwork } = this.#limits;
    const crowded: readonly [string | null, NetworkConnections] | undefined =
      network !== null && countWithoutPermit(group) > connectionsWithoutPermitOfNetwork
        ? [network, group]
        : this.#idle + this.#waiting > connectionsWithoutPermit
          ? this.#largest()
          : undefined;
    if (crowded === undefined) return;
    const [of, { idle, waiting }] = crowded;
    // A connection is idle while its request is not complete or its reply has not been read. It is waiting while its complete
    // request has no permit. Normally the oldest idle connection is ended. A single idle connection may be the new one, so the
    // oldest waiting connection is ended instead.
    const [oldest] = idle.size > 1 || waiting.size === 0 ? idle : waiting;
    if (oldest === undefined) return;
    this.#onRefused();
    this.#remove(oldest, of, crowded[1]);
    oldest.end();
  }

  /** Gives free permits to waiting connections. */
  #grantFree(): void {
    while (this.#waiting > 0) {
      let next: NetworkConnections | undefined;
      for (const [network, group] of this.#networks) {
        if (group.waiting.size === 0 || !this.#hasPermit(network, group)) continue;
        if (next === undefined || group.served.size < next.served.size) next = group;
      }
      const connection = next && [...next.waiting].at(-1);
      if (next === undefined || connection === undefined) return;
      next.waiting.delete(connection);
      this.#waiting -= 1;
      this.#grant(connection, next);
    }
  }

  #grant(connection: Connection, { served }: NetworkConnections): void {
    served.add(connection);
    this.#served += 1;
    connection.begin();
  }

  #hasPermit(network: string | null, { served }: NetworkConnections): boolean {
    const { permits, permitsOfNetwork } = this.#limits;
    return this.#served < permits && (network === null || served.size < permitsOfNetwork);
  }

  #largest(): readonly [string | null, NetworkConnections] | undefined {
    let largest: readonly [string | null, NetworkConnections] | undefined;
    for (const one of this.#networks)
      if (largest === undefined || countWithoutPermit(one[1]) > countWithoutPermit(largest[1])) largest = one;
    return largest;
  }

  #connectionsOf(network: string | null): NetworkConnections {
    const group: NetworkConnections = this.#networks.get(network) ?? {
      served: new Set(),
      waiting: new Set(),
      idle: new Set(),
    };
    this.#networks.set(network, group);
    return group;
  }
}

/** Number of connections of a network without a permit, that is, of connections whose request is not being served. */
function countWithoutPermit({ waiting, idle }: NetworkConnections): number {
  return waiting.size + idle.size;
}
