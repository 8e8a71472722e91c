import { type LastingStep, lastingSteps } from '#domain/weather/quality/lasting-steps.js';
import { VARIABLES } from '#domain/weather/variables.js';
import type { DescribedStation } from '../read/describe-station.js';
import type { Range } from '../read/observation-query.js';
import { type Place, UNLIMITED } from '../read/gate/place.js';
import type { ReadInput, ReadObservations } from '../read/read-observations.js';

/** The variables whose steps are checked. */
const WITH_STEP = VARIABLES.filter(({ step }) => step !== undefined).map(({ name }) => name);

export interface FoundSteps extends Range {
  readonly steps: readonly LastingStep[];
  /** Time from which rows were not searched any more, or null. */
  readonly next: number | null;
}

/** Finds changes of level that have not returned soon, so that an operator can judge the values after them. */
export class FindLastingSteps {
  readonly #read: ReadObservations;

  constructor(read: ReadObservations) {
    this.#read = read;
  }

  /** @throws DomainError as `ReadObservations` */
  async execute(
    described: DescribedStation,
    { variables = WITH_STEP, ...input }: Omit<ReadInput, 'quality'>,
    place: Place = UNLIMITED,
  ): Promise<FoundSteps> {
    const page = await this.#read.execute(described, { ...input, variables, quality: 'all' }, place);
    const { from, to, next } = page;
    return { from, to, steps: lastingSteps(page.series), next };
  }
}
