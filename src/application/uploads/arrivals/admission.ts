/** The look-up of the key of an upload. */
export interface LookUp<T> {
  readonly find: () => Promise<T>;
  readonly isValid: (found: T) => boolean;
  /** Whether the credentials could be found by trying many values. */
  readonly isGuessable: boolean;
}

/** A request that has arrived. The number of requests of an address without a valid key is limited; see `AddressLimit`. */
export interface Admission {
  /**
   * Whether the limit of the address was not reached when this request arrived. If it was reached, a request without a key is
   * refused.
   */
  readonly isWithin: boolean;
  /**
   * Milliseconds for which an upload of the request may wait before it is stored. With a longer wait, the sender would get its
   * reply too late.
   */
  timeToWait(): number;
  /**
   * Looks up the key of an upload of the request. If the key is valid, the request no longer counts towards the limit of its
   * address.
   *
   * @returns the result of the look-up. If the address has reached its limit: undefined for an invalid key, and for a key that
   *   was not looked up, for example because too many requests wait
   */
  identify<T>(lookUp: LookUp<T>): Promise<T | undefined>;
}
