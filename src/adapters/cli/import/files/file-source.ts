import { DomainError } from '../../../../domain/domain-error.js';
import { asUtf8 } from '../../../formats/files/encodings.js';
import type { FileSource } from '../../../formats/files/file-plan.js';
import type { CommandContext } from '../../command-context.js';
import type { InputFile, PeekedFile } from './input-file.js';
import { isGzip, type OpenOptions, STANDARD_INPUT } from './source-file.js';

/** A file as makes and tables read it. @param options of the first pass; a second one tells no progress */
export function fileSource(
  { file, member }: InputFile,
  { head, bytes }: PeekedFile,
  { querySqlite }: Pick<CommandContext, 'querySqlite'>,
  options: OpenOptions,
): FileSource {
  const isBinary = head.kind === 'sqlite' || head.kind === 'parquet';
  const isOnDisk = member === undefined && file !== STANDARD_INPUT;
  const path = isOnDisk && isBinary && !isGzip(file) ? file : undefined;
  return {
    text: () => asUtf8(bytes(options), head.encoding),
    canRepeat: file !== STANDARD_INPUT,
    path,
    async *sqlite(query) {
      if (path === undefined) {
        throw new DomainError(
          'REQUEST_INVALID',
          'A database must be a file that is not packed: unpack it first.',
        );
      }
      for await (const rows of querySqlite(path, query)) {
        yield rows.map((fields) => ({ line: Number(fields[0]), fields }));
      }
    },
  };
}
