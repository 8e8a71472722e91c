import { MILLISECONDS } from '../time.js';

/** Largest difference between counters that agree, in mm: one tip of a gauge (0.254 mm), and rounding. */
const TOLERANCE = 0.3;
/** A difference between counters that is smaller than this number is a rounding error of floating-point numbers. */
const EPSILON = 1e-6;
/**
 * A fall of a counter can be a reset only if the new value is at most this number, or less than a tenth of the value before the
 * fall.
 */
const MAX_AFTER_RESET = 0.5;
/**
 * Longest time in milliseconds for which a counter may disagree with the reported amount by more than `TOLERANCE`. After this
 * time the disagreement (`CounterState.ahead`) is set to 0: the counter then only counts new rain.
 */
const MAX_APART = MILLISECONDS.hour;
/** Milliseconds within which counters that fell together may return to the values before the fall. They were then not reset. */
const MAX_GLITCH = MILLISECONDS.hour;

/**
 * One counter of a gauge. A gauge has several counters, from which one amount is computed and reported. A counter may lag behind
 * the other counters. So each counter has `ahead`, the difference between the amount that it has counted and the reported amount:
 *
 *     year   |=========== 12.0 ===========|== 1.0 ==|    ahead  0.0
 *     day    |=========== 12.0 ======|                   ahead -1.0   has not counted 1.0 mm that was reported
 */
export interface CounterState {
  /** The value of the last upload. */
  readonly value: number;
  /** The counted amount minus the reported amount; negative if the counter lags. 0 if absent. */
  readonly ahead?: number;
  /**
   * Time since which this counter disagrees with the reported amount: since then, `ahead` has been larger than `TOLERANCE` or
   * smaller than `-TOLERANCE`. Absent if the counter agrees.
   */
  readonly apartSince?: number;
  /**
   * Present if the counter has fallen, and nothing explains the fall. The next upload decides: if the counter is low again, it
   * was reset. Its increase is then counted from `value`, the value after the fall, and this `ahead` replaces
   * `CounterState.ahead`.
   */
  readonly fallen?: { readonly value: number; readonly ahead: number };
  /**
   * If several counters fell together: the value before the fall, and the time until which the counter may return to this value.
   */
  readonly before?: { readonly value: number; readonly until: number };
}

export interface GaugeState {
  /** The states of the counters, by name. */
  readonly counters: Readonly<Record<string, CounterState>>;
  /** Time up to which amounts have been reported, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly since: number;
  /**
   * An implausibly large increase (more than `GaugeRules.maxPerMinute`), with the time and the counter values of its upload. It
   * was not reported. The next upload decides:
   *
   * - If the counters have returned to lower values, the increase was a glitch. The next amount is counted from the values before
   *   the glitch, which are still in `counters`.
   * - If the counters still contain the increase, it is never reported, because it is implausible. The next amount is counted
   *   from the values after the increase, which are in `jump.values`.
   */
  readonly jump?: {
    readonly amount: number;
    readonly time: number;
    readonly values: Readonly<Record<string, number>>;
  };
}

/** The counters of a gauge in one upload. */
export interface GaugeSample {
  /** Later than the time of the last upload; in milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  /** Name and value of each counter. The counter that is reset most often is first. */
  readonly counters: readonly (readonly [name: string, value: number])[];
}

export interface GaugeRules {
  /** Largest plausible amount in a minute, in `unit`. */
  readonly maxPerMinute: number;
  /** Unit of the counters, as text for the reports. */
  readonly unit: string;
  /** A counter that reaches this value is ignored, because it no longer counts. */
  readonly counterLimit: number;
  /** Whether a reset is possible at the time of the sample: near local midnight, or after a restart. Called only if needed. */
  readonly mayReset: () => boolean;
}

export interface GaugeAdvance {
  readonly state: GaugeState;
  /**
   * The amount since the last report. Undefined for the first sample, and while an amount is held back because the counters
   * jumped or fell.
   */
  readonly amount: number | undefined;
  /** Sentences about the amounts that were held back or left out. */
  readonly reports: readonly string[];
}

interface Vote {
  readonly name: string;
  readonly value: number;
  readonly amount: number;
  readonly isReset: boolean;
  readonly before: CounterState['before'] | undefined;
}

/**
 * Computes the amount since the last upload from the counters of an upload.
 *
 * 1. The first value of a counter gives no amount.
 * 2. Each later value of a counter votes for an amount: for the increase of the counter or, if the counter was reset, for its
 *    value.
 * 3. Votes for about the same amount form a group. The largest group decides. If two groups have the same size, a group of a
 *    counter that was not reset decides, otherwise the group of the counter that comes first. The largest vote of this group is
 *    the amount, because a counter may lag but never counts too much.
 * 4. If a counter falls for an unknown reason, it has no vote in this upload. It votes again when it has returned to its earlier
 *    value, or when its next value is low too.
 * 5. An implausibly large amount is held back for one upload. If the counters then return to their earlier values, it was a
 *    glitch. If the counters keep the amount, it is left out, because it is implausible.
 */
export function advanceGauge(
  state: GaugeState | undefined,
  sample: GaugeSample,
  rules: GaugeRules,
): GaugeAdvance {
  const { time } = sample;
  const sent = sample.counters.filter(([, value]) => value >= 0 && value < rules.counterLimit);
  if (state === undefined) {
    const counters = Object.fromEntries(sent.map(([name, value]) => [name, { value }]));
    return { state: { counters, since: time }, amount: undefined, reports: [] };
  }
  const reports: string[] = [];
  const votes = votesOf(state, sent, time, rules);
  const chosen = amountOf(votes);
  const { jump } = state;
  if (jump !== undefined && chosen !== undefined && chosen >= jump.amount - TOLERANCE) {
    const counters = Object.fromEntries(
      Object.entries(jump.values).map(([name, value]) => [name, { value }]),
    );
    const base = { counters: { ...state.counters, ...counters }, since: jump.time };
    const next = advanceGauge(base, sample, rules);
    return {
      ...next,
      reports: [
        `The increase of ${round(jump.amount)} ${rules.unit} was left out, because the counters keep it.`,
        ...next.reports,
      ],
    };
  }
  const limit = rules.maxPerMinute * Math.max(1, (time - state.since) / MILLISECONDS.minute);
  if (chosen !== undefined && chosen > limit) {
    const values = Object.fromEntries(sent);
    return {
      state: { counters: state.counters, since: state.since, jump: { amount: chosen, time, values } },
      amount: undefined,
      reports: [
        `The increase of ${round(chosen)} ${rules.unit} is more than ${round(rules.maxPerMinute)} ${rules.unit} a minute. ` +
          'It was held back.',
      ],
    };
  }
  const amount = chosen === undefined ? undefined : round(chosen);
  const voted = new Map(votes.map((vote) => [vote.name, vote]));
  const counters: Record<string, CounterState> = {};
  // A counter that was not sent keeps its value. This value does not contain the amount that is reported now, so `ahead` is
  // decreased by the amount.
  for (const [name, known] of Object.entries(state.counters)) counters[name] = reported(known, amount ?? 0);
  for (const [name, value] of sent) {
    const vote = voted.get(name);
    const known = counters[name];
    if (vote !== undefined) counters[name] = afterVote(vote, amount ?? 0, time, state.counters[name]);
    else if (known === undefined) counters[name] = { value };
    else {
      // The counter fell, and it is not known yet whether it was reset. `fallen` is used if it was reset:
      // - `fallen.value` is the amount that the counter has counted since the reset.
      // - `fallen.ahead` is the part of this amount that was not reported. If other counters have voted, they have counted the
      //   same rain, so it is reported now, and `ahead` is 0. If no counter has voted, nothing is reported, and `ahead` is the
      //   whole amount.
      counters[name] = { ...known, fallen: { value, ahead: amount === undefined ? value : 0 } };
      reports.push(
        `The counter ${name} fell from ${round(known.value)} to ${round(value)}. Its value was held back.`,
      );
    }
  }
  return { state: { counters, since: amount === undefined ? state.since : time }, amount, reports };
}

function votesOf(
  { counters }: GaugeState,
  sent: GaugeSample['counters'],
  time: number,
  rules: GaugeRules,
): Vote[] {
  const fell = ([name, value]: readonly [string, number]) =>
    value < (counters[name]?.value ?? 0) - EPSILON && counters[name]?.fallen === undefined;
  const fallen = sent.filter(fell).length;
  // Near midnight some counters are reset, while other counters continue. If no counter continues, the fall may be a fault and
  // not a reset.
  const areAllFallen = sent.every((one) => fell(one) || (counters[one[0]]?.value ?? 0) <= EPSILON);
  return sent.flatMap(([name, value]): Vote[] => {
    const known = counters[name];
    if (known === undefined) return [];
    const { ahead = 0, before } = known;
    const vote = (amount: number, isReset = false, earlier?: CounterState['before']) => [
      { name, value, amount, isReset, before: earlier },
    ];
    if (value >= known.value - EPSILON) {
      if (before === undefined || time > before.until) return vote(ahead + value - known.value);
      // Several counters fell together, and now this counter has at least its value before the fall. There are two possible
      // reasons:
      // - The fall was a fault, and the counter has returned (`isBack`).
      // - The counter was reset, and rain has increased it since then, step by step. This is possible only at a time of resets.
      // So at a time of resets, the counter counts as returned only if it rises from about 0 to the old value in one step.
      const isBack = value >= before.value - EPSILON && (known.value <= MAX_AFTER_RESET || !rules.mayReset());
      if (isBack) return vote(ahead + value - before.value);
      return vote(ahead + value - known.value, false, before);
    }
    if (known.fallen !== undefined) {
      const { value: base, ahead: since } = known.fallen;
      return vote(value < base - EPSILON ? value : since + value - base, true);
    }
    if (value >= known.value / 10 && value > MAX_AFTER_RESET) return [];
    const earlier = { value: known.value, until: time + MAX_GLITCH };
    if (rules.mayReset()) return vote(value, true, fallen >= 2 && areAllFallen ? earlier : undefined);
    if (fallen < 2) return [];
    return vote(value, true, earlier);
  });
}

/** The amount for which most counters vote (see `advanceGauge`); undefined if no counter votes. */
function amountOf(votes: readonly Vote[]): number | undefined {
  let best: { readonly count: number; readonly isReset: boolean; readonly amount: number } | undefined;
  for (const { amount, isReset } of votes) {
    const group = votes.filter((other) => Math.abs(other.amount - amount) <= TOLERANCE + EPSILON);
    const isBetter =
      best === undefined ||
      group.length > best.count ||
      (group.length === best.count && best.isReset && !isReset);
    if (isBetter)
      best = { count: group.length, isReset, amount: Math.max(0, ...group.map((vote) => vote.amount)) };
  }
  return best?.amount;
}

function afterVote(vote: Vote, amount: number, time: number, known: CounterState | undefined): CounterState {
  const { value, before } = vote;
  const ahead = round(vote.amount - amount);
  const isApart = Math.abs(ahead) > TOLERANCE;
  const apartSince = isApart ? (known?.apartSince ?? time) : undefined;
  const isLost = apartSince !== undefined && time - apartSince > MAX_APART;
  return {
    value,
    ...(ahead !== 0 && !isLost && { ahead }),
    ...(apartSince !== undefined && !isLost && { apartSince }),
    ...(before !== undefined && { before }),
  };
}

/** The new state of a counter if `amount` is reported, but this counter has not counted it: `ahead` is decreased by `amount`. */
function reported(known: CounterState, amount: number): CounterState {
  if (amount === 0) return known;
  const { fallen } = known;
  return {
    ...known,
    ahead: round((known.ahead ?? 0) - amount),
    ...(fallen && { fallen: { ...fallen, ahead: round(fallen.ahead - amount) } }),
  };
}

/** Removes the rounding errors of sums and differences. `+ 0` turns -0 into 0. */
function round(amount: number): number {
  return Number(amount.toFixed(9)) + 0;
}
