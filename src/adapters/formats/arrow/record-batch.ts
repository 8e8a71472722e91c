import { convertedColumnOf, type ExportedPage, flagColumnOf } from '../pages/page-columns.js';
import { unitOf } from '../pages/file-notes.js';
import { type ArrowField, padded, recordBatchMessage } from './arrow-messages.js';

/** Consecutive rows (a page) that become a record batch. They are plain data, so that another thread can write the record batch. */
export interface RecordBatchTask extends ExportedPage {
  readonly kind: 'record batch';
}

/** The values of a column. Absent values have a 0 in `validity`, a bit for each row; a column without them needs no bits. */
interface Column {
  readonly values: Float64Array | BigInt64Array | Uint8Array;
  readonly validity: Uint8Array;
  readonly nulls: number;
}

const ALL_VALID = { validity: new Uint8Array(), nulls: 0 };

/** The columns of a file. A column with the ending `_qc` has the bits of `FLAG`. */
export function fieldsOf({ columns }: ExportedPage): ArrowField[] {
  return [
    { name: 'time', type: 'timestamp', isNullable: false, notes: [] },
    ...columns.map((column): ArrowField => ({
      name: column.heading ?? column.name,
      type: 'double',
      isNullable: true,
      notes: [{ key: 'units', value: unitOf(column) }],
    })),
    ...columns.map((column): ArrowField => ({
      name: flagColumnOf(column),
      type: 'uint8',
      isNullable: false,
      notes: [],
    })),
  ];
}

/** Writes a record batch: the message, then the body with the buffers of all columns. */
export function encodeRecordBatch(page: RecordBatchTask): Uint8Array {
  const { times, flags } = page.series;
  const rows = times.length;
  const columns: Column[] = [
    { values: BigInt64Array.from(times, BigInt), ...ALL_VALID },
    ...page.columns.map((column) => nullable(convertedColumnOf(page, column))),
    ...page.columns.map(({ number }) => ({
      values: flags.get(number) ?? new Uint8Array(rows),
      ...ALL_VALID,
    })),
  ];
  let bodyLength = 0;
  const buffers = columns
    .flatMap(({ validity, values }) => [validity, values])
    .map((buffer) => {
      const place = { buffer, offset: bodyLength, length: buffer.byteLength };
      bodyLength += padded(buffer.byteLength);
      return place;
    });
  const message = recordBatchMessage({ rows, columns, buffers, bodyLength });
  const bytes = new Uint8Array(message.length + bodyLength);
  bytes.set(message);
  for (const { buffer, offset, length } of buffers)
    bytes.set(new Uint8Array(buffer.buffer, buffer.byteOffset, length), message.length + offset);
  return bytes;
}

/** The value of an absent cell is 0 and not NaN, because NaN has several forms and the same rows must give the same bytes. */
function nullable(column: Float64Array): Column {
  const values = new Float64Array(column.length);
  const validity = new Uint8Array(Math.ceil(column.length / 8));
  let nulls = 0;
  for (const [row, value] of column.entries()) {
    if (Number.isNaN(value)) {
      nulls += 1;
      continue;
    }
    values[row] = value;
    validity[row >> 3] = (validity[row >> 3] ?? 0) | (1 << (row & 7));
  }
  return nulls === 0 ? { values, ...ALL_VALID } : { values, validity, nulls };
}
