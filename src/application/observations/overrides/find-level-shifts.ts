import { type LevelShift, findLevelShifts } from '#domain/weather/quality/level-shifts.js';
import { VARIABLES } from '#domain/weather/variables.js';
import type { StationSnapshot } from '../read/describe-station.js';
import type { ObservationRange } from '../read/observation-query.js';
import { type Permit, UNLIMITED } from '../read/gate/permit.js';
import type { ReadInput, ReadObservations } from '../read/read-observations.js';

/** Names of the variables whose steps from one value to the next are checked. */
const STEP_VARIABLES = VARIABLES.filter(({ step }) => step !== undefined).map(({ name }) => name);

export interface FoundLevelShifts extends ObservationRange {
  readonly steps: readonly LevelShift[];
  /** Time at which the search ended because the limit of rows was reached; null if all rows were searched. */
  readonly next: number | null;
}

/**
 * Finds level shifts. A level shift is a step from one value to the next after which the values stay at the new level for a long
 * time or forever. With the result, an operator can decide whether the values after each shift are good.
 */
export class FindLevelShifts {
  readonly #read: ReadObservations;

  constructor(read: ReadObservations) {
    this.#read = read;
  }

  /** @throws DomainError as `ReadObservations` */
  async execute(
    described: StationSnapshot,
    { variables = STEP_VARIABLES, ...input }: Omit<ReadInput, 'quality'>,
    permit: Permit = UNLIMITED,
  ): Promise<FoundLevelShifts> {
    const page = await this.#read.execute(described, { ...input, variables, quality: 'all' }, permit);
    const { from, to, next } = page;
    return { from, to, steps: findLevelShifts(page.series), next };
  }
}
