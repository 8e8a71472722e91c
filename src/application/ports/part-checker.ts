import type { PartToCheck } from '#domain/weather/quality/check-part.js';
import type { Series } from '#domain/weather/series.js';

/** Runs `checkPart`, the quality control of a part of a station's rows, without delaying other work. */
export interface PartChecker {
  /**
   * Returns the result of `checkPart`. The caller must not use the rows `part.stored` afterwards, because they may be moved to
   * a thread. The rows of the neighbors stay usable.
   *
   * @throws DomainError SERVICE_UNAVAILABLE if the part could not be checked this time
   */
  check(part: PartToCheck): Promise<Series | undefined>;
}
