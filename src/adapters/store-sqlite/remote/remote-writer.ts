import type { StoreWriter } from '#application/ports/store-writer.js';

/** Sends calls to the writing thread of another process. That process opens, checks and closes the file itself. */
export class RemoteWriter {
  readonly #writer: StoreWriter;
  readonly #pending = new Set<Promise<unknown>>();
  readonly areBusy = false;
  readonly cannotWrite = false;

  constructor(writer: StoreWriter) {
    this.#writer = writer;
  }

  run(operation: string, parameters: readonly unknown[]): Promise<unknown> {
    if (operation === 'open') return Promise.resolve();
    const answer = this.#writer.perform(operation, parameters);
    this.#pending.add(answer);
    answer.catch(() => undefined).finally(() => this.#pending.delete(answer));
    return answer;
  }

  async check(operation: string): Promise<void> {
    await this.run(operation, []);
  }

  /** Waits for the pending calls. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#pending);
  }

  async destroy(): Promise<void> {
    // The threads belong to the other process.
  }
}
