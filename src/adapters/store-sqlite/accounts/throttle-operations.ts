import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import {
  type AttemptCounter,
  type AttemptTally,
  countAttempt,
  tallyLimits,
  waitBeforeAttempt,
} from '../../../domain/accounts/attempts.js';

/** The statements behind SqliteThrottle; they run in the worker thread. */
export function throttleOperations(database: Database) {
  const find = database.prepare<[string], AttemptTally>('SELECT points, expire FROM throttle WHERE key = ?');
  const put = database.prepare(
    `INSERT INTO throttle (key, points, expire) VALUES (?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET points = excluded.points, expire = excluded.expire`,
  );
  const takeBack = database.prepare('UPDATE throttle SET points = max(points - 1, 0) WHERE key = ?');
  const remove = database.prepare('DELETE FROM throttle WHERE key = ?');
  const purge = database.prepare('DELETE FROM throttle WHERE expire < ?');

  // Immediate, because another process may count between reading and writing. A refused attempt writes nothing.
  const count = database.transaction((counters: readonly AttemptCounter[], now: number): number => {
    const found = [...limitsOf(counters)].map(([key, limit]) => ({ key, limit, tally: find.get(key) }));
    const wait = Math.max(0, ...found.map(({ tally, limit }) => waitBeforeAttempt(tally, limit, now)));
    if (wait > 0) return wait;
    for (const { key, limit, tally } of found) {
      const { points, expire } = countAttempt(tally, limit, now);
      put.run(key, points, expire);
    }
    return 0;
  });
  const forget = database.transaction((counters: readonly AttemptCounter[]): void => {
    for (const [key] of limitsOf(counters)) takeBack.run(key);
  });
  const clear = database.transaction(
    (cleared: readonly AttemptCounter[], forgotten: readonly AttemptCounter[]): void => {
      for (const [key] of limitsOf(cleared)) remove.run(key);
      forget(forgotten);
    },
  );

  return {
    countAttempt: (counters: readonly AttemptCounter[]): number => count.immediate(counters, Date.now()),
    forgetAttempt: (counters: readonly AttemptCounter[]): void => forget.immediate(counters),
    clearAttempts: (cleared: readonly AttemptCounter[], forgotten: readonly AttemptCounter[]): void =>
      clear.immediate(cleared, forgotten),
    purgeAttempts: (now: number) => void purge.run(now),
  };
}

function limitsOf(counters: readonly AttemptCounter[]) {
  return tallyLimits(counters, (key) => createHash('sha256').update(key).digest('base64url'));
}
