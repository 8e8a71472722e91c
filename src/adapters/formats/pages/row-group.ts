import type { SchemaElement } from 'hyparquet';
import type { ColumnSource, ParquetWriter } from 'hyparquet-writer';
import { convertedColumnOf, type ExportedPage, flagColumnOf, qualityOf } from './page-columns.js';

/**
 * Consecutive rows (a page) that become a row group of a Parquet file. They are plain data, so that another thread can write the
 * row group.
 */
export interface RowGroupTask extends ExportedPage {
  readonly kind: 'row group';
  /** Position of the row group in the file, in bytes. */
  readonly offset: number;
}

/** The bytes of a row group, and its entry in the index of the file. Without rows there is no row group. */
export interface RowGroup {
  readonly bytes: Uint8Array;
  readonly groups: ParquetWriter['row_groups'];
  readonly indexes: ParquetWriter['pendingIndexes'];
}

export async function encodeRowGroup(task: RowGroupTask): Promise<RowGroup> {
  const columnData = columnsOf(task);
  // The library is loaded here, so that a service that writes no Parquet needs no memory for it.
  const { ByteWriter, ParquetWriter: Writer, schemaFromColumnData } = await import('hyparquet-writer');
  const writer = new ByteWriter();
  const schema = schemaFromColumnData({ columnData, schemaOverrides: schemaOf(task) });
  const parquet = new Writer({ writer, schema });
  // The writer has already written the first bytes of a Parquet file. They are not part of the row group, so they are discarded.
  writer.index = 0;
  writer.offset = task.offset;
  await parquet.write({ columnData, rowGroupSize: Math.max(1, task.series.times.length) });
  return { bytes: writer.getBytes().slice(), groups: parquet.row_groups, indexes: parquet.pendingIndexes };
}

/**
 * The column of times. The logical type declares that times are instants. Without the logical type some programs read the times
 * as local times without a zone. The older annotation is for programs that do not know logical types.
 */
const TIME = {
  name: 'time',
  type: 'INT64',
  repetition_type: 'REQUIRED',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const;

/** The columns of a Parquet file whose types do not follow from their data. */
export function schemaOf({ columns, verdicts }: ExportedPage): Record<string, SchemaElement> {
  const flags = (verdicts === 'flags' ? columns : []).map((column): [string, SchemaElement] => {
    const name = flagColumnOf(column);
    return [name, { name, type: 'INT32', repetition_type: 'REQUIRED', converted_type: 'UINT_8' }];
  });
  return { time: TIME, ...Object.fromEntries(flags) };
}

/** The columns of a Parquet file: the time, the values in their units, and the results of quality control. */
export function columnsOf(page: ExportedPage): ColumnSource[] {
  const { times, flags } = page.series;
  const rows = times.length;
  return [
    {
      name: 'time',
      data: BigInt64Array.from(times, BigInt),
      // A dictionary would not save space: all times differ, so that the dictionary would be as large as the times.
      encoding: 'DELTA_BINARY_PACKED',
    },
    ...page.columns.map((column): ColumnSource => ({
      name: column.heading ?? column.name,
      data: nullable(convertedColumnOf(page, column)),
      type: 'DOUBLE',
      nullable: true,
    })),
    ...(page.verdicts === 'flags'
      ? page.columns.map((column): ColumnSource => ({
          name: flagColumnOf(column),
          data: Int32Array.from(flags.get(column.number) ?? new Uint8Array(rows)),
        }))
      : [textOfVerdicts(page)]),
  ];
}

function textOfVerdicts(page: ExportedPage): ColumnSource {
  return {
    name: 'quality',
    data: Array.from(page.series.times, (_time, row) => qualityOf(page, row) || null),
    type: 'STRING',
    nullable: true,
  };
}

/**
 * Replaces NaN by null. A column without NaN is returned unchanged, because the writer writes it faster than a list with null.
 */
function nullable(column: Float64Array): Float64Array | (number | null)[] {
  return column.some(Number.isNaN)
    ? Array.from(column, (value) => (Number.isNaN(value) ? null : value))
    : column;
}
