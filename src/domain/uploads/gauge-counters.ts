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
 * `CounterState.ahead` is the difference between the amount that a counter has counted and the amount that was reported. If this
 * difference is larger than `TOLERANCE`, in either direction, for more than this number of milliseconds, it is set to 0. From
 * then on, the counter only counts new rain.
 */
const MAX_APART = MILLISECONDS.hour;
/**
 * If several counters of a gauge fall in the same upload, they were reset, or the values are a fault. It was a fault if the
 * counters return to their values before the fall within this number of milliseconds.
 */
const MAX_GLITCH = MILLISECONDS.hour;

/**
 * One counter of a gauge. A rain gauge has several counters of the same rain, for example one for the year and one for the day.
 * From these counters one amount of rain is computed, which is called the reported amount.
 *
 * Some counters show new rain later than others. So each counter has `ahead`: the amount that the counter has counted, minus the
 * reported amount. In this example, 13.0 mm have been reported, and the counter of the day has not shown the last 1.0 mm yet:
 *
 *     year   |=========== 12.0 ===========|== 1.0 ==|    ahead  0.0
 *     day    |=========== 12.0 ======|                   ahead -1.0
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
   * Present if the counter has fallen, and it is not known yet whether it was reset. The next upload decides:
   *
   * - If the counter is low again, it was reset. Its increase is then counted from `fallen.value`, which is the value after the
   *   fall, and `fallen.ahead` replaces `CounterState.ahead`.
   * - If the counter has returned to its earlier value, the fall was a fault, and `fallen` is not used.
   */
  readonly fallen?: { readonly value: number; readonly ahead: number };
  /**
   * Present if several counters fell in the same upload. The fall was taken as a reset, but it may have been a fault. It was a
   * fault if the counter returns to `value`, its value before the fall, not later than at the time `until`.
   */
  readonly before?: { readonly value: number; readonly until: number };
}

export interface GaugeState {
  /** The states of the counters, by name. */
  readonly counters: Readonly<Record<string, CounterState>>;
  /**
   * Time from which the next amount is counted, in milliseconds since 1970-01-01T00:00:00Z. Usually this is the time of the last
   * upload that gave an amount.
   */
  readonly since: number;
  /**
   * Present if the last upload had an implausibly large increase (more than `GaugeRules.maxPerMinute`). `time` and `values` are
   * the time and the counter values of this upload. Such an increase is never reported. The next upload decides from which values
   * the next amount is counted:
   *
   * - If the counters have returned to lower values, the increase was a fault. The next amount is counted from the values before
   *   the fault, which are still in `counters`.
   * - If the counters still contain the increase, the next amount is counted from the values after the increase, which are in
   *   `jump.values`.
   */
  readonly jump?: {
    readonly amount: number;
    readonly time: number;
    readonly values: Readonly<Record<string, number>>;
  };
}

/** The counters of a gauge in one upload. */
export interface GaugeSample {
  /** Time of the upload, in milliseconds since 1970-01-01T00:00:00Z. It must be later than the time of the previous upload. */
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
  /**
   * Whether a counter may be reset at the time of this upload: near local midnight, or after a restart of the device. Called only
   * if needed.
   */
  readonly mayReset: () => boolean;
}

export interface GaugeAdvance {
  readonly state: GaugeState;
  /**
   * The amount, for example of rain, since an amount was last computed (for the second upload: since the first upload). Undefined
   * for the first upload. Also undefined if the counters rose implausibly, or if no counter can be used because all fell for an
   * unknown reason.
   */
  readonly amount: number | undefined;
  /**
   * Sentences for people about increases and counter values that were not reported. "Held back" means that the next upload
   * decides; "left out" means never reported.
   */
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
 * Computes the amount, for example of rain, since the last upload. The counters of an upload may disagree, so they vote:
 *
 * 1. Each counter votes for its increase since the last upload. If the counter was reset, it votes for its value. If it is sent
 *    for the first time, it has no vote.
 * 2. Votes for about the same amount form a group, and the largest group decides, or the group of the counter that comes first. A
 *    counter that was reset does not have the rain before its reset, so a group of counters that were not reset decides if it has
 *    the same size or at least the same amount: at the end of a month only the counter of the year has all rain.
 * 3. The amount is the largest vote of this group, because a counter may lag but never counts too much.
 *
 * Two kinds of changes need the next upload:
 *
 * - A counter that falls for an unknown reason has no vote in this upload. It votes again when it has returned to its earlier
 *   value, or when its next value is low too.
 * - An implausibly large amount is never reported. If the next upload shows the earlier values again, the amount was a fault, and
 *   the next amount is counted from the earlier values. Otherwise it is counted from the new values.
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
  // This loop treats every counter as if the upload did not contain it; the next loop corrects the counters that the upload
  // contains. The value of a counter that was not sent does not contain the amount that is reported now. So its `ahead`, which is
  // the counted minus the reported amount, is decreased by this amount.
  for (const [name, known] of Object.entries(state.counters)) counters[name] = reported(known, amount ?? 0);
  for (const [name, value] of sent) {
    const vote = voted.get(name);
    const known = counters[name];
    if (vote !== undefined) counters[name] = afterVote(vote, amount ?? 0, time, state.counters[name]);
    else if (known === undefined) counters[name] = { value };
    else {
      // The counter fell, and it is not known yet whether it was reset. If the next upload shows that it was reset, `fallen` is
      // used. `fallen.value` is the amount that the counter has counted since the reset. `fallen.ahead` is the part of this
      // amount that was not reported:
      // - 0 if other counters have voted. They have counted the same rain, so the rain is reported now.
      // - The whole amount if no counter has voted. Nothing is reported now.
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
  // Near midnight it is normal that some counters (for example of the day) are reset, while others (for example of the year)
  // continue. If all counters fell or were 0 before, the fall may also be a fault. The values before the fall are then kept.
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
      // Earlier, several counters fell together; `before.value` is the value of this counter before the fall. If the counter now
      // has at least this value, the fall may have been a fault that is over (`isBack`).
      // But if `mayReset` is true, the fall may also have been a reset, after which rain has increased the counter step by step.
      // In this case, `isBack` also requires that the last value was about 0: the counter has then returned in a single step.
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
  const [whole, reset] = [false, true].map((wanted) => {
    let best: { readonly count: number; readonly amount: number } | undefined;
    for (const { amount, isReset } of votes) {
      const group = votes.filter((other) => Math.abs(other.amount - amount) <= TOLERANCE + EPSILON);
      if (isReset === wanted && group.length > (best?.count ?? 0))
        best = { count: group.length, amount: Math.max(0, ...group.map((vote) => vote.amount)) };
    }
    return best;
  });
  if (whole === undefined || reset === undefined) return (whole ?? reset)?.amount;
  return whole.amount >= reset.amount || whole.count >= reset.count ? whole.amount : reset.amount;
}

function afterVote(vote: Vote, amount: number, time: number, known: CounterState | undefined): CounterState {
  const { value, before } = vote;
  // A counter that was reset does not lag if it has less than the others: it has only the rain since its reset.
  const isPart = vote.isReset && vote.amount < amount - TOLERANCE - EPSILON;
  const ahead = isPart ? 0 : round(vote.amount - amount);
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
