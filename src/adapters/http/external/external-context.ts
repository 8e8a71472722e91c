import type { UploadReach } from '#application/uploads/setup/upload-addresses.js';
import type { ApiContext } from '../core/api-context.js';
import type { ReadAccess } from './access.js';
import type { TextThreads } from './observations/text-threads.js';
import type { WithPlace } from './read-places.js';

/** The dependencies of the endpoints of the external API. */
export interface ExternalContext extends ApiContext {
  /** Who may read weather data. */
  readonly readAccess: ReadAccess;
  /** Gives a request its place at the read gate. */
  readonly withPlace: WithPlace;
  /** Threads that write the text of large replies. */
  readonly textThreads: TextThreads;
  /** How the service listens for uploads. */
  readonly uploadReach: UploadReach;
}
