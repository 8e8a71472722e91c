import type { ImportRecord, ImportUndo } from '#application/ports/import-log.js';
import type { LastNumbers, TransferStore } from '#application/ports/transfer-store.js';
import { formOf, type RecordKind, type TransferRecord } from '#application/record-forms.js';
import type { RecordedEvent } from '#domain/accounts/audit-event.js';
import { identityKey, type User } from '#domain/accounts/user.js';
import type { MemoryDatabase, StoredImport, StoredSession } from './memory-database.js';
import { type Access, stationAccess } from './station-records.js';

/** Hands over the records in memory. */
export class MemoryTransferStore implements TransferStore {
  readonly #database: MemoryDatabase;
  readonly #access: Readonly<Record<RecordKind, Access>>;

  constructor(database: MemoryDatabase) {
    this.#database = database;
    this.#access = { ...stationAccess(database), ...accountAccess(database), ...importAccess(database) };
  }

  async read(kind: RecordKind, after?: TransferRecord): Promise<readonly TransferRecord[]> {
    const { key, page } = formOf(kind);
    const keys = Object.keys(key);
    const compare = (a: TransferRecord, b: TransferRecord) => {
      const field = keys.find((name) => a[name] !== b[name]);
      if (field === undefined) return 0;
      return (a[field] as string) < (b[field] as string) ? -1 : 1;
    };
    const all = this.#access[kind].list().sort(compare);
    return all.filter((record) => after === undefined || compare(record, after) > 0).slice(0, page);
  }

  async add(kind: RecordKind, records: readonly TransferRecord[]): Promise<void> {
    for (const record of records) this.#access[kind].add(record);
    this.#changeVersions();
  }

  async clear(kinds: readonly RecordKind[]): Promise<void> {
    for (const kind of kinds.toReversed()) this.#access[kind].clear();
    this.#changeVersions();
  }

  async lastNumbers(): Promise<LastNumbers> {
    const { stationNumber, uploadKeyNumber, eventNumber, importNumber } = this.#database;
    return { station: stationNumber, uploadKey: uploadKeyNumber, event: eventNumber, import: importNumber };
  }

  async setLastNumbers(numbers: LastNumbers): Promise<void> {
    const database = this.#database;
    database.stationNumber = Math.max(database.stationNumber, numbers.station);
    database.uploadKeyNumber = Math.max(database.uploadKeyNumber, numbers.uploadKey);
    database.eventNumber = Math.max(database.eventNumber, numbers.event);
    database.importNumber = Math.max(database.importNumber, numbers.import);
  }

  #changeVersions(): void {
    this.#database.stationVersion += 1;
    this.#database.uploadVersion += 1;
    this.#database.alarms.version += 1;
  }
}

function accountAccess(database: MemoryDatabase) {
  return {
    user: {
      list: () =>
        [...database.users.values()].map((user) => ({
          ...user,
          nameKey: identityKey(user.name),
          emailKey: user.email === null ? null : identityKey(user.email),
          allStations: database.grants.get(user.id) === '*',
        })),
      add: ({ nameKey: _nameKey, emailKey: _emailKey, allStations, ...record }: TransferRecord) => {
        const user = record as unknown as Omit<User, 'stations'>;
        database.users.set(user.id, user);
        database.grants.set(user.id, allStations === true ? '*' : new Set());
      },
      clear: () => {
        database.users.clear();
        database.grants.clear();
        database.sessions.clear();
      },
    },
    grant: {
      list: () =>
        [...database.grants].flatMap(([userId, granted]) =>
          granted === '*' ? [] : [...granted].map((station) => ({ userId, station })),
        ),
      add: ({ userId, station }: TransferRecord) => {
        const granted = database.grants.get(userId as string);
        if (granted !== '*') database.grants.set(userId as string, new Set(granted).add(station as number));
      },
      clear: () => {
        for (const [userId, granted] of database.grants)
          if (granted !== '*') database.grants.set(userId, new Set());
      },
    },
    session: {
      list: () =>
        [...database.sessions.values()].map(({ elevation, ...session }) => ({
          ...session,
          elevatedToken: elevation?.tokenId ?? null,
          elevatedTo: elevation?.validTo ?? null,
        })),
      add: ({ elevatedToken, elevatedTo, ...record }: TransferRecord) => {
        const elevation =
          elevatedToken === null ? null : { tokenId: elevatedToken as string, validTo: elevatedTo as number };
        const session = { ...record, elevation } as unknown as StoredSession;
        database.sessions.set(session.id, session);
      },
      clear: () => database.sessions.clear(),
    },
    event: {
      list: () => {
        const keys = new Map([...database.tallies].map(([key, number]) => [number, key]));
        return database.events.map((event) => ({ ...event, tally: keys.get(event.number) ?? null }));
      },
      add: ({ tally, ...record }: TransferRecord) => {
        const event = record as unknown as RecordedEvent;
        database.events.push(event);
        database.eventNumber = Math.max(database.eventNumber, event.number);
        if (tally !== null) database.tallies.set(tally as string, event.number);
      },
      clear: () => {
        database.events = [];
        database.tallies.clear();
      },
    },
  } satisfies Partial<Record<RecordKind, Access>>;
}

function importAccess(database: MemoryDatabase) {
  const stored = (number: unknown) => database.imports.get(number as number) as StoredImport;
  return {
    import: {
      list: () =>
        [...database.imports.values()].map(({ record, key }) => {
          const { undo, isForgotten, stations: _stations, ...rest } = record;
          return {
            ...rest,
            key: key ?? null,
            forgotten: isForgotten,
            undoStartedAt: undo?.startedAt ?? null,
            undoEndedAt: undo?.endedAt ?? null,
            undoCounts: undo?.counts ?? null,
          };
        }),
      add: (given: TransferRecord) => {
        const { key, forgotten, undoStartedAt, undoEndedAt, undoCounts, ...rest } = given;
        const undo =
          undoStartedAt === null
            ? null
            : ({ startedAt: undoStartedAt, endedAt: undoEndedAt, counts: undoCounts } as ImportUndo);
        const record = { ...rest, isForgotten: forgotten, stations: [], undo } as unknown as ImportRecord;
        database.imports.set(record.number, {
          record,
          key: (key ?? undefined) as string | undefined,
          journal: [],
        });
      },
      clear: () => database.imports.clear(),
    },
    importStation: {
      list: () =>
        [...database.imports.values()].flatMap(({ record }) =>
          record.stations.map((station) => ({ import: record.number, station })),
        ),
      add: ({ import: number, station }: TransferRecord) => {
        const known = stored(number);
        known.record = { ...known.record, stations: [...known.record.stations, station as number] };
      },
      clear: () => {
        for (const known of database.imports.values()) known.record = { ...known.record, stations: [] };
      },
    },
    importEntry: {
      list: () => {
        const entries = [...database.imports].flatMap(([number, { journal }]) =>
          journal.map((data) => ({ import: number, rows: 0, data })),
        );
        return entries.map((entry, index) => ({ id: index + 1, ...entry }));
      },
      add: ({ import: number, data }: TransferRecord) => void stored(number).journal.push(data as Buffer),
      clear: () => {
        for (const known of database.imports.values()) known.journal = [];
      },
    },
  } satisfies Partial<Record<RecordKind, Access>>;
}
