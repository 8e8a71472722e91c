import type { SourceReply, SourceRequest, SourceSearch } from './source-kind.js';

/** Which addresses a source may reach: private and loopback ones, public ones, or both. */
export type AddressRule = 'private' | 'public' | 'any';

/** A request or a connection to a source. */
export interface Exchange {
  readonly rule: AddressRule;
  readonly signal: AbortSignal;
}

/** The network as sources use it. Exchanges are limited in size and time. Failures are `SourceFailure`s. */
export interface SourceNetwork {
  /**
   * Sends a request without following redirects. A reply that the network may keep (`ETag`, `Last-Modified`) is asked for again
   * with a condition; the caller gets the kept reply if it has not changed.
   */
  fetch(request: SourceRequest, exchange: Exchange): Promise<SourceReply>;
  /** Sends bytes over TCP and reads until `isWhole` says so. */
  exchange(
    host: string,
    port: number,
    sent: Uint8Array,
    isWhole: (reply: Uint8Array) => boolean,
    exchange: Exchange,
  ): Promise<Uint8Array>;
  /**
   * Receives datagrams until the returned function is called. Listeners of the same port and address share a socket.
   *
   * @param address the address of an interface; undefined for all
   */
  listen(
    port: number,
    address: string | undefined,
    received: (datagram: Uint8Array, sender: string) => void,
  ): Promise<() => void>;
  /** Looks for devices in the local network. @param address asks there instead of everywhere */
  search(address: string | undefined, signal: AbortSignal): SourceSearch;
}
