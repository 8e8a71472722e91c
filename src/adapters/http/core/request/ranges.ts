import { ProtocolError } from '../errors.js';

/** A part of a body, from the byte `first` to the byte `last`, both included. */
export interface BodyPart {
  readonly first: number;
  readonly last: number;
}

/**
 * Chooses the part of a body for the header `Range` (RFC 9110, section 14.2). A request for several parts gets the whole body, which
 * the section allows: a reply with several parts would have another media type, and readers of columns ask for one part at a time.
 *
 * @param size size of the body in bytes
 * @returns undefined for the whole body: without the header, for several parts, and for a header in another form
 * @throws ProtocolError RANGE_INVALID if the body has none of the bytes
 */
export function partOf(range: string | undefined, size: number): BodyPart | undefined {
  const [, start = '', end = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(range ?? '') ?? [];
  if (start === '' && end === '') return undefined;
  const first = start === '' ? Math.max(0, size - Number(end)) : Number(start);
  const last = start === '' || end === '' ? size - 1 : Math.min(Number(end), size - 1);
  if (start !== '' && end !== '' && Number(end) < first) return undefined;
  if (first >= size)
    throw new ProtocolError('RANGE_INVALID', `The file has ${size} bytes. None of them is in the range.`, {
      'content-range': `bytes */${size}`,
      'accept-ranges': 'bytes',
    });
  return { first, last };
}
