import type { PayloadKind } from './mapping.js';

/** Largest payload in bytes. */
export const MAX_PAYLOAD = 65_536;
/** Largest number of records in a list. */
const MAX_RECORDS = 1000;

/**
 * Reads a payload. Each item of a JSON list is a record.
 *
 * @param valueName name of the number in a payload of the kind `value`, which is a single number without a name
 * @returns the records, or the reason why the payload cannot be read
 */
export function readPayload(
  kind: PayloadKind,
  payload: Uint8Array,
  valueName: string,
): readonly unknown[] | string {
  if (payload.length > MAX_PAYLOAD) return `the payload has more than ${MAX_PAYLOAD} bytes`;
  const text = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString('utf8').trim();
  if (text === '') return 'the payload is empty';
  if (kind === 'value') return [Object.fromEntries([[valueName, text]])];
  // A field that occurs twice gets its last value.
  if (kind === 'form') return [Object.fromEntries(new URLSearchParams(text))];
  try {
    return payloadRecords(JSON.parse(text));
  } catch {
    return 'the payload is not JSON';
  }
}

/** The records of a JSON document: the document itself, or the items of a list. @returns a text with the reason if there are none */
export function payloadRecords(document: unknown): readonly unknown[] | string {
  const records: readonly unknown[] = Array.isArray(document) ? document : [document];
  if (records.length > MAX_RECORDS) return `the list has more than ${MAX_RECORDS} records`;
  const areObjects = records.every((record) => typeof record === 'object' && record !== null);
  return areObjects ? records : 'the payload is neither an object nor a list of objects';
}
