/** The caller of a read. */
export interface GateClient {
  /** Reads from the same network share one part of the gate. */
  readonly network: string;
  /** Fires when the caller no longer waits for the result. Each request has a signal of its own. */
  readonly signal: AbortSignal;
}

/**
 * The permit of a request at the gate. All reads of the request share it, so that none of them waits for another one. What the
 * permit counts are the cells that the request holds from its admission until its reply has been sent.
 */
export interface Permit {
  /** That of the caller; undefined for the command line. */
  readonly signal: AbortSignal | undefined;
  /**
   * Resolves when the read may begin. The permit counts `cells` then, or more if an earlier read of the request needed more. If it
   * has to wait for them, it gives back first what it holds. After the reply has begun it counts them without waiting, because
   * the reply can no longer be refused.
   *
   * @param cells the expected number; a read above the limit of a network is admitted if the network has no other
   * @throws DomainError before the reply has begun: RATE_LIMITED if the network has too many reads; SERVICE_UNAVAILABLE if all
   *   have too many
   */
  acquire(cells: number): Promise<void>;
  /** Raises the number of cells to `cells` if the estimate was lower. It does not wait. */
  charge(cells: number): void;
  /** Resolves in a later turn of the event loop. In each turn one of the reads that wait here continues. */
  turn(): Promise<void>;
}

/** A permit, for what handles the request. Nothing else makes one or leaves it. */
export interface OwnPermit extends Permit {
  /**
   * Says that the reply begins. From now on nothing of this request waits or is refused at the gate, and the permit is kept until
   * `leave`, also when the caller has gone: threads may still write what was meant for it.
   */
  begin(): void;
  /** Gives the cells back, for good. Calling it twice does nothing. */
  release(): void;
}

/** The permit of a read without limits, as the command line makes it. */
export const UNLIMITED: Permit = {
  signal: undefined,
  acquire: () => Promise.resolve(),
  charge: () => undefined,
  turn: () => Promise.resolve(),
};
