import { quoted } from '#domain/quoted.js';
import type { FileRecord, FileSource } from '../files/file-plan.js';
import { linesOf, MAX_LINE } from '../text/line-reader.js';
import type { ImportFormat } from './import-format.js';
import { areOwnNames, OWN_COLUMNS, OWN_TIME, ownFields } from './own-columns.js';

/** Number of records in a batch. */
const RECORDS = 1024;

/** The output of `weatherd export --format jsonl`: one JSON object in each line, without the fields of absent values. */
export const ownJsonLines: ImportFormat = {
  name: 'weatherd-json-lines',
  title: 'weatherd, export as JSON lines',
  recognize(head) {
    const row = rowOf(head.lines[0] ?? '');
    if (row === undefined || !areOwnNames(Object.keys(row))) return undefined;
    return { layout: { kind: 'own', records: recordsOf }, time: OWN_TIME, columns: OWN_COLUMNS };
  },
};

async function* recordsOf(source: FileSource): AsyncGenerator<readonly FileRecord[]> {
  let records: FileRecord[] = [];
  for await (const { number: line, text, isTooLong } of linesOf(source.text())) {
    if (text.trim() === '' && !isTooLong) continue;
    const row = rowOf(text);
    if (isTooLong) records.push({ line, fields: [], fault: `the line is longer than ${MAX_LINE} bytes` });
    else if (row === undefined)
      records.push({ line, fields: [text], fault: `${quoted(text)} is not a JSON object` });
    else records.push({ line, fields: ownFields(row) });
    if (records.length < RECORDS) continue;
    yield records;
    records = [];
  }
  yield records;
}

function rowOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const row: unknown = JSON.parse(text);
    const isObject = typeof row === 'object' && row !== null && !Array.isArray(row);
    return isObject ? (row as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
