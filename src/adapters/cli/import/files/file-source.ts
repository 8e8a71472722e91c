import { DomainError } from '#domain/domain-error.js';
import { asUtf8 } from '#adapters/formats/files/encodings.js';
import type { FileSource } from '#adapters/formats/files/file-plan.js';
import type { CommandContext } from '../../command-context.js';
import type { InputFile, PeekedFile } from './input-file.js';
import type { OpenOptions } from './source-file.js';

/** A file as makes and tables read it. @param options of the first pass; a second one tells no progress */
export function fileSource(
  { isStream }: Pick<InputFile, 'isStream'>,
  { head, path, bytes }: PeekedFile,
  { foreignFiles }: Pick<CommandContext, 'foreignFiles'>,
  options: OpenOptions,
): FileSource {
  return {
    text: () => asUtf8(bytes(options), head.encoding),
    canRepeat: !isStream,
    path,
    async *sqlite(query) {
      if (path === undefined) {
        throw new DomainError('REQUEST_INVALID', 'The file is no database.');
      }
      let line = 0;
      for await (const rows of foreignFiles.rows(path, query)) {
        yield rows.map((fields) => ({ line: (line += 1), fields }));
      }
    },
  };
}
