import { DomainError } from '#domain/domain-error.js';
import type { InputFile } from './input-file.js';

/** Limits for a file from an untrusted sender. A small archive may unpack to any number of bytes and members. */
export interface UnpackLimits {
  /** Largest number of bytes after decompression, of all members of an archive together. */
  readonly bytes: number;
  /** Largest number of members of an archive. */
  readonly members: number;
}

/**
 * Limits the decompressed bytes of files, all files together. A file that is read several times counts once.
 *
 * @returns the files; reading fails with DomainError REQUEST_INVALID beyond the limit
 */
export function withinLimit(inputs: readonly InputFile[], limit: number): InputFile[] {
  /** Number of bytes of each file that were read so far, and their sum. */
  const sizes = new Map<InputFile, number>();
  let total = 0;
  const grow = (input: InputFile, size: number) => {
    const known = sizes.get(input) ?? 0;
    if (size <= known) return;
    sizes.set(input, size);
    total += size - known;
    if (total > limit)
      throw new DomainError(
        'REQUEST_INVALID',
        `The file has more than ${limit} bytes after decompression. Split it.`,
      );
  };
  return inputs.map((input) => ({
    ...input,
    async *open(options) {
      let size = 0;
      for await (const piece of input.open(options)) {
        grow(input, (size += piece.length));
        yield piece;
      }
    },
  }));
}
