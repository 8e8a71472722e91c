/** A number of attempts in a number of seconds, counted from the first attempt. */
export interface AttemptLimit {
  readonly attempts: number;
  readonly seconds: number;
}

/** A key for which attempts are counted, with its limits. */
export interface AttemptCounter {
  /** Any text. */
  readonly key: string;
  readonly limits: readonly AttemptLimit[];
}

/** The attempts that have been counted towards one limit. */
export interface AttemptTally {
  readonly points: number;
  /** Time at which the attempts are forgotten, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly expire: number;
}

/** Whole seconds, rounded up, until another attempt is within the limit; 0 when it is now. `now` in milliseconds. */
export function waitBeforeAttempt(tally: AttemptTally | undefined, limit: AttemptLimit, now: number): number {
  if (tally === undefined || tally.expire <= now || tally.points < limit.attempts) return 0;
  return Math.ceil((tally.expire - now) / 1000);
}

/** The tally with one more attempt. `now` in milliseconds. */
export function countAttempt(
  tally: AttemptTally | undefined,
  { seconds }: AttemptLimit,
  now: number,
): AttemptTally {
  if (tally === undefined || tally.expire <= now) return { points: 1, expire: now + seconds * 1000 };
  return { points: tally.points + 1, expire: tally.expire };
}

/**
 * The limits of all counters, each under the key of its tally.
 *
 * @param digest turns the key of a counter into a text that may be stored
 */
export function tallyLimits(
  counters: readonly AttemptCounter[],
  digest: (key: string) => string,
): ReadonlyMap<string, AttemptLimit> {
  return new Map(
    counters.flatMap(({ key, limits }) => {
      const stored = digest(key);
      return limits.map((limit): [string, AttemptLimit] => [
        `${limit.attempts}/${limit.seconds}:${stored}`,
        limit,
      ]);
    }),
  );
}
