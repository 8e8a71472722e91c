import type { MetricFamily } from '#adapters/formats/openmetrics/exposition.js';
import type { ApiContext } from '../core/api-context.js';
import type { BulkGate } from './bulk-gate.js';

/** The dependencies of the endpoints of the internal API. */
export interface InternalContext extends ApiContext {
  /** Whether callers must send the internal secret. */
  readonly secured: boolean;
  /** The text of the C header. */
  readonly header: string;
  /** Reads the metrics of the service with their current values. */
  readonly metrics: () => Promise<readonly MetricFamily[]>;
  /** Limits the requests that send or receive frames (pieces of binary data with many rows), all of them together. */
  readonly gate: BulkGate;
}
