import type { FileRecord, FileSource } from '../files/file-plan.js';
import { fileRecords } from '../tables/file-records.js';

interface Table {
  readonly source: FileSource;
  /** Number of the first row, from 1. */
  readonly first: number;
  /** Number of fields. Rows with another number are rejected. */
  readonly width: number;
}

/**
 * Reads the rows of a table with commas whose fields an import format changes, or to which it adds fields.
 *
 * @param change returns the fields of a row. It is called for the rows in their order
 */
export async function* changedRows(
  { source, first, width }: Table,
  change: (fields: readonly string[]) => readonly string[],
): AsyncGenerator<readonly FileRecord[]> {
  for await (const records of fileRecords(source, { kind: 'delimited', delimiter: ',', first, width })) {
    yield records.map((record): FileRecord => {
      const { line, fields, fault } = record;
      if (fault !== undefined) return record;
      if (fields.length === width) return { line, fields: change(fields) };
      return { line, fields, fault: `has ${fields.length} fields instead of ${width}` };
    });
  }
}
