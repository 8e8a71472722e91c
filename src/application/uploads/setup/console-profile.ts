/** A host and a port under which a sender reaches the service. `host` is a name or an IP address, without brackets. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** The addresses for uploads, as a sender reaches them. */
export interface UploadAddresses {
  /** The listener for uploads. It uses plain HTTP. */
  readonly plain: HostPort;
  /** The external API. It accepts uploads too if it has TLS. */
  readonly api: HostPort & { readonly tls: boolean };
}

/** A new key: the station to which it writes, and its secret, which is shown only once. */
export interface KeyedStation {
  readonly station: string;
  readonly key: string;
}

/**
 * The listener to which a console or program sends, and the format that it sends.
 *
 * - `plain`: the listener for uploads, over plain HTTP.
 * - `tls`: the external API, with uploads as for `plain`. The external API accepts uploads only if it has TLS.
 * - `api`: the external API, with observations in the format of the API and not as uploads.
 * - `none`: a server that is not part of this service, for example an MQTT broker.
 */
export type ConsoleListener = 'plain' | 'tls' | 'api' | 'none';

/** The address and the credentials that a console uses. */
export interface ConsoleTarget extends HostPort, KeyedStation {
  /** The URL of the listener, for example `http://192.168.1.5:8082`, without a slash at the end. */
  readonly url: string;
}

/** The values that a person enters in the form of a console. A field that the form does not have is absent. */
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

/** How a console or software is configured to send uploads. */
export interface ConsoleProfile {
  /** A stable name for programs. */
  readonly profile: string;
  /** Manufacturer and models of the console, or name of the software. */
  readonly make: string;
  readonly listener: ConsoleListener;
  /** The place where the values are entered: menus, a file or a command. */
  readonly where: string;
  readonly form?: (target: ConsoleTarget) => Form;
  /** The words for the fields on the screen of the console, where they are known. */
  readonly words?: Readonly<Partial<Record<keyof Form, string>>>;
  /** A text to copy without changes: a section of a file, a URL or a command. */
  readonly text?: (target: ConsoleTarget) => string;
  readonly note?: string;
}
