import type { IncomingHttpHeaders } from 'node:http';
import type { UploadReach } from '#application/uploads/setup/upload-addresses.js';
import type { UploadListening, UploadsChange } from '#application/ports/upload-listening.js';
import type { Caller } from '#domain/accounts/audit-event.js';
import type { ImportFormat } from '#adapters/formats/import-formats/import-format.js';
import type { DerivedQuantity } from '#domain/weather/derived/quantity.js';
import type { UploadsReach } from '#domain/uploads/uploads-reach.js';
import type { ApiContext } from '../core/api-context.js';
import type { ReadAccess } from './access.js';
import type { TextThreads } from './observations/text-threads.js';
import type { WithPermit } from './read-permits.js';

/** The dependencies of the endpoints of the external API. */
export interface ExternalContext extends ApiContext {
  /** The access to weather data. */
  readonly readAccess: ReadAccess;
  /** Reads rows with a permit, which limits the memory of all reads together; see `WithPermit`. */
  readonly withPermit: WithPermit;
  /** Threads that write the text of large replies. */
  readonly textThreads: TextThreads;
  /**
   * How a visitor of this machine reaches the service, to make the first administrator. Undefined if the service does not offer
   * this, for example behind a proxy, where remote visitors look local.
   */
  readonly setup: SetupAccess | undefined;
  /**
   * The addresses on which the service listens. People are told which of them to enter in a console (a device that sends the
   * values of a weather station).
   */
  readonly uploadReach: () => UploadReach;
  readonly uploads: UploadsControl;
  /** The quantity `feels_like` of this service; see `feelsLikeBy`. */
  readonly feelsLike: DerivedQuantity;
  /** Largest file that can be imported, in bytes. */
  readonly importLimit: number;
  /** The import formats, which are listed for people. */
  readonly importFormats: readonly ImportFormat[];
}

/** Shows and changes the setting of uploads. In a worker process, the main process changes it. */
export interface UploadsControl {
  readonly state: () => UploadListening;
  readonly change: (reach: UploadsReach, caller: Caller) => Promise<UploadsChange>;
}

export interface SetupAccess {
  /** Whether a request comes from this machine: its address, its `Host`, and no header of a proxy. */
  readonly isLocal: (address: string | null, headers: IncomingHttpHeaders) => boolean;
  readonly scheme: 'http' | 'https';
}
