/** How the key of an upload is looked up. */
export interface LookUp<T> {
  readonly find: () => Promise<T>;
  readonly isRight: (found: T) => boolean;
  /** Whether the credentials can be found by trying many. */
  readonly isGuessable: boolean;
}

/** A request that has arrived, and what its address may still do. */
export interface Admission {
  /** Whether its address had a request left. A request that has no key to look up is refused otherwise. */
  readonly isWithin: boolean;
  /** Milliseconds for which an upload of the request may wait before it is stored. Its sender gets a reply soon after. */
  timeToWait(): number;
  /**
   * Looks up the key of an upload of the request, and gives the request back if the key is right.
   *
   * @returns undefined where the address has no request left and the key is not right, or was not looked up
   */
  identify<T>(lookUp: LookUp<T>): Promise<T | undefined>;
}
