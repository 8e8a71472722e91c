import type { MetricFamily } from '#adapters/formats/openmetrics/exposition.js';
import type { ApiContext } from '../core/api-context.js';
import type { BulkGate } from './bulk-gate.js';

/** The dependencies of the endpoints of the internal API. */
export interface InternalContext extends ApiContext {
  /** Whether callers must send the internal secret. */
  readonly secured: boolean;
  /** The text of the C header. */
  readonly header: string;
  /** The metrics of the service with their present values. */
  readonly metrics: () => Promise<readonly MetricFamily[]>;
  /** Shared by all requests with frames. */
  readonly gate: BulkGate;
}
