/** A connection that holds a place, or waits for one. */
export interface Placed {
  /** Called once, when it gets a place. */
  begin(): void;
  /**
   * Clock reading in milliseconds since which it holds its place without work for the service: its request is not complete, or
   * its reply is not read. undefined while its request is served.
   */
  readonly idleSince: number | undefined;
  /** Ends it, so that others get its place. It calls `leave` of its entry. */
  giveUp(): void;
}

export interface PlaceLimits {
  /** Connections that are read at a time, of all networks. Each holds at most a request. */
  readonly places: number;
  /** Of one network. */
  readonly placesOfNetwork: number;
  /** Connections that wait, unread. */
  readonly waiting: number;
  readonly waitingOfNetwork: number;
  /** Milliseconds for which a connection keeps its place without work while others wait for it. */
  readonly idleTime: number;
  /** Milliseconds after which a connection that waits is closed, because its client has given up. */
  readonly waitingTime: number;
}

interface Entry {
  readonly placed: Placed;
  readonly network: string | null;
  readonly arrivedAt: number;
}

interface Share {
  readonly holding: Set<Entry>;
  /** The one that arrived last comes last. */
  readonly waiting: Set<Entry>;
}

/**
 * The places of connections. Where all are taken, a connection waits unread until one is free. The network with the fewest places
 * comes first, and of one network the connection that arrived last: its client still waits, whatever has piled up before it. A
 * client that is slow keeps its place only while nobody waits for it.
 */
export class Places {
  readonly #limits: PlaceLimits;
  readonly #now: () => number;
  readonly #onRefused: () => void;
  readonly #shares = new Map<string | null, Share>();
  #holding = 0;
  #waiting = 0;

  /** @param onRefused called for each connection that is closed unread */
  constructor(limits: PlaceLimits, now: () => number, onRefused: () => void) {
    this.#limits = limits;
    this.#now = now;
    this.#onRefused = onRefused;
  }

  /** Whether connections wait. `sweep` must be called now and then while they do. */
  get isCrowded(): boolean {
    return this.#waiting > 0;
  }

  /**
   * Takes a connection. It begins at once, or when a place is free.
   *
   * @param network null for a network without a share of its own, such as that of a trusted proxy
   * @returns must be called when the connection has ended
   */
  enter(placed: Placed, network: string | null): () => void {
    const share = this.#shareOf(network);
    const entry: Entry = { placed, network, arrivedAt: this.#now() };
    if (this.#hasPlace(network, share)) this.#place(entry, share);
    else this.#wait(entry, share);
    return () => this.#leave(entry, share);
  }

  /** Takes places from connections that have no work for the service, and closes those that have waited for too long. */
  sweep(): void {
    const now = this.#now();
    const { idleTime, waitingTime, places } = this.#limits;
    for (const { waiting } of this.#shares.values())
      for (const entry of waiting) {
        if (now - entry.arrivedAt < waitingTime) break;
        this.#refuse(entry);
      }
    if (this.#waiting === 0) return;
    const isFull = this.#holding >= places;
    // Of the networks that hold most, so that each keeps its share.
    const shares = [...this.#shares.values()].toSorted((a, b) => b.holding.size - a.holding.size);
    let wanted = this.#waiting;
    for (const { holding, waiting } of shares) {
      if (!isFull && waiting.size === 0) continue;
      for (const { placed } of holding) {
        if (wanted === 0) return;
        if (placed.idleSince === undefined || now - placed.idleSince < idleTime) continue;
        wanted -= 1;
        placed.giveUp();
      }
    }
  }

  #wait(entry: Entry, share: Share): void {
    share.waiting.add(entry);
    this.#waiting += 1;
    const { waiting, waitingOfNetwork } = this.#limits;
    const crowded =
      entry.network !== null && share.waiting.size > waitingOfNetwork
        ? share
        : this.#waiting > waiting
          ? this.#mostWaiting()
          : undefined;
    const [oldest] = crowded?.waiting ?? [];
    if (oldest !== undefined) this.#refuse(oldest);
  }

  #refuse(entry: Entry): void {
    this.#onRefused();
    entry.placed.giveUp();
    this.#leave(entry, this.#shareOf(entry.network));
  }

  #leave(entry: Entry, share: Share): void {
    if (share.waiting.delete(entry)) this.#waiting -= 1;
    else if (share.holding.delete(entry)) {
      this.#holding -= 1;
      this.#fill();
    }
    if (share.holding.size + share.waiting.size === 0) this.#shares.delete(entry.network);
  }

  /** Gives free places to those that wait. */
  #fill(): void {
    while (this.#waiting > 0) {
      let next: [string | null, Share] | undefined;
      for (const one of this.#shares) {
        const [network, share] = one;
        if (share.waiting.size === 0 || !this.#hasPlace(network, share)) continue;
        if (next === undefined || share.holding.size < next[1].holding.size) next = one;
      }
      if (next === undefined) return;
      const [, share] = next;
      const entry = [...share.waiting].at(-1);
      if (entry === undefined) return;
      share.waiting.delete(entry);
      this.#waiting -= 1;
      this.#place(entry, share);
    }
  }

  #place(entry: Entry, share: Share): void {
    share.holding.add(entry);
    this.#holding += 1;
    entry.placed.begin();
  }

  #hasPlace(network: string | null, { holding }: Share): boolean {
    const { places, placesOfNetwork } = this.#limits;
    return this.#holding < places && (network === null || holding.size < placesOfNetwork);
  }

  #mostWaiting(): Share | undefined {
    let most: Share | undefined;
    for (const share of this.#shares.values())
      if (share.waiting.size > (most?.waiting.size ?? 0)) most = share;
    return most;
  }

  #shareOf(network: string | null): Share {
    const share = this.#shares.get(network) ?? { holding: new Set<Entry>(), waiting: new Set<Entry>() };
    this.#shares.set(network, share);
    return share;
  }
}
