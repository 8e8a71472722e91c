import type { Database } from 'better-sqlite3';
import { identityKey, type User } from '../../domain/user.js';

interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly password_hash: string;
  readonly enabled: number;
  readonly created_at: number;
}

function toUser(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    passwordHash: row.password_hash,
    enabled: row.enabled === 1,
    createdAt: row.created_at,
  };
}

/** The statements behind SqliteCredentialStore; they run in the worker thread. */
export function credentialOperations(database: Database) {
  const select = 'SELECT id, name, email, password_hash, enabled, created_at FROM user';
  const byName = database.prepare<[string], UserRow>(`${select} WHERE name_key = ?`);
  const byEmail = database.prepare<[string], UserRow>(`${select} WHERE email_key = ?`);
  const all = database.prepare<[], UserRow>(`${select} ORDER BY name_key`);
  const insert = database.prepare(
    `INSERT INTO user (id, name, name_key, email, email_key, password_hash, enabled, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const enable = database.prepare('UPDATE user SET enabled = ? WHERE id = ?');
  const setHash = database.prepare('UPDATE user SET password_hash = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM user WHERE id = ?');

  const one = (row: UserRow | undefined) => (row === undefined ? undefined : toUser(row));
  return {
    userByName: (nameKey: string) => one(byName.get(nameKey)),
    userByEmail: (emailKey: string) => one(byEmail.get(emailKey)),
    users: () => all.all().map(toUser),
    /** Whether the user was added: false means that its name, email or id is taken. */
    addUser: ({ id, name, email, passwordHash, enabled, createdAt }: User) =>
      insert.run(
        id,
        name,
        identityKey(name),
        email,
        email === null ? null : identityKey(email),
        passwordHash,
        enabled ? 1 : 0,
        createdAt,
      ).changes === 1,
    /** The three below say whether there is such a user. */
    setUserEnabled: (id: string, enabled: boolean) => enable.run(enabled ? 1 : 0, id).changes === 1,
    setUserPasswordHash: (id: string, hash: string) => setHash.run(hash, id).changes === 1,
    removeUser: (id: string) => remove.run(id).changes === 1,
  };
}
