/** The caller of a read, as the read gate sees it. The read gate limits the memory and the work of all reads; see `ReadGate`. */
export interface GateClient {
  /** Network of the caller. The memory of all reads of a network together is limited. */
  readonly network: string;
  /** Signal that fires when the caller no longer waits for the result. Each request has a signal of its own. */
  readonly signal: AbortSignal;
}

/**
 * The permit of a request at the read gate, which limits the memory and the work of all reads (see `ReadGate`). All reads of the
 * request share the permit, so that they do not wait for each other. The permit counts the cells (values of rows, with 8 bytes
 * each) that the request holds from its admission until its reply has been sent.
 */
export interface Permit {
  /** The signal of the caller; undefined for the command line. */
  readonly signal: AbortSignal | undefined;
  /**
   * Resolves when the read may begin. The permit then counts `cells`, the expected number of values that the read holds in
   * memory.
   *
   * - If an earlier read of the request needed more cells, the permit keeps the larger number.
   * - While the read waits, the permit counts no cells.
   * - After the reply has begun, the cells are counted without waiting, because the reply can no longer be refused.
   *
   * @param cells may exceed the limit of a network: such a read is admitted if the network has no other read
   * @throws DomainError before the reply has begun: RATE_LIMITED if the network has too many reads; SERVICE_UNAVAILABLE if all
   *   networks together have too many reads
   */
  acquire(cells: number): Promise<void>;
  /**
   * Corrects the number of values in memory that the permit counts, if the estimate for `acquire` was lower than `cells`. The
   * call does not wait.
   */
  charge(cells: number): void;
  /** Resolves in a later turn of the event loop. In each turn one of the waiting reads continues. */
  turn(): Promise<void>;
}

/** The permit as the handler of the request sees it. Only the handler creates and releases permits. */
export interface RequestPermit extends Permit {
  /**
   * Must be called when the reply begins. From then on no read of the request waits or is refused at the gate. The permit is kept
   * until `release`, even if the caller has disconnected, because threads may still write data for the reply.
   */
  begin(): void;
  /** Ends the permit, so that the values that the request has read no longer count. A second call does nothing. */
  release(): void;
}

/** A permit without limits, for the command line. */
export const UNLIMITED: Permit = {
  signal: undefined,
  acquire: () => Promise.resolve(),
  charge: () => undefined,
  turn: () => Promise.resolve(),
};
