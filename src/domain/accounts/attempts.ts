/**
 * A limit: at most `attempts` attempts within `seconds` seconds. The seconds are counted from the first attempt. When they are
 * over, all attempts are forgotten.
 */
export interface AttemptLimit {
  readonly attempts: number;
  readonly seconds: number;
}

/** A key for which attempts are counted, with its limits. */
export interface AttemptCounter {
  readonly key: string;
  readonly limits: readonly AttemptLimit[];
}

/** The attempts that have been counted towards one limit. */
export interface AttemptTally {
  readonly points: number;
  /** Time at which the attempts are forgotten, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly expire: number;
}

/** The result of counting one more attempt. */
export interface CountedAttempt {
  /** Whole seconds until all limits permit an attempt; 0 if this attempt is permitted and was counted. */
  readonly wait: number;
  /** The changed tallies by key; empty if the caller has to wait. */
  readonly tallies: ReadonlyMap<string, AttemptTally>;
}

/**
 * Counts an attempt towards all limits. If one limit is already reached, the attempt is not counted at all.
 *
 * @param limits the limits for this attempt, from `tallyLimits`. Each limit has a key, for example for the network of the client.
 * The attempts towards the limit are counted under this key.
 * @param find returns the count of attempts under a key; undefined if no attempt was counted under this key
 * @param now milliseconds since 1970-01-01T00:00:00Z
 */
export function countAttempt(
  limits: ReadonlyMap<string, AttemptLimit>,
  find: (key: string) => AttemptTally | undefined,
  now: number,
): CountedAttempt {
  const tallies = new Map<string, AttemptTally>();
  let until = now;
  for (const [key, { attempts, seconds }] of limits) {
    const tally = find(key);
    if (tally === undefined || tally.expire <= now) {
      tallies.set(key, { points: 1, expire: now + seconds * 1000 });
    } else if (tally.points < attempts) {
      tallies.set(key, { ...tally, points: tally.points + 1 });
    } else {
      until = Math.max(until, tally.expire);
    }
  }
  const wait = secondsUntil(until, now);
  return { wait, tallies: wait > 0 ? new Map() : tallies };
}

/** Whole seconds from `now` to `time`, rounded up. The parameters are in milliseconds. */
export function secondsUntil(time: number, now: number): number {
  return Math.ceil((time - now) / 1000);
}

/**
 * Returns a map with the limits of all counters. A counter counts attempts, for example the attempts to sign in from one network.
 * If a counter has two limits, its attempts are counted twice, so each limit has a key of its own in the map. For example, the
 * limit of 5 attempts in 60 seconds has the key `5/60:…`, where `…` is the digest of the key of the counter.
 *
 * @param digest turns the key of a counter into a text that may be stored
 */
export function tallyLimits(
  counters: readonly AttemptCounter[],
  digest: (key: string) => string,
): ReadonlyMap<string, AttemptLimit> {
  const all = new Map<string, AttemptLimit>();
  for (const { key, limits } of counters) {
    const stored = digest(key);
    for (const limit of limits) all.set(`${limit.attempts}/${limit.seconds}:${stored}`, limit);
  }
  return all;
}
