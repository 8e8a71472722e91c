import type { CredentialStore } from '#application/ports/credential-store.js';
import type { DataUpdates } from '#application/ports/data-updates.js';
import { identityKey, type User, userText } from '#domain/accounts/user.js';
import { changedInMeantime, DomainError } from '#domain/domain-error.js';
import { isStorable, isTrue, isUniqueViolation } from '../columns.js';
import { type Operation, rowFrom, rowsFrom, send } from '../run-operation.js';
import { boolean, CODE_POINTS, type Fragment, type Statement, sql, text } from '../sql.js';
import { type OperationsOf, present, transaction, write } from '../store-operations.js';
import { appendEvents } from './audit.js';
import { changeGrant, GRANT_COLUMNS, type GrantRow, toGrant } from './grants.js';
import { removeSessionsOf } from './session-operations.js';

type UserRow = Omit<User, 'stations'> & GrantRow;

const USERS = sql`SELECT id, name, email, password_hash AS "passwordHash", enabled, administrator,
  created_at AS "createdAt", ${GRANT_COLUMNS} FROM weatherd.user AS owner`;

function toUser({ allStations, granted, ...row }: UserRow): User {
  const { enabled, administrator } = row;
  const stations = toGrant({ allStations, granted });
  return { ...row, enabled: isTrue(enabled), administrator: isTrue(administrator), stations };
}

/**
 * Makes other transactions that add or change users wait until the end of this transaction. In SQLite, a transaction is the only
 * writer anyway.
 */
const LOCK_USERS: Fragment = {
  sqlite: 'SELECT 1',
  postgres: 'LOCK TABLE weatherd.user IN SHARE ROW EXCLUSIVE MODE',
};

const emailKeyOf = (email: string | null | undefined) => (email == null ? null : identityKey(email));

export const CREDENTIALS: OperationsOf<CredentialStore> = {
  findByName: present(function* (nameKey) {
    if (!isStorable(nameKey)) return undefined;
    const row = yield* rowFrom<UserRow>(sql`${USERS} WHERE name_key = ${nameKey}`);
    return row && toUser(row);
  }),

  list: present(function* () {
    return (yield* rowsFrom<UserRow>(sql`${USERS} ORDER BY name_key ${CODE_POINTS}`)).map(toUser);
  }),

  add: transaction(addUser),

  hasAdministrator: present(hasAdministrator),

  addFirstAdministrator: transaction(function* (user, event) {
    yield* rowsFrom(sql`${LOCK_USERS}`);
    if (yield* hasAdministrator()) return false;
    yield* addUser(user);
    yield* appendEvents([event]);
    return true;
  }),

  change: transaction(function* (id, changes, expected) {
    if (expected !== undefined) yield* assertUnchanged(id, expected);
    const { email, passwordHash, enabled, administrator, stations } = changes;
    const changesEmail = boolean(email !== undefined);
    const changed = yield* sendUnique(
      sql`UPDATE weatherd.user SET
            email = CASE WHEN ${changesEmail} THEN ${text(email ?? null)} ELSE email END,
            email_key = CASE WHEN ${changesEmail} THEN ${text(emailKeyOf(email))} ELSE email_key END,
            password_hash = coalesce(${text(passwordHash ?? null)}, password_hash),
            enabled = coalesce(${boolean(enabled ?? null)}, enabled),
            administrator = coalesce(${boolean(administrator ?? null)}, administrator)
          WHERE id = ${id}`,
    );
    if (changed === 0) throw userUnknownError();
    if (stations !== undefined) yield* changeGrant(id, stations);
    // The sessions are removed in a separate statement. If the UPDATE has waited for the lock of the row, only a later statement
    // sees the sessions that were added during this wait.
    if (enabled === false || passwordHash !== undefined) yield* send(removeSessionsOf(id));
  }),

  remove: write(function* (id) {
    if ((yield* send(sql`DELETE FROM weatherd.user WHERE id = ${id}`)) === 0) throw userUnknownError();
  }),
};

export const DATA_UPDATES: OperationsOf<DataUpdates> = {
  takeNewReaders: write(function* () {
    return yield* send(sql`DELETE FROM weatherd.new_reader`);
  }),
};

/** @throws DomainError USER_UNKNOWN; PRECONDITION_FAILED if the user is not as expected */
function* assertUnchanged(id: string, expected: string): Operation<void> {
  // The statement locks the row, so that the user cannot change between the comparison and the change.
  yield* send(sql`UPDATE weatherd.user SET enabled = enabled WHERE id = ${id}`);
  const row = yield* rowFrom<UserRow>(sql`${USERS} WHERE id = ${id}`);
  if (row === undefined) throw userUnknownError();
  const user = toUser(row);
  if (userText(user) !== expected) throw changedInMeantime('user', user.name);
}

function* hasAdministrator(): Operation<boolean> {
  return (yield* rowFrom(sql`SELECT 1 FROM weatherd.user WHERE administrator LIMIT 1`)) !== undefined;
}

/** @throws DomainError USER_EXISTS */
function* addUser(user: User): Operation<void> {
  const { id, name, email, passwordHash, enabled, administrator, createdAt, stations } = user;
  const added = yield* send(
    sql`INSERT INTO weatherd.user
          (id, name, name_key, email, email_key, password_hash, enabled, administrator, created_at)
        VALUES (${id}, ${name}, ${identityKey(name)}, ${email}, ${emailKeyOf(email)}, ${passwordHash},
          ${enabled}, ${administrator}, ${createdAt}) ON CONFLICT DO NOTHING`,
  );
  if (added === 0) throw nameTakenError();
  yield* changeGrant(id, { how: 'replace', stations });
}

/** Sends a statement. @throws DomainError USER_EXISTS if another user has the email */
function* sendUnique(statement: Statement): Operation<number> {
  try {
    return yield* send(statement);
  } catch (error) {
    throw isUniqueViolation(error) ? nameTakenError() : error;
  }
}

function nameTakenError(): DomainError {
  return new DomainError('USER_EXISTS', 'A user with this name or email exists already.');
}

function userUnknownError(): DomainError {
  return new DomainError('USER_UNKNOWN', 'The user does not exist.');
}
