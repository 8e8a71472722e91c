import type { ApiContext } from '../core/api-context.js';
import type { ReadAccess } from './access.js';

/** What the endpoints of the external API are made from. */
export interface ExternalContext extends ApiContext {
  /** Who may read weather data. */
  readonly readAccess: ReadAccess;
}
