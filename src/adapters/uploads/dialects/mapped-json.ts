import type { Clock } from '#application/ports/clock.js';
import type { UploadField } from '#domain/uploads/upload.js';
import type { MappedRecord } from '#adapters/formats/mapping/map-record.js';
import { SecretMask } from '../request/secret-mask.js';
import { REPLIES } from '../upload-reply.js';
import { type Dialect, deviceOf, type DialectUpload, INVALID_JSON, senderOf } from './dialect.js';
import { jsonDialect } from './json.js';

/** The part of the class `Mapper` that this dialect (protocol for uploads) needs. */
export interface DocumentMapper {
  /** Names of the sources that send JSON over HTTP. The mapping file of the operator describes each source and its JSON. */
  readonly documents: ReadonlySet<string>;
  document(
    name: string,
    document: unknown,
    receivedAt: number,
  ): readonly (MappedRecord | string)[] | undefined;
}

/**
 * A dialect (protocol for uploads) for JSON of any form. The mapping file of the operator describes the form for each source, for
 * example for a device. The path of a request ends with the name of the source: `/u/KEY/greenhouse`.
 *
 * The mapping file may assign values to several stations, but an upload key can write to one station only. Values of other
 * stations are not stored. The status of the upload key lists them as unmapped, like fields without a variable.
 */
export function mappedJson(mapper: DocumentMapper, clock: Pick<Clock, 'now'>): Dialect {
  return {
    name: 'mapped-json',
    recognizes: ({ json: body, isBroken, path }) =>
      (body !== undefined || isBroken) && mapper.documents.has(nameIn(path)),
    read: (upload) => {
      const { json: body, path, key, isBroken } = upload;
      if (isBroken) return INVALID_JSON;
      const now = clock.now();
      const read = (document: unknown) => mapper.document(nameIn(path), document, now) ?? [];
      const records = read(body);
      const uploads = records.flatMap((record) =>
        typeof record === 'string' ? [] : [uploadOf(record, key)],
      );
      if (uploads.length > 0 && uploads.length === records.length) return uploads;
      // The reasons quote values, so they are taken from the document without its secrets.
      return problemIn(read(new SecretMask(upload).json(body)));
    },
    replies: { ...REPLIES, accepted: jsonDialect.replies.accepted },
  };
}

/** The reason for the first record that cannot be read. */
function problemIn(records: readonly (MappedRecord | string)[]): string {
  const index = records.findIndex((record) => typeof record === 'string');
  const reason = records[index];
  if (typeof reason !== 'string') return 'The JSON has no object that can be stored.';
  const place = records.length === 1 ? '' : `, object ${index + 1} of ${records.length}`;
  return `The JSON cannot be stored${place}: ${reason}.`;
}

function nameIn(path: string): string {
  const end = path.endsWith('/') ? path.length - 1 : path.length;
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}

function uploadOf(
  { time, readings, counters, runtime, fields }: MappedRecord,
  key: string | undefined,
): DialectUpload {
  const others = [...readings].flatMap(([station, list]): UploadField[] =>
    station === undefined ? [] : list.map(({ field, value }) => ({ name: field, value })),
  );
  return {
    sender: senderOf({ key }),
    time: { sent: time, isLive: time === undefined },
    readings: readings.get(undefined) ?? [],
    counters,
    fields: [...fields, ...others],
    device: deviceOf({ batteries: {}, runtime }),
  };
}
