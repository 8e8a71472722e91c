import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** Signals that request the end of a process. */
const ENDING = ['SIGINT', 'SIGTERM'] as const;

/** Matches the program in the commands that texts name: `"weatherd user list"`, `"weatherd --help"`. */
const PROGRAM = /(?<=["`])weatherd(?=\s+[a-z-])/g;

type Input = Readable & { readonly isTTY?: boolean };

/** The standard streams of a command. Tests supply other streams. */
export class Terminal {
  readonly input: Input;
  /** Standard output, only for results, because scripts read it. */
  readonly output: Writable;
  /** Standard error, for questions, progress and messages to people. */
  readonly errors: Writable;

  readonly #signals: Pick<EventEmitter, 'once' | 'off'>;
  readonly #command: string;
  #outputError: Error | undefined;

  /**
   * @param signals emits the signals of the process; by default no signal is handled
   * @param command the words that start this program here. They replace `weatherd` in the commands that texts name, because a clone of
   *   the repository has no such command
   */
  constructor(
    input: Input,
    output: Writable,
    errors: Writable,
    signals: Pick<EventEmitter, 'once' | 'off'> = new EventEmitter(),
    command = 'weatherd',
  ) {
    this.#signals = signals;
    this.#command = command;
    this.input = input;
    this.output = output;
    this.errors = errors;
    // Without a listener an error of the output would end the process, although a command that changes data must complete.
    output.on('error', (error) => {
      if (!isReaderGone(error)) this.#outputError ??= error;
    });
    errors.on('error', () => undefined); // Errors of standard error cannot be reported anywhere.
  }

  /** Whether a person can answer questions. */
  get isInteractive(): boolean {
    return this.input.isTTY === true;
  }

  /**
   * Runs work that a signal to the process cancels. A second signal ends the process at once.
   *
   * @param work must reject soon after `signal` is aborted
   * @throws the error of `work`; after a signal, an Error that names the signal
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

  /** Writes a line of the result to standard output. */
  print(text: string): void {
    this.output.write(this.#withCommands(`${text}\n`));
  }

  /** Writes a result for programs to standard output. */
  printJson(result: unknown): void {
    this.output.write(`${JSON.stringify(result, null, 2)}\n`);
  }

  /** Waits until the results are written. @throws Error if writing failed, unless the reader closed the pipe */
  async flush(): Promise<void> {
    await new Promise<void>((resolve) => this.output.write('', () => resolve()));
    const cause = this.#outputError;
    if (cause !== undefined) throw new Error('The output could not be written:', { cause });
  }

  /** Writes a line for the person at the terminal to standard error. */
  printError(text: string): void {
    this.writeError(`${text}\n`);
  }

  /** Writes complete lines for the person at the terminal to standard error. */
  writeError(lines: string): void {
    this.errors.write(this.#withCommands(lines));
  }

  #withCommands(text: string): string {
    return text.replaceAll(PROGRAM, () => this.#command);
  }
}

/** Whether writing failed because the reader closed the pipe, for example in `weatherd export … | head`. */
export function isReaderGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}
