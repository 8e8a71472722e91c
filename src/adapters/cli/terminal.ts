import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** Signals that ask a process to end. */
const ENDING = ['SIGINT', 'SIGTERM'] as const;

type Input = Readable & { readonly isTTY?: boolean };

/** The streams of a command: those of the process, or others in tests. */
export class Terminal {
  readonly input: Input;
  /** For results alone: scripts read it. */
  readonly output: Writable;
  /** For questions, progress and messages to people. */
  readonly errors: Writable;

  readonly #signals: Pick<EventEmitter, 'once' | 'off'>;
  #outputError: Error | undefined;

  /** @param signals emits the signals that the process gets; without it there are none */
  constructor(
    input: Input,
    output: Writable,
    errors: Writable,
    signals: Pick<EventEmitter, 'once' | 'off'> = new EventEmitter(),
  ) {
    this.#signals = signals;
    this.input = input;
    this.output = output;
    this.errors = errors;
    // Without listeners an error would end the process. A command that changes data continues to its end.
    output.on('error', (error) => {
      if (!isReaderGone(error)) this.#outputError ??= error;
    });
    errors.on('error', () => undefined); // Nobody can be told of it.
  }

  /** Whether somebody can be asked. */
  get isInteractive(): boolean {
    return this.input.isTTY === true;
  }

  /**
   * Does work that ends in order when the process is asked to end. A second signal ends the process at once.
   *
   * @param work rejects soon after `signal` fires
   * @throws what `work` rejects with; Error that names the signal of the process where one has come
   */
  async interruptibly(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const interruption = new AbortController();
    const interrupt = (signal: NodeJS.Signals) => interruption.abort(new Error(`Interrupted by ${signal}.`));
    for (const signal of ENDING) this.#signals.once(signal, interrupt);
    try {
      await work(interruption.signal);
    } catch (error) {
      throw interruption.signal.aborted ? interruption.signal.reason : error;
    } finally {
      for (const signal of ENDING) this.#signals.off(signal, interrupt);
    }
  }

  /** Writes a line to standard output: a part of the result. */
  print(text: string): void {
    this.output.write(`${text}\n`);
  }

  /** Waits until the results are written. @throws Error when they could not be, unless nobody reads any more */
  async flush(): Promise<void> {
    await new Promise<void>((resolve) => this.output.write('', () => resolve()));
    const cause = this.#outputError;
    if (cause !== undefined) throw new Error('The output could not be written:', { cause });
  }

  /** Writes a line to standard error: a message for the person at the terminal. */
  printError(text: string): void {
    this.errors.write(`${text}\n`);
  }
}

/** Whether writing has failed because the reader has closed the pipe, as in `weatherd export … | head`. */
export function isReaderGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}
