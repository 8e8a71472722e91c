import type { UploadReach } from '#application/uploads/setup/upload-addresses.js';
import type { ApiContext } from '../core/api-context.js';
import type { ReadAccess } from './access.js';
import type { TextThreads } from './observations/text-threads.js';
import type { WithPermit } from './read-permits.js';

/** The dependencies of the endpoints of the external API. */
export interface ExternalContext extends ApiContext {
  /** The access to weather data. */
  readonly readAccess: ReadAccess;
  /** Runs a read with a permit of the read gate. */
  readonly withPermit: WithPermit;
  /** Threads that write the text of large replies. */
  readonly textThreads: TextThreads;
  /** Describes how consoles reach the listener for uploads. */
  readonly uploadReach: UploadReach;
}
