import type { SetupCode, SetupGuess, SetupState } from '#application/ports/setup-code.js';
import type { SetupCodeCall } from './messages.js';

/** The code for the first administrator, which is in the main process, as a worker process uses it. */
export class MainSetupCode implements SetupCode {
  readonly #call: (call: SetupCodeCall) => Promise<unknown>;
  #hasEnded = false;

  /** @param call sends a call to the main process */
  constructor(call: (call: SetupCodeCall) => Promise<unknown>) {
    this.#call = call;
  }

  async state(): Promise<SetupState> {
    // A setup that has ended never opens again, so the main process is not asked for each page.
    if (this.#hasEnded) return 'ended';
    const state = (await this.#call({ method: 'state', digest: '' })) as SetupState;
    this.#hasEnded = state === 'ended';
    return state;
  }

  async open(digest: string): Promise<void> {
    await this.#call({ method: 'open', digest });
  }

  async guess(digest: string): Promise<SetupGuess> {
    return (await this.#call({ method: 'guess', digest })) as SetupGuess;
  }

  async end(): Promise<void> {
    await this.#call({ method: 'end', digest: '' });
  }
}
