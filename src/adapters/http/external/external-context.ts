import type { ApiContext } from '../core/api-context.js';
import type { ReadAccess } from './access.js';
import type { TextThreads } from './observations/text-threads.js';

/** What the endpoints of the external API are made from. */
export interface ExternalContext extends ApiContext {
  /** Who may read weather data. */
  readonly readAccess: ReadAccess;
  /** Threads that write the text of large replies. */
  readonly textThreads: TextThreads;
}
