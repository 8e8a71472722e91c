import type { Readable, Writable } from 'node:stream';

type Input = Readable & { readonly isTTY?: boolean };

/** Where a command reads and writes: the streams of the process, or others that stand for them. */
export class Terminal {
  readonly input: Input;
  /** For results alone: scripts read it. */
  readonly output: Writable;
  /** For questions, progress and everything else that is said to people. */
  readonly errors: Writable;

  constructor(input: Input, output: Writable, errors: Writable) {
    this.input = input;
    this.output = output;
    this.errors = errors;
  }

  /** Whether somebody can be asked. */
  get isInteractive(): boolean {
    return this.input.isTTY === true;
  }

  /** Writes a line of the result. */
  say(text: string): void {
    this.output.write(`${text}\n`);
  }

  /** Writes a line to people. */
  tell(text: string): void {
    this.errors.write(`${text}\n`);
  }
}

/** Whether writing has failed because nobody reads any more, as in `weatherd export … | head`. */
export function isReaderGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}
