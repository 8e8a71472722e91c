import { DomainError } from '#domain/domain-error.js';
import { asUtf8 } from '#adapters/formats/files/encodings.js';
import type { FileSource } from '#adapters/formats/files/file-plan.js';
import type { ImportContext } from '../import-context.js';
import type { InputFile, PeekedFile } from './input-file.js';
import type { OpenOptions } from './source-file.js';

/**
 * Makes a `FileSource`, through which the import formats and the table reader read the content of a file.
 *
 * @param options options for reading the file; every call of `FileSource.text` uses them
 */
export function fileSource(
  { isStream }: Pick<InputFile, 'isStream'>,
  { head, path, bytes }: PeekedFile,
  { foreignFiles }: Pick<ImportContext, 'foreignFiles'>,
  options: OpenOptions,
): FileSource {
  return {
    text: (isFirstPass = false) =>
      asUtf8(bytes(isFirstPass ? { ...options, progress: () => undefined } : options), head.encoding),
    canRepeat: !isStream,
    path,
    async *sqlite(query) {
      if (path === undefined) {
        throw new DomainError('REQUEST_INVALID', 'The file is not a database.');
      }
      let line = 0;
      for await (const rows of foreignFiles.rows(path, query)) {
        yield rows.map((fields) => ({ line: (line += 1), fields }));
      }
    },
  };
}
