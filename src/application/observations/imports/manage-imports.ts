import type { Caller } from '#domain/accounts/audit-event.js';
import type { ImportFolder } from '../../ports/import-folder.js';
import type { ImportAnswers, ImportJob, ImportService, ListedJob } from '../../ports/import-service.js';
import { importFileName } from './import-file-name.js';

/** Milliseconds between two looks at an import that somebody follows. */
const LOOK = 1000;

/** A file that a client sends. */
export interface SentFile {
  readonly station: string;
  /** The name of the file, as the client sent it. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Receives files in this process, and passes everything else to the process that imports them. */
export class ManageImports {
  readonly #service: ImportService;
  readonly #folder: ImportFolder;
  readonly #followers = new Set<() => void>();

  constructor(service: ImportService, folder: ImportFolder) {
    this.#service = service;
    this.#folder = folder;
  }

  /**
   * Receives a file and begins to plan its import. If the file does not arrive completely, nothing remains.
   *
   * @throws DomainError STATION_UNKNOWN, IMPORT_RUNNING, DISK_FULL; the error of `bytes`
   */
  async receive({ station, name, bytes }: SentFile, caller: Caller): Promise<ImportJob> {
    const file = importFileName(name);
    const id = await this.#service.begin(station, file, caller);
    try {
      return await this.#service.received(id, await this.#folder.receive(id, file, bytes));
    } catch (error) {
      await this.#service.abandon(id).catch(() => undefined);
      throw error;
    }
  }

  list(): Promise<readonly ListedJob[]> {
    return this.#service.list();
  }

  /** @throws DomainError IMPORT_UNKNOWN, IMPORT_ELSEWHERE */
  find(id: string): Promise<ImportJob> {
    return this.#service.find(id);
  }

  /** @throws DomainError IMPORT_UNKNOWN, IMPORT_ELSEWHERE, IMPORT_STATE */
  answer(id: string, answers: ImportAnswers): Promise<ImportJob> {
    return this.#service.answer(id, answers);
  }

  /** @throws DomainError IMPORT_UNKNOWN, IMPORT_ELSEWHERE, IMPORT_STATE */
  undo(id: string, caller: Caller): Promise<ImportJob> {
    return this.#service.undo(id, caller);
  }

  /** @throws DomainError IMPORT_UNKNOWN, IMPORT_ELSEWHERE, IMPORT_STATE */
  discard(id: string): Promise<void> {
    return this.#service.discard(id);
  }

  /**
   * Calls `onLook` with the import each second, until the import is gone, the returned function is called, or the service stops.
   *
   * @param onEnd called once at the end
   * @returns a function that ends this
   */
  follow(id: string, onLook: (job: ImportJob) => void, onEnd: () => void): () => void {
    let isLooking = false;
    const end = () => {
      if (!this.#followers.delete(end)) return;
      clearInterval(timer);
      onEnd();
    };
    const look = async () => {
      if (isLooking) return;
      isLooking = true;
      try {
        const job = await this.find(id);
        if (this.#followers.has(end)) onLook(job);
      } catch {
        end();
      } finally {
        isLooking = false;
      }
    };
    const timer = setInterval(() => void look(), LOOK);
    this.#followers.add(end);
    void look();
    return end;
  }

  /** Ends all followers, when the service stops. */
  close(): void {
    for (const end of this.#followers) end();
  }
}
