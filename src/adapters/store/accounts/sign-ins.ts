import { hash } from 'node:crypto';
import type {
  BegunSignIn,
  PresentedKeys,
  SignInStore,
  SignInSuccess,
} from '#application/ports/sign-in-store.js';
import {
  type AttemptCounter,
  type AttemptTally,
  countAttempt,
  tallyLimits,
} from '#domain/accounts/attempts.js';
import { isStorable, isTrue } from '../columns.js';
import { rowFrom, rowsFrom, send } from '../run-operation.js';
import {
  bigint,
  both,
  type Fragment,
  greater,
  sqlList,
  sql,
  type Statement,
  text,
  sqlValues,
} from '../sql.js';
import { type OperationsOf, transaction, write } from '../store-operations.js';
import { appendEvents } from './audit.js';

const KEYS = sqlValues('key', 'text');
const ONE_LESS = greater('throttle.points - 1', '0');
const ALWAYS = both('true');
/** Locks the row of the user, so that a concurrent change of the user commits before or after the statement and not during it. */
const FOR_SHARE: Fragment = { sqlite: '', postgres: 'FOR SHARE' };

/**
 * Returns the limits that apply to an attempt to sign in. A counter counts attempts, for example those with one user name, and
 * has one or more limits, for example 5 attempts in 60 seconds. The attempts are counted separately for each limit.
 *
 * In the result, the key of a limit consists of the limit and a hash that identifies the counter, for example `5/60:` and the
 * hash. The database stores the count of the attempts under the same key.
 */
export function signInLimitsOf(counters: readonly AttemptCounter[]) {
  return tallyLimits(counters, (key) => hash('sha256', key, 'base64url'));
}

const keysOf = (counters: readonly AttemptCounter[]) => [...signInLimitsOf(counters).keys()];

const USER = sql`SELECT id, name, password_hash AS "passwordHash", enabled FROM weatherd.user`;

/**
 * Returns the text by which a user is searched: the normalized name or email. PostgreSQL cannot store every character. A name or
 * email with such a character becomes the empty text, which belongs to no user.
 */
const storableKey = (key: string | null) => text(key === null || isStorable(key) ? key : '');

/** Finds the user with the presented name and email. If only one of the two was presented, only that one must match. */
export function findUserForSignIn({ nameKey, emailKey }: PresentedKeys): Statement {
  const [name, email] = [storableKey(nameKey), storableKey(emailKey)];
  if (emailKey === null) return sql`${USER} WHERE name_key = ${name}`;
  if (nameKey === null) return sql`${USER} WHERE email_key = ${email}`;
  return sql`${USER} WHERE name_key = ${name} AND email_key = ${email}`;
}

/** Stores the session only if the user is enabled and the password hash has not changed since the password was checked. */
export function insertSession({ session, passwordHash }: SignInSuccess): Statement {
  const { id, userId, createdAt, validTo, address } = session;
  return sql`INSERT INTO weatherd.session (id, user_id, created_at, valid_to, address)
    SELECT ${text(id)}, owner.id, ${bigint(createdAt)}, ${bigint(validTo)}, ${text(address)} FROM weatherd.user AS owner
    WHERE owner.id = ${userId} AND owner.enabled AND owner.password_hash = ${passwordHash} ${FOR_SHARE}`;
}

/**
 * Creates the statement that lowers the stored counts of attempts to sign in. A counter counts attempts, for example those with
 * one user name.
 *
 * The statement is an upsert. It updates the stored counts in the order of their keys, so that two instances cannot deadlock. For
 * a count that is not stored, it inserts a row with the count 0 that has already expired. Such a row has no effect.
 *
 * @param uncounted one attempt is subtracted from each count of these counters
 * @param cleared the counts of these counters expire at once, so that they count no attempt any more
 */
export function lowerCounts(
  uncounted: readonly AttemptCounter[],
  cleared: readonly AttemptCounter[] = [],
  condition = ALWAYS,
): Statement {
  const clearedKeys = keysOf(cleared);
  const keys = new Set([...clearedKeys, ...keysOf(uncounted)]);
  return sql`INSERT INTO weatherd.throttle (key, points, expire)
    SELECT key, 0, 0 FROM ${KEYS([...keys])} WHERE ${condition} ORDER BY key
    ON CONFLICT (key) DO UPDATE SET
      points = ${ONE_LESS},
      expire = CASE WHEN throttle.key IN (SELECT key FROM ${KEYS(clearedKeys)}) THEN 0 ELSE throttle.expire END`;
}

/**
 * The operations of a sign-in. A sign-in has few keys and counts, so the statements contain them as lists (`sqlList`). In SQLite,
 * a list takes half the time of a table made by `sqlValues` or `rowsOf`.
 */
export const SIGN_INS: OperationsOf<SignInStore> = {
  begin: transaction(function* (keys, counters, now) {
    const limits = signInLimitsOf(counters);
    const found = yield* rowsFrom<AttemptTally & { readonly key: string }>(
      sql`WITH given (key) AS (VALUES ${sqlList([...limits.keys()].map((key) => sql`(${key})`))})
          SELECT key, points, expire FROM given JOIN weatherd.throttle USING (key)`,
    );
    const known = new Map(found.map((tally) => [tally.key, tally]));
    const { wait, tallies } = countAttempt(limits, (key) => known.get(key), now);
    const rows = [...tallies].map(([key, { points, expire }]) => sql`(${key}, ${points}, ${expire})`);
    // If a limit is reached, the user has to wait. The attempt is then not counted, so there are no rows to write.
    if (rows.length > 0)
      yield* send(
        sql`INSERT INTO weatherd.throttle (key, points, expire) VALUES ${sqlList(rows)}
            ON CONFLICT (key) DO UPDATE SET points = excluded.points, expire = excluded.expire`,
      );
    const user = yield* rowFrom<NonNullable<BegunSignIn['user']>>(findUserForSignIn(keys));
    return { user: user && { ...user, enabled: isTrue(user.enabled) }, wait };
  }),

  finish: transaction(function* (success, events) {
    const begins = (yield* send(insertSession(success))) > 0;
    const rows = [
      ...keysOf(success.cleared).map((key) => sql`(${key}, 0, 0)`),
      ...keysOf(success.uncounted).map((key) => sql`(${key}, 0, 1)`),
    ];
    if (begins && rows.length > 0)
      yield* send(
        sql`INSERT INTO weatherd.throttle (key, points, expire) VALUES ${sqlList(rows)}
            ON CONFLICT (key) DO UPDATE SET points = ${ONE_LESS}, expire = throttle.expire * excluded.expire`,
      );
    const outcome = begins ? 'done' : 'refused';
    yield* appendEvents(events.filter((event) => event.outcome === outcome));
    return begins;
  }),

  uncount: write(function* (counters) {
    yield* send(lowerCounts(counters));
  }),

  purge: write(function* (now) {
    yield* send(sql`DELETE FROM weatherd.throttle WHERE expire < ${now}`);
  }),
};
