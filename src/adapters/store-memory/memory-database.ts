import type { Series } from '../../domain/observations.js';
import type { Station } from '../../domain/station.js';
import type { LiveSession, Session } from '../../domain/session.js';
import type { User } from '../../domain/user.js';

export interface StoredSession extends Session {
  readonly elevationAttempts: number;
}

/** What the stores in memory share: gone when the process ends. */
export class MemoryDatabase {
  readonly users = new Map<string, User>();
  readonly sessions = new Map<string, StoredSession>();
  /** By id. */
  readonly stations = new Map<string, Station>();
  /** By number of station. */
  readonly observations = new Map<number, { readonly series: Series; readonly revision: number }>();

  endSessions(userId: string): number {
    const ended = [...this.sessions.values()].filter((session) => session.userId === userId);
    for (const { id } of ended) this.sessions.delete(id);
    return ended.length;
  }

  live({ elevationAttempts: _count, ...session }: StoredSession): LiveSession {
    const user = this.users.get(session.userId);
    if (user === undefined) throw new Error('a session without its user');
    return { ...session, userName: user.name, administrator: user.administrator };
  }
}
