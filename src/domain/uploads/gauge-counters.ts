import { MILLISECONDS } from '../time.js';

/** Counters that agree differ by no more than this: a tip of a gauge (0.254 mm), and rounding. */
const TOLERANCE = 0.3;
/** Smaller differences are errors of floating-point numbers. */
const EPSILON = 1e-6;
/** A counter that has begun anew shows no more than this, or less than a tenth of what it showed. */
const SMALL = 0.5;
/** Milliseconds for which a counter may be apart from the others before it is taken as it is. */
const MAX_APART = MILLISECONDS.hour;
/** Milliseconds within which counters that fell together may return to what they showed. */
const MAX_GLITCH = MILLISECONDS.hour;

/**
 * One counter of a gauge. The gauge reports one amount for all of its counters, which may lag behind each other. So each
 * counter has a balance with what was reported:
 *
 *     year   |=========== 12.0 ===========|== 1.0 ==|    ahead  0.0
 *     day    |=========== 12.0 ======|                   ahead -1.0   has not counted 1.0 mm that was reported
 */
export interface CounterState {
  /** As it was sent last. */
  readonly value: number;
  /** What it has counted and the gauge has not reported; negative where it lags. 0 if left out. */
  readonly ahead?: number;
  /** Time since which `ahead` is beyond the tolerance. */
  readonly apartSince?: number;
  /** It fell without a reason. If the next value is low too, it has begun anew, and this becomes its state. */
  readonly fallen?: { readonly value: number; readonly ahead: number };
  /** What it showed before it fell together with others, and until when it may return to that. */
  readonly before?: { readonly value: number; readonly until: number };
}

export interface GaugeState {
  /** By name of the counter. */
  readonly counters: Readonly<Record<string, CounterState>>;
  /** Time up to which amounts have been reported, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly since: number;
  /** An amount that was too large, with the values that made it. If it stays, it is left out. */
  readonly jump?: {
    readonly amount: number;
    readonly time: number;
    readonly values: Readonly<Record<string, number>>;
  };
}

/** The counters of a gauge in one upload. */
export interface GaugeSample {
  /** Later than that of the state. */
  readonly time: number;
  /** Name and value, the counter that begins anew most often first. */
  readonly counters: readonly (readonly [name: string, value: number])[];
}

export interface GaugeRules {
  /** Largest amount in a minute. */
  readonly maxPerMinute: number;
  /** From this value on a counter is ignored, because it stops counting. */
  readonly full: number;
  /** Whether counters may begin anew at the time of the sample: near local midnight, or after a restart. Not called in vain. */
  readonly mayBeginAnew: () => boolean;
}

export interface GaugeAdvance {
  readonly state: GaugeState;
  /** The amount since the last report; undefined where nothing is known yet, or where it is held back. */
  readonly amount: number | undefined;
  /** Sentences about what was held back or left out. */
  readonly reports: readonly string[];
}

interface Vote {
  readonly name: string;
  readonly value: number;
  readonly amount: number;
  readonly isAnew: boolean;
  readonly before: CounterState['before'] | undefined;
}

/**
 * Takes the counters of an upload and finds the amount since the last one.
 *
 * 1. At first sight a counter says nothing.
 * 2. Otherwise it votes for its increase, and for all that it shows where it has begun anew.
 * 3. The amount is that of the largest group of counters that agree. Of several such groups, that with the counter which begins
 *    anew most often and has not done so now. In a group the largest vote counts, because counters only lag.
 * 4. A counter that falls without a reason is held for one upload. It votes when it has returned, or is low again.
 * 5. An amount that cannot be rain is held for one upload. If it stays it is left out.
 */
export function advanceGauge(
  state: GaugeState | undefined,
  sample: GaugeSample,
  rules: GaugeRules,
): GaugeAdvance {
  const { time } = sample;
  const sent = sample.counters.filter(([, value]) => value >= 0 && value < rules.full);
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
      reports: [`${round(jump.amount)} mm were left out, because they stay.`, ...next.reports],
    };
  }
  const limit = rules.maxPerMinute * Math.max(1, (time - state.since) / MILLISECONDS.minute);
  if (chosen !== undefined && chosen > limit) {
    const values = Object.fromEntries(sent);
    return {
      state: { counters: state.counters, since: state.since, jump: { amount: chosen, time, values } },
      amount: undefined,
      reports: [`${round(chosen)} are more than ${rules.maxPerMinute} a minute, and were held back.`],
    };
  }
  const amount = chosen === undefined ? undefined : round(chosen);
  const voted = new Map(votes.map((vote) => [vote.name, vote]));
  const counters: Record<string, CounterState> = {};
  // Counters that were not sent keep their value, and lag by what is reported now.
  for (const [name, known] of Object.entries(state.counters)) counters[name] = reported(known, amount ?? 0);
  for (const [name, value] of sent) {
    const vote = voted.get(name);
    const known = counters[name];
    if (vote !== undefined) counters[name] = afterVote(vote, amount ?? 0, time, state.counters[name]);
    else if (known === undefined) counters[name] = { value };
    else {
      // If it has begun anew, `value` was counted since then. It is part of `amount` where other counters have voted.
      counters[name] = { ...known, fallen: { value, ahead: amount === undefined ? value : 0 } };
      reports.push(
        `The counter ${name} fell from ${round(known.value)} to ${round(value)}, and was held back.`,
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
  // Near midnight some counters begin anew, and the others go on. If none goes on, this may be a fault.
  const areAllFallen = sent.every((one) => fell(one) || (counters[one[0]]?.value ?? 0) <= EPSILON);
  return sent.flatMap(([name, value]): Vote[] => {
    const known = counters[name];
    if (known === undefined) return [];
    const { ahead = 0, before } = known;
    const vote = (amount: number, isAnew = false, left?: CounterState['before']) => [
      { name, value, amount, isAnew, before: left },
    ];
    if (value >= known.value - EPSILON) {
      if (before === undefined || time > before.until) return vote(ahead + value - known.value);
      // Counters fell together, and now this one shows more than before: it has not begun anew. Near midnight, where it may
      // have begun anew, rain would raise it step by step.
      const isBack = value >= before.value - EPSILON && (known.value <= SMALL || !rules.mayBeginAnew());
      if (isBack) return vote(ahead + value - before.value);
      return vote(ahead + value - known.value, false, before);
    }
    if (known.fallen !== undefined) {
      const { value: base, ahead: since } = known.fallen;
      return vote(value < base - EPSILON ? value : since + value - base, true);
    }
    if (value >= known.value / 10 && value > SMALL) return [];
    const left = { value: known.value, until: time + MAX_GLITCH };
    if (rules.mayBeginAnew()) return vote(value, true, fallen >= 2 && areAllFallen ? left : undefined);
    if (fallen < 2) return [];
    return vote(value, true, left);
  });
}

/** The amount on which most votes agree; undefined without a vote. */
function amountOf(votes: readonly Vote[]): number | undefined {
  let best: { readonly count: number; readonly isAnew: boolean; readonly amount: number } | undefined;
  for (const { amount, isAnew } of votes) {
    const group = votes.filter((other) => Math.abs(other.amount - amount) <= TOLERANCE + EPSILON);
    const isBetter =
      best === undefined ||
      group.length > best.count ||
      (group.length === best.count && best.isAnew && !isAnew);
    if (isBetter)
      best = { count: group.length, isAnew, amount: Math.max(0, ...group.map((vote) => vote.amount)) };
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

/** The state of a counter after an amount was reported that it has not counted. */
function reported(known: CounterState, amount: number): CounterState {
  if (amount === 0) return known;
  const { fallen } = known;
  return {
    ...known,
    ahead: round((known.ahead ?? 0) - amount),
    ...(fallen && { fallen: { ...fallen, ahead: round(fallen.ahead - amount) } }),
  };
}

/** Without the errors of adding and subtracting. */
function round(amount: number): number {
  return Number(amount.toFixed(9)) + 0;
}
