import {
  aligned,
  type BlobKey,
  type BlobKind,
  contentStart,
  DamagedBlobError,
  ENVELOPE,
  seal,
} from '#adapters/formats/packed/blob.js';

/**
 * A section of a blob. A blob is one stored piece of binary data; a section is an optional fact before its content. `blob.ts`
 * describes the format.
 */
export interface Section {
  readonly type: number;
  readonly bytes: Uint8Array;
}

const HEADER = 8;

/**
 * Creates a blob (one stored piece of binary data) with sections (optional facts before its content) and a valid checksum.
 *
 * @param data `ENVELOPE` unused bytes, followed by the content
 */
export function sealWithSections(
  kind: BlobKind,
  key: BlobKey,
  data: ArrayBuffer,
  sections: readonly Section[],
): Buffer {
  const length = sections.reduce((sum, { bytes }) => sum + HEADER + aligned(bytes.length), 0);
  const blob = Buffer.alloc(data.byteLength + length);
  let at = ENVELOPE;
  for (const { type, bytes } of sections) {
    blob.writeUInt32LE(type, at);
    blob.writeUInt32LE(bytes.length, at + 4);
    blob.set(bytes, at + HEADER);
    at += HEADER + aligned(bytes.length);
  }
  blob.set(new Uint8Array(data, ENVELOPE), at);
  return seal(kind, key, blob.buffer.slice(blob.byteOffset, blob.byteOffset + blob.length), length);
}

/**
 * Reads the sections of an undamaged blob. The blob must begin with an envelope: the bytes with its kind, length and checksum.
 *
 * @throws DamagedBlobError
 */
export function sectionsOf(blob: Buffer): Section[] {
  const sections: Section[] = [];
  const end = contentStart(blob);
  for (let at = ENVELOPE; at < end;) {
    const [type, length] = [blob.readUInt32LE(at), blob.readUInt32LE(at + 4)];
    const next = at + HEADER + aligned(length);
    if (next > end) throw new DamagedBlobError('its sections are malformed');
    sections.push({ type, bytes: blob.subarray(at + HEADER, at + HEADER + length) });
    at = next;
  }
  return sections;
}
