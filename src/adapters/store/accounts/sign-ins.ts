import { createHash } from 'node:crypto';
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
import { rowFrom, rowsFrom, send } from '../operation.js';
import { bigint, type Fragment, greater, rowsOf, sql, type Statement, text, valuesOf } from '../sql.js';
import { type OperationsOf, transaction, write } from '../store-operations.js';
import { appendEvents } from './audit.js';

const KEYS = valuesOf('key', 'text');
const TALLIES = rowsOf({ key: 'text', points: 'integer', expire: 'bigint' });
const ALWAYS: Fragment = { sqlite: 'true', postgres: 'true' };
/** A concurrent change of the user commits before or after the statement, never in between. */
const FOR_SHARE: Fragment = { sqlite: '', postgres: 'FOR SHARE' };

/** The limits of all counters, by the keys of their counts. */
export function limitsOf(counters: readonly AttemptCounter[]) {
  return tallyLimits(counters, (key) => createHash('sha256').update(key).digest('base64url'));
}

const keysOf = (counters: readonly AttemptCounter[]) => [...limitsOf(counters).keys()];

/** A name with a character that PostgreSQL cannot hold is nobody's, as is the empty one. */
const storable = (key: string | null) => (key === null || isStorable(key) ? key : '');

/** The user to whom all presented keys belong. */
export function findUser({ nameKey, emailKey }: PresentedKeys): Statement {
  const [name, email] = [text(storable(nameKey)), text(storable(emailKey))];
  return sql`SELECT id, name, password_hash AS "passwordHash", enabled FROM weatherd.user
    WHERE id IN (SELECT id FROM weatherd.user WHERE name_key = ${name}
        UNION ALL SELECT id FROM weatherd.user WHERE email_key = ${email})
      AND (${name} IS NULL OR name_key = ${name}) AND (${email} IS NULL OR email_key = ${email})`;
}

/** Stores the session if the user still has the password hash. */
export function insertSession({ session, passwordHash }: SignInSuccess): Statement {
  const { id, userId, createdAt, validTo, address } = session;
  return sql`INSERT INTO weatherd.session (id, user_id, created_at, valid_to, address)
    SELECT ${text(id)}, owner.id, ${bigint(createdAt)}, ${bigint(validTo)}, ${text(address)} FROM weatherd.user AS owner
    WHERE owner.id = ${userId} AND owner.enabled AND owner.password_hash = ${passwordHash} ${FOR_SHARE}`;
}

/**
 * Takes one attempt back from the counts of `takenBack`, and all of them from the counts of `cleared`. A count that was not there is
 * there afterwards as one that has expired. In the order of the keys, so that two instances never wait for each other in a circle.
 */
export function lowerCounts(
  takenBack: readonly AttemptCounter[],
  cleared: readonly AttemptCounter[] = [],
  condition = ALWAYS,
): Statement {
  const clearedKeys = keysOf(cleared);
  const keys = new Set([...clearedKeys, ...keysOf(takenBack)]);
  return sql`INSERT INTO weatherd.throttle (key, points, expire)
    SELECT key, 0, 0 FROM ${KEYS([...keys])} WHERE ${condition} ORDER BY key
    ON CONFLICT (key) DO UPDATE SET
      points = ${greater('throttle.points - 1', '0')},
      expire = CASE WHEN throttle.key IN (SELECT key FROM ${KEYS(clearedKeys)}) THEN 0 ELSE throttle.expire END`;
}

export const SIGN_INS: OperationsOf<SignInStore> = {
  begin: transaction(function* (keys, counters, now) {
    const limits = limitsOf(counters);
    const found = yield* rowsFrom<AttemptTally & { readonly key: string }>(
      sql`SELECT key, points, expire FROM weatherd.throttle WHERE key IN (SELECT key FROM ${KEYS([...limits.keys()])})`,
    );
    const known = new Map(found.map((tally) => [tally.key, tally]));
    const { wait, tallies } = countAttempt(limits, (key) => known.get(key), now);
    const given = [...tallies].map(([key, { points, expire }]) => ({ key, points, expire }));
    // An attempt that has to wait writes nothing.
    if (given.length > 0)
      yield* send(
        sql`INSERT INTO weatherd.throttle (key, points, expire)
            SELECT key, points, expire FROM ${TALLIES(given)} WHERE true
            ON CONFLICT (key) DO UPDATE SET points = excluded.points, expire = excluded.expire`,
      );
    const user = yield* rowFrom<NonNullable<BegunSignIn['user']>>(findUser(keys));
    return { user: user && { ...user, enabled: isTrue(user.enabled) }, wait };
  }),

  finish: transaction(function* (success, events) {
    const begins = (yield* send(insertSession(success))) > 0;
    if (begins) yield* send(lowerCounts(success.takenBack, success.cleared));
    const outcome = begins ? 'done' : 'refused';
    yield* appendEvents(events.filter((event) => event.outcome === outcome));
    return begins;
  }),

  takeBack: write(function* (counters) {
    yield* send(lowerCounts(counters));
  }),

  purge: write(function* (now) {
    yield* send(sql`DELETE FROM weatherd.throttle WHERE expire < ${now}`);
  }),
};
