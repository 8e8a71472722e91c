import { SourceFailure } from '#domain/sources/source-failure.js';
import { MILLISECONDS } from '#domain/time.js';

/** The failure of a source that sent nothing. @param timeout in milliseconds */
export function unanswered(timeout: number): SourceFailure {
  return new SourceFailure(`The source did not answer within ${timeout / MILLISECONDS.second} s.`);
}

/** The failure of a source that sent a part of its reply. @param timeout in milliseconds */
export function slowReply(timeout: number): SourceFailure {
  return new SourceFailure(
    `The source took too long: its reply was not complete after ${timeout / MILLISECONDS.second} s.`,
  );
}
