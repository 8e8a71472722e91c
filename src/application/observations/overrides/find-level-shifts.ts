import { type LevelShift, findLevelShifts } from '#domain/weather/quality/level-shifts.js';
import { VARIABLES } from '#domain/weather/variables.js';
import type { StationSnapshot } from '../read/describe-station.js';
import type { ObservationRange } from '../read/observation-query.js';
import { type Permit, UNLIMITED } from '../read/gate/permit.js';
import type { ReadInput, ReadObservations } from '../read/read-observations.js';

/** The variables whose steps are checked. */
const WITH_STEP = VARIABLES.filter(({ step }) => step !== undefined).map(({ name }) => name);

export interface FoundSteps extends ObservationRange {
  readonly steps: readonly LevelShift[];
  /** Time from which rows were not searched any more, or null. */
  readonly next: number | null;
}

/** Finds changes of level that have not returned soon, so that an operator can judge the values after them. */
export class FindLevelShifts {
  readonly #read: ReadObservations;

  constructor(read: ReadObservations) {
    this.#read = read;
  }

  /** @throws DomainError as `ReadObservations` */
  async execute(
    described: StationSnapshot,
    { variables = WITH_STEP, ...input }: Omit<ReadInput, 'quality'>,
    permit: Permit = UNLIMITED,
  ): Promise<FoundSteps> {
    const page = await this.#read.execute(described, { ...input, variables, quality: 'all' }, permit);
    const { from, to, next } = page;
    return { from, to, steps: findLevelShifts(page.series), next };
  }
}
