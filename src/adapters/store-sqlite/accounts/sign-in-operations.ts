import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { BegunSignIn, PresentedKeys, SignInSuccess } from '#application/ports/sign-in-store.js';
import {
  type AttemptCounter,
  type AttemptTally,
  countAttempt,
  tallyLimits,
} from '#domain/accounts/attempts.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';

interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly enabled: number;
}

/**
 * The statements behind SqliteSignInStore; they run in the worker thread.
 *
 * @param appendEvents of the audit trail
 */
export function signInOperations(database: Database, appendEvents: (events: readonly AuditEvent[]) => void) {
  const select = 'SELECT id, name, password_hash AS passwordHash, enabled FROM user';
  const byName = database.prepare<[string], UserRow>(`${select} WHERE name_key = ?`);
  const byEmail = database.prepare<[string], UserRow>(`${select} WHERE email_key = ?`);
  const find = database.prepare<[string], AttemptTally>('SELECT points, expire FROM throttle WHERE key = ?');
  const put = database.prepare(
    `INSERT INTO throttle (key, points, expire) VALUES (?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET points = excluded.points, expire = excluded.expire`,
  );
  const lower = database.prepare('UPDATE throttle SET points = max(points - 1, 0) WHERE key = ?');
  const remove = database.prepare('DELETE FROM throttle WHERE key = ?');
  const addSession = database.prepare(
    `INSERT INTO session (id, user_id, created_at, valid_to, address)
     SELECT ?, id, ?, ?, ? FROM user WHERE id = ? AND enabled = 1 AND password_hash = ?`,
  );
  const purge = database.prepare('DELETE FROM throttle WHERE expire < ?');

  const findUser = ({ nameKey, emailKey }: PresentedKeys): BegunSignIn['user'] => {
    const ofName = nameKey === null ? undefined : byName.get(nameKey);
    const ofEmail = emailKey === null ? undefined : byEmail.get(emailKey);
    const row = nameKey === null ? ofEmail : ofName;
    if (row === undefined || (emailKey !== null && ofEmail?.id !== row.id)) return undefined;
    return { ...row, enabled: row.enabled === 1 };
  };
  const begin = database.transaction(
    (keys: PresentedKeys, counters: readonly AttemptCounter[], now: number): BegunSignIn => {
      const { wait, tallies } = countAttempt(limitsOf(counters), (key) => find.get(key), now);
      for (const [key, { points, expire }] of tallies) put.run(key, points, expire);
      return { user: findUser(keys), wait };
    },
  );
  const takeBack = database.transaction((counters: readonly AttemptCounter[]): void => {
    for (const [key] of limitsOf(counters)) lower.run(key);
  });
  const finish = database.transaction((success: SignInSuccess, events: readonly AuditEvent[]): boolean => {
    const { session, passwordHash, cleared, takenBack } = success;
    const { id, userId, createdAt, validTo, address } = session;
    const begins = addSession.run(id, createdAt, validTo, address, userId, passwordHash).changes === 1;
    if (begins) {
      for (const [key] of limitsOf(cleared)) remove.run(key);
      takeBack(takenBack);
    }
    const outcome = begins ? 'done' : 'refused';
    appendEvents(events.filter((event) => event.outcome === outcome));
    return begins;
  });

  return {
    // Immediate, because another process may count between reading and writing. An attempt that has to wait writes nothing.
    beginSignIn: (keys: PresentedKeys, counters: readonly AttemptCounter[], now: number) =>
      begin.immediate(keys, counters, now),
    finishSignIn: (success: SignInSuccess, events: readonly AuditEvent[]) =>
      finish.immediate(success, events),
    takeBackSignIn: (counters: readonly AttemptCounter[]) => takeBack.immediate(counters),
    purgeAttempts: (now: number) => void purge.run(now),
  };
}

function limitsOf(counters: readonly AttemptCounter[]) {
  return tallyLimits(counters, (key) => createHash('sha256').update(key).digest('base64url'));
}
