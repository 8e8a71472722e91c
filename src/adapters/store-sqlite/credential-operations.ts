import type { Database } from 'better-sqlite3';
import type { UserChanges } from '../../application/ports/credential-store.js';
import { identityKey, type User } from '../../domain/user.js';

interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly password_hash: string;
  readonly enabled: number;
  readonly administrator: number;
  readonly created_at: number;
}

function toUser(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    passwordHash: row.password_hash,
    enabled: row.enabled === 1,
    administrator: row.administrator === 1,
    createdAt: row.created_at,
  };
}

/** NULL where `changes` does not name the column: it keeps its value then. */
const bit = (value: boolean | undefined) => (value === undefined ? null : Number(value));
const emailKey = (email: string | null | undefined) => (email == null ? null : identityKey(email));

/** The statements behind SqliteCredentialStore; they run in the worker thread. */
export function credentialOperations(database: Database) {
  const select = 'SELECT id, name, email, password_hash, enabled, administrator, created_at FROM user';
  const byId = database.prepare<[string], UserRow>(`${select} WHERE id = ?`);
  const byName = database.prepare<[string], UserRow>(`${select} WHERE name_key = ?`);
  const byEmail = database.prepare<[string], UserRow>(`${select} WHERE email_key = ?`);
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

  const one = (row: UserRow | undefined) => (row === undefined ? undefined : toUser(row));
  const change = (id: string, changes: UserChanges): 'changed' | 'unknown' | 'taken' => {
    const { email, passwordHash, enabled, administrator } = changes;
    if (byId.get(id) === undefined) return 'unknown';
    if (email !== undefined && updateEmail.run(email, emailKey(email), id).changes === 0) return 'taken';
    update.run(passwordHash ?? null, bit(enabled), bit(administrator), id);
    if (enabled === false || passwordHash !== undefined) endSessions.run(id);
    return 'changed';
  };
  const inTransaction = database.transaction(change);
  return {
    userById: (id: string) => one(byId.get(id)),
    userByName: (nameKey: string) => one(byName.get(nameKey)),
    userByEmail: (key: string) => one(byEmail.get(key)),
    users: () => all.all().map(toUser),
    /** Whether the user was added: false means that its name, email or id is taken. */
    addUser: ({ id, name, email, passwordHash, enabled, administrator, createdAt }: User) =>
      insert.run(
        id,
        name,
        identityKey(name),
        email,
        emailKey(email),
        passwordHash,
        bit(enabled),
        bit(administrator),
        createdAt,
      ).changes === 1,
    changeUser: (id: string, changes: UserChanges) => inTransaction.immediate(id, changes),
    /** Whether there was such a user. */
    removeUser: (id: string) => remove.run(id).changes === 1,
  };
}
