import type { Database } from 'better-sqlite3';
import type { UserChanges } from '#application/ports/credential-store.js';
import { identityKey, type User } from '#domain/accounts/user.js';
import { GRANT_COLUMNS, grantChanges, type GrantRow, toGrant } from './grants.js';

interface UserRow extends GrantRow {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly password_hash: string;
  readonly enabled: number;
  readonly administrator: number;
  readonly created_at: number;
}

/** The outcome of a change. The object has an id that no station has. */
export type UserOutcome = 'done' | 'unknown' | 'taken' | { readonly noStation: string };

function toUser(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    passwordHash: row.password_hash,
    enabled: row.enabled === 1,
    administrator: row.administrator === 1,
    stations: toGrant(row),
    createdAt: row.created_at,
  };
}

/** NULL if `changes` lacks the field; the column then keeps its value. */
const bit = (value: boolean | undefined) => (value === undefined ? null : Number(value));
const emailKey = (email: string | null | undefined) => (email == null ? null : identityKey(email));

/** The statements behind SqliteCredentialStore; they run in the worker thread. */
export function credentialOperations(database: Database) {
  const select = `SELECT id, name, email, password_hash, enabled, administrator, created_at, ${GRANT_COLUMNS} FROM user`;
  const isThere = database.prepare<[string]>('SELECT 1 FROM user WHERE id = ?');
  const byName = database.prepare<[string], UserRow>(`${select} WHERE name_key = ?`);
  const all = database.prepare<[], UserRow>(`${select} ORDER BY name_key`);
  const insert = database.prepare(
    `INSERT INTO user (id, name, name_key, email, email_key, password_hash, enabled, administrator, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const update = database.prepare(
    `UPDATE user SET password_hash = coalesce(?, password_hash), enabled = coalesce(?, enabled),
       administrator = coalesce(?, administrator) WHERE id = ?`,
  );
  const updateEmail = database.prepare('UPDATE OR IGNORE user SET email = ?, email_key = ? WHERE id = ?');
  const endSessions = database.prepare('DELETE FROM session WHERE user_id = ?');
  const remove = database.prepare('DELETE FROM user WHERE id = ?');
  const takeNewReaders = database.prepare('DELETE FROM new_reader');
  const { unknownStation, changeGrant } = grantChanges(database);

  const change = (id: string, changes: UserChanges): UserOutcome => {
    const { email, passwordHash, enabled, administrator, stations } = changes;
    if (isThere.get(id) === undefined) return 'unknown';
    const noStation = stations && unknownStation(stations);
    if (noStation !== undefined) return { noStation };
    if (email !== undefined && updateEmail.run(email, emailKey(email), id).changes === 0) return 'taken';
    update.run(passwordHash ?? null, bit(enabled), bit(administrator), id);
    if (stations !== undefined) changeGrant(id, stations);
    if (enabled === false || passwordHash !== undefined) endSessions.run(id);
    return 'done';
  };
  const add = (user: User): UserOutcome => {
    const { id, name, email, passwordHash, enabled, administrator, createdAt } = user;
    const grant = { how: 'replace', stations: user.stations } as const;
    const noStation = unknownStation(grant);
    if (noStation !== undefined) return { noStation };
    const values = [id, name, identityKey(name), email, emailKey(email), passwordHash];
    const { changes } = insert.run(...values, bit(enabled), bit(administrator), createdAt);
    if (changes === 0) return 'taken';
    changeGrant(id, grant);
    return 'done';
  };
  const changing = database.transaction(change);
  const adding = database.transaction(add);
  return {
    userByName: (nameKey: string) => {
      const row = byName.get(nameKey);
      return row === undefined ? undefined : toUser(row);
    },
    users: () => all.all().map(toUser),
    addUser: (user: User) => adding.immediate(user),
    changeUser: (id: string, changes: UserChanges) => changing.immediate(id, changes),
    /** Whether the user existed. */
    removeUser: (id: string) => remove.run(id).changes === 1,
    takeNewReaders: () => takeNewReaders.run().changes,
  };
}
