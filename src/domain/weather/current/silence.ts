/** A station is silent if its newest row is older than this number of reporting intervals. */
export const SILENT_INTERVALS = 3;
/** Reporting interval that is assumed for a station without a configured interval, in seconds. */
export const DEFAULT_REPORTING_INTERVAL = 600;

/**
 * Whether a value or a row is so old that its station no longer reports.
 *
 * @param age in seconds
 * @param reportingInterval in seconds; null if it is not configured
 */
export function isStale(age: number, reportingInterval: number | null): boolean {
  return age > SILENT_INTERVALS * (reportingInterval ?? DEFAULT_REPORTING_INTERVAL);
}
