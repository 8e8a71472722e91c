/** Amount of an hour, in mm, from which on it rains. */
export const RAIN = 0.2;

/** What was learned of the chances of rain of a provider: the log odds of its chance, times a slope, plus an offset. */
export interface LearnedChance {
  readonly offset: number;
  readonly slope: number;
  readonly cases: number;
  /** Trailing Brier scores of the chance of the provider, and of the calibrated chance. */
  readonly rawScore: number;
  readonly calibratedScore: number;
}

export const NO_CHANCE_LEARNED: LearnedChance = {
  offset: 0,
  slope: 1,
  cases: 0,
  rawScore: 0,
  calibratedScore: 0,
};

/** Fewest cases after which calibrated chances are published. */
const MIN_CASES = 400;
/** Chances of 0 and 1 have no log odds. */
const SMALLEST = 0.005;
const SCORE_WEIGHT = 0.005;
/** Speed of learning, and the number of cases after which it falls. */
const [SPEED, SLOWS_AFTER] = [0.05, 500];
const [SMALLEST_SLOPE, LARGEST_SLOPE, LARGEST_OFFSET] = [0.2, 3, 3];

const logOdds = (chance: number) => {
  const inside = Math.min(1 - SMALLEST, Math.max(SMALLEST, chance));
  return Math.log(inside / (1 - inside));
};

/** A calibrated chance. @param chance of the provider, from 0 to 1 */
export function calibrated({ offset, slope }: LearnedChance, chance: number): number {
  return 1 / (1 + Math.exp(-(offset + slope * logOdds(chance))));
}

/** Whether calibrated chances are better, so that they are published. */
export function isCalibrationPublished({ cases, rawScore, calibratedScore }: LearnedChance): boolean {
  return cases >= MIN_CASES && calibratedScore < rawScore;
}

/** Learns from one hour by a step down the gradient of the log loss. @param chance of the provider, from 0 to 1 */
export function withRain(learned: LearnedChance, chance: number, hasRained: boolean): LearnedChance {
  const own = calibrated(learned, chance);
  const outcome = hasRained ? 1 : 0;
  const speed = SPEED / Math.sqrt(1 + learned.cases / SLOWS_AFTER);
  const weight = Math.max(SCORE_WEIGHT, 1 / (learned.cases + 1));
  const offset = learned.offset + speed * (outcome - own);
  const slope = learned.slope + speed * (outcome - own) * logOdds(chance) * 0.2;
  return {
    offset: Math.min(LARGEST_OFFSET, Math.max(-LARGEST_OFFSET, offset)),
    slope: Math.min(LARGEST_SLOPE, Math.max(SMALLEST_SLOPE, slope)),
    cases: learned.cases + 1,
    rawScore: learned.rawScore + weight * ((chance - outcome) ** 2 - learned.rawScore),
    calibratedScore: learned.calibratedScore + weight * ((own - outcome) ** 2 - learned.calibratedScore),
  };
}
