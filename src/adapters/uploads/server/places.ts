export interface ConnectionLimits {
  /** Requests that are served at a time, of all networks. */
  readonly places: number;
  /** Of one network. */
  readonly placesOfNetwork: number;
  /** Connections without a place. Each holds a request at most. */
  readonly others: number;
  readonly othersOfNetwork: number;
}

/** A connection, from its beginning to its end. */
export interface Entry {
  /** Resolves when it has a place. Never, if it ends before. */
  take(): Promise<void>;
  /** Gives its place back. */
  giveBack(): void;
  /** Must be called when the connection has ended. */
  leave(): void;
}

interface Connection {
  readonly end: () => void;
  /** Called when it gets the place for which it waits. */
  begin: () => void;
}

interface Share {
  /** Those that are served. */
  readonly holding: Set<Connection>;
  /** Those whose request is complete, and which have no place yet. The one that arrived last comes last. */
  readonly waiting: Set<Connection>;
  /** Those whose request is not complete, or whose reply is not read yet. */
  readonly idle: Set<Connection>;
}

/**
 * The places of connections whose request is complete. Where all are taken, a connection waits until one is free. The network with
 * the fewest places comes first, and of one network the connection that arrived last: its client still waits, whatever has piled
 * up before it. Silent and slow clients never have a place. Where there are too many connections without one, the oldest that is
 * idle is ended: who sends a request in one piece is idle for a moment only.
 */
export class ConnectionPermits {
  readonly #limits: ConnectionLimits;
  readonly #onRefused: () => void;
  readonly #shares = new Map<string | null, Share>();
  #holding = 0;
  #waiting = 0;
  #idle = 0;

  /** @param onRefused called for each connection that is ended */
  constructor(limits: ConnectionLimits, onRefused: () => void) {
    this.#limits = limits;
    this.#onRefused = onRefused;
  }

  /**
   * Takes a connection.
   *
   * @param network null for a network without a share of its own, such as that of a trusted proxy
   * @param end ends it, so that others can come
   */
  enter(network: string | null, end: () => void): Entry {
    const connection: Connection = { end, begin: () => undefined };
    const share = this.#shareOf(network);
    this.#addIdle(connection, share);
    this.#removeBeyond(network, share);
    return {
      take: () =>
        new Promise((resolve) => {
          connection.begin = resolve;
          if (!share.idle.delete(connection)) return;
          this.#idle -= 1;
          if (this.#hasPlace(network, share)) this.#place(connection, share);
          else {
            share.waiting.add(connection);
            this.#waiting += 1;
          }
        }),
      giveBack: () => {
        if (!share.holding.delete(connection)) return;
        this.#holding -= 1;
        this.#addIdle(connection, share);
        this.#fill();
      },
      leave: () => this.#leave(connection, network, share),
    };
  }

  #addIdle(connection: Connection, { idle }: Share): void {
    idle.add(connection);
    this.#idle += 1;
  }

  #leave(connection: Connection, network: string | null, share: Share): void {
    if (share.idle.delete(connection)) this.#idle -= 1;
    else if (share.waiting.delete(connection)) this.#waiting -= 1;
    else if (share.holding.delete(connection)) {
      this.#holding -= 1;
      this.#fill();
    }
    if (share.holding.size + othersOf(share) === 0 && this.#shares.get(network) === share)
      this.#shares.delete(network);
  }

  /** Ends a connection if there are too many without a place after one has come to `share`. */
  #removeBeyond(network: string | null, share: Share): void {
    const { others, othersOfNetwork } = this.#limits;
    const crowded: readonly [string | null, Share] | undefined =
      network !== null && othersOf(share) > othersOfNetwork
        ? [network, share]
        : this.#idle + this.#waiting > others
          ? this.#mostCrowded()
          : undefined;
    if (crowded === undefined) return;
    const [of, { idle, waiting }] = crowded;
    // The one that has just come is no reason to keep all that wait.
    const [oldest] = idle.size > 1 || waiting.size === 0 ? idle : waiting;
    if (oldest === undefined) return;
    this.#onRefused();
    this.#leave(oldest, of, crowded[1]);
    oldest.end();
  }

  /** Gives free places to those that wait. */
  #fill(): void {
    while (this.#waiting > 0) {
      let next: Share | undefined;
      for (const [network, share] of this.#shares) {
        if (share.waiting.size === 0 || !this.#hasPlace(network, share)) continue;
        if (next === undefined || share.holding.size < next.holding.size) next = share;
      }
      const connection = next && [...next.waiting].at(-1);
      if (next === undefined || connection === undefined) return;
      next.waiting.delete(connection);
      this.#waiting -= 1;
      this.#place(connection, next);
    }
  }

  #place(connection: Connection, { holding }: Share): void {
    holding.add(connection);
    this.#holding += 1;
    connection.begin();
  }

  #hasPlace(network: string | null, { holding }: Share): boolean {
    const { places, placesOfNetwork } = this.#limits;
    return this.#holding < places && (network === null || holding.size < placesOfNetwork);
  }

  #mostCrowded(): readonly [string | null, Share] | undefined {
    let most: readonly [string | null, Share] | undefined;
    for (const one of this.#shares)
      if (most === undefined || othersOf(one[1]) > othersOf(most[1])) most = one;
    return most;
  }

  #shareOf(network: string | null): Share {
    const share: Share = this.#shares.get(network) ?? {
      holding: new Set(),
      waiting: new Set(),
      idle: new Set(),
    };
    this.#shares.set(network, share);
    return share;
  }
}

/** Number of connections without a place. */
function othersOf({ waiting, idle }: Share): number {
  return waiting.size + idle.size;
}
