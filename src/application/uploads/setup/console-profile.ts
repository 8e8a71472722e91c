/** A host and a port as a sender reaches them. `host` is a name or an IP address, without brackets. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** Where uploads of a station arrive, as a sender reaches it. */
export interface UploadAddresses {
  /** The listener for uploads, which speaks plain HTTP. */
  readonly plain: HostPort;
  /** The external API, which takes uploads too if it has TLS. */
  readonly api: HostPort & { readonly tls: boolean };
}

/** What a key opens: the station that it writes, and the secret that was shown once. */
export interface KeyedStation {
  readonly station: string;
  readonly key: string;
}

/**
 * Where a make sends to: `plain` is the listener for uploads, `tls` the external API, which takes uploads only if it has TLS,
 * `api` a route of the external API, and `none` another place.
 */
export type Way = 'plain' | 'tls' | 'api' | 'none';

/** The address that a make sends to. */
export interface ConsoleTarget extends HostPort, KeyedStation {
  /** `http://192.168.1.5:8082`, without a slash at its end. */
  readonly url: string;
}

/** The fields of a form. A form that has no such field needs nothing there. */
export interface Form {
  readonly protocol?: string;
  readonly server?: string;
  readonly path?: string;
  readonly port?: number;
  readonly id?: string;
  readonly password?: string;
  /** Seconds between two uploads. */
  readonly interval?: number;
}

/** A make of console or software, and how to type the address into it. */
export interface ConsoleProfile {
  readonly make: string;
  readonly way: Way;
  /** Where the form is: menus, a file, a command. */
  readonly where: string;
  readonly form?: (target: ConsoleTarget) => Form;
  /** A text to copy as it stands: a section of a file, a URL, a command. */
  readonly text?: (target: ConsoleTarget) => string;
  readonly note?: string;
}
