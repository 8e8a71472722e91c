import { Builder, type Offset } from 'flatbuffers';

/** Types of columns. `timestamp` has milliseconds since 1970-01-01T00:00:00Z as 64-bit integers. */
export type ArrowType = 'timestamp' | 'double' | 'uint8';

/** An entry of the metadata of a file or of a column. */
export interface Note {
  readonly key: string;
  readonly value: string;
}

/** A column of a file. */
export interface ArrowField {
  readonly name: string;
  readonly type: ArrowType;
  readonly isNullable: boolean;
  readonly notes: readonly Note[];
}

/** A column of a record batch, and a buffer of its body. Positions are in bytes from the start of the body. */
export interface BatchLayout {
  readonly rows: number;
  readonly columns: readonly { readonly nulls: number }[];
  readonly buffers: readonly { readonly offset: number; readonly length: number }[];
  readonly bodyLength: number;
}

/** Where a record batch is in a file: the offset from the start of the file, and the lengths of message and body, in bytes. */
export interface Block {
  readonly offset: number;
  readonly metadataLength: number;
  readonly bodyLength: number;
}

/** All buffers and messages start at a multiple of this number of bytes. */
export const ALIGNMENT = 8;

/** Bytes in front of the table of a message: four bytes that announce the message, and its length. */
const PREFIX = 8;

export const padded = (length: number) => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

/** Numbers of the enums `MetadataVersion`, `MessageHeader`, `Type`, `Precision` and `TimeUnit`. */
const VERSION_5 = 4;
const HEADERS = { schema: 1, recordBatch: 3 } as const;
const KINDS: Readonly<Record<ArrowType, number>> = { uint8: 2, double: 3, timestamp: 10 };
const DOUBLE_PRECISION = 2;
const MILLISECOND = 1;

/**
 * Fields of the tables of Arrow's schemas `Schema.fbs`, `Message.fbs` and `File.fbs`, in their order. A union has two fields: the
 * number of its type, and its value.
 */
const FIELDS = {
  keyValue: { key: 0, value: 1, count: 2 },
  timestamp: { unit: 0, timezone: 1, count: 2 },
  floatingPoint: { precision: 0, count: 1 },
  int: { bitWidth: 0, isSigned: 1, count: 2 },
  field: { name: 0, nullable: 1, typeKind: 2, type: 3, children: 5, notes: 6, count: 7 },
  schema: { fields: 1, notes: 2, count: 4 },
  recordBatch: { length: 0, nodes: 1, buffers: 2, count: 5 },
  message: { version: 0, headerKind: 1, header: 2, bodyLength: 3, count: 5 },
  footer: { version: 0, schema: 1, batches: 3, count: 5 },
} as const;

/** Sizes of the structs in bytes. Each has only 64-bit integers, or is padded to them. */
const SIZES = { fieldNode: 16, buffer: 16, block: 24 } as const;

/** The message with the columns and the metadata of a file. */
export function schemaMessage(fields: readonly ArrowField[], notes: readonly Note[]): Uint8Array {
  const builder = new Builder();
  return message(builder, 'schema', schemaOf(builder, fields, notes), 0);
}

/** The message in front of the body of a record batch. */
export function recordBatchMessage({ rows, columns, buffers, bodyLength }: BatchLayout): Uint8Array {
  const builder = new Builder();
  const nodes = structs(builder, SIZES.fieldNode, columns, ({ nulls }) => {
    builder.writeInt64(BigInt(nulls));
    builder.writeInt64(BigInt(rows));
  });
  const places = structs(builder, SIZES.buffer, buffers, ({ offset, length }) => {
    builder.writeInt64(BigInt(length));
    builder.writeInt64(BigInt(offset));
  });
  const { recordBatch } = FIELDS;
  builder.startObject(recordBatch.count);
  builder.addFieldInt64(recordBatch.length, BigInt(rows), 0n);
  builder.addFieldOffset(recordBatch.nodes, nodes, 0);
  builder.addFieldOffset(recordBatch.buffers, places, 0);
  return message(builder, 'recordBatch', builder.endObject(), bodyLength);
}

/** The index of a file: its columns again, and the places of its record batches. */
export function footerOf(
  fields: readonly ArrowField[],
  notes: readonly Note[],
  blocks: readonly Block[],
): Uint8Array {
  const builder = new Builder();
  const schema = schemaOf(builder, fields, notes);
  const batches = structs(builder, SIZES.block, blocks, ({ offset, metadataLength, bodyLength }) => {
    builder.writeInt64(BigInt(bodyLength));
    builder.pad(4);
    builder.writeInt32(metadataLength);
    builder.writeInt64(BigInt(offset));
  });
  const { footer } = FIELDS;
  builder.startObject(footer.count);
  builder.addFieldInt16(footer.version, VERSION_5, 0);
  builder.addFieldOffset(footer.schema, schema, 0);
  builder.addFieldOffset(footer.batches, batches, 0);
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

/** The entry of the index for a record batch. */
export function blockOf(batch: Uint8Array, offset: number): Block {
  const metadataLength = PREFIX + new DataView(batch.buffer, batch.byteOffset).getInt32(4, true);
  return { offset, metadataLength, bodyLength: batch.length - metadataLength };
}

/** A message with the four bytes that announce it, and its length, padded so that a body can follow. */
function message(
  builder: Builder,
  kind: keyof typeof HEADERS,
  header: Offset,
  bodyLength: number,
): Uint8Array {
  const fields = FIELDS.message;
  builder.startObject(fields.count);
  builder.addFieldInt16(fields.version, VERSION_5, 0);
  builder.addFieldInt8(fields.headerKind, HEADERS[kind], 0);
  builder.addFieldOffset(fields.header, header, 0);
  builder.addFieldInt64(fields.bodyLength, BigInt(bodyLength), 0n);
  builder.finish(builder.endObject());
  const table = builder.asUint8Array();
  const bytes = new Uint8Array(padded(PREFIX + table.length));
  const view = new DataView(bytes.buffer);
  view.setInt32(0, -1, true);
  view.setInt32(4, bytes.length - PREFIX, true);
  bytes.set(table, PREFIX);
  return bytes;
}

function schemaOf(builder: Builder, fields: readonly ArrowField[], notes: readonly Note[]): Offset {
  const fieldOffsets = vector(
    builder,
    fields.map((field) => fieldOf(builder, field)),
  );
  const noteOffsets = notesOf(builder, notes);
  builder.startObject(FIELDS.schema.count);
  builder.addFieldOffset(FIELDS.schema.fields, fieldOffsets, 0);
  builder.addFieldOffset(FIELDS.schema.notes, noteOffsets, 0);
  return builder.endObject();
}

function fieldOf(builder: Builder, { name, type, isNullable, notes }: ArrowField): Offset {
  const nameOffset = builder.createString(name);
  const typeOffset = typeOf(builder, type);
  // Old readers of C++ and Python refuse a column without this list, although only nested types have children.
  const children = vector(builder, []);
  const noteOffsets = notesOf(builder, notes);
  const { field } = FIELDS;
  builder.startObject(field.count);
  builder.addFieldOffset(field.name, nameOffset, 0);
  builder.addFieldInt8(field.nullable, Number(isNullable), 0);
  builder.addFieldInt8(field.typeKind, KINDS[type], 0);
  builder.addFieldOffset(field.type, typeOffset, 0);
  builder.addFieldOffset(field.children, children, 0);
  builder.addFieldOffset(field.notes, noteOffsets, 0);
  return builder.endObject();
}

function typeOf(builder: Builder, type: ArrowType): Offset {
  const { timestamp, floatingPoint, int } = FIELDS;
  if (type === 'timestamp') {
    const timezone = builder.createString('UTC');
    builder.startObject(timestamp.count);
    builder.addFieldInt16(timestamp.unit, MILLISECOND, 0);
    builder.addFieldOffset(timestamp.timezone, timezone, 0);
  } else if (type === 'double') {
    builder.startObject(floatingPoint.count);
    builder.addFieldInt16(floatingPoint.precision, DOUBLE_PRECISION, 0);
  } else {
    // `isSigned` is false by default.
    builder.startObject(int.count);
    builder.addFieldInt32(int.bitWidth, 8, 0);
  }
  return builder.endObject();
}

function notesOf(builder: Builder, notes: readonly Note[]): Offset {
  const offsets = notes.map(({ key, value }) => {
    const [keyOffset, valueOffset] = [builder.createString(key), builder.createString(value)];
    builder.startObject(FIELDS.keyValue.count);
    builder.addFieldOffset(FIELDS.keyValue.key, keyOffset, 0);
    builder.addFieldOffset(FIELDS.keyValue.value, valueOffset, 0);
    return builder.endObject();
  });
  return vector(builder, offsets);
}

function vector(builder: Builder, offsets: readonly Offset[]): Offset {
  builder.startVector(4, offsets.length, 4);
  for (const offset of offsets.toReversed()) builder.addOffset(offset);
  return builder.endVector();
}

/** A list of structs. The builder writes from the end to the start, so `write` writes the last member first. */
function structs<T>(builder: Builder, size: number, list: readonly T[], write: (item: T) => void): Offset {
  builder.startVector(size, list.length, ALIGNMENT);
  for (const item of list.toReversed()) {
    builder.prep(ALIGNMENT, size);
    write(item);
  }
  return builder.endVector();
}
