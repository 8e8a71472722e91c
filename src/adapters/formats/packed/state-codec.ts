/**
 * Encodes the data of a `StationState` (the newest values of a station) in few bytes. Little-endian:
 *
 *     part        bytes   content
 *     header      16      f64 time of the newest row, u32 number of variables that have a value, u32 number of all variables in
 *                         the decoded data, with or without a value
 *     variables   for each variable that has a value:
 *                 4       u8 number of the variable, u8 flags of the newest value, u16 omitted
 *                 8       f64 newest value
 *                 8       f64 time of the newest value
 *                 16      f64 time and f64 value of the newest value that passed quality control
 *     end         0 or 4  zero
 *
 * Two parts of a variable are left out if they would repeat other numbers. The lowest two bits of `omitted` say which:
 *
 * - Bit 0 is set if the time of the newest value is left out, because it is the time of the newest row.
 * - Bit 1 is set if the last 16 bytes are left out, because the newest value has passed quality control.
 *
 * Version 1.0.0 of weatherd wrote the data without encoding, as float64 numbers. The length of such data is a multiple of 8.
 * Encoded data are padded so that their length is never a multiple of 8 (it is 4 more than a multiple). The length shows which
 * form the data have.
 */
const HEADER = 16;
/**
 * Number of fields of each variable: time, value and flags of the newest value, and time and value of the newest value that
 * passed quality control.
 */
const FIELDS = 5;
const IS_NEWEST_ROW = 1;
const HAS_PASSED = 2;

/**
 * Memory in which each state (the newest values of a station) is encoded. It is used again for every state, because thousands of
 * states are often written one after the other. It has space for 256 variables.
 */
const SPACE = new DataView(new ArrayBuffer(HEADER + 256 * 36));
const BYTES = new Uint8Array(SPACE.buffer);

export function encodeState(data: Float64Array): Buffer {
  const slots = (data.length - 1) / FIELDS;
  const lastSeen = data[0] as number;
  let count = 0;
  let at = HEADER;
  const put = (value: number) => {
    SPACE.setFloat64(at, value, true);
    at += 8;
  };
  for (let variable = 0; variable < slots; variable += 1) {
    const place = 1 + variable;
    const time = data[place] as number;
    if (time === -Infinity) continue;
    const value = data[place + slots] as number;
    const tailTime = data[place + 3 * slots] as number;
    const tailValue = data[place + 4 * slots] as number;
    const isNewestRow = time === lastSeen;
    const hasPassed = tailTime === time && Object.is(tailValue, value);
    SPACE.setUint8(at, variable);
    SPACE.setUint8(at + 1, data[place + 2 * slots] as number);
    SPACE.setUint16(at + 2, (isNewestRow ? IS_NEWEST_ROW : 0) | (hasPassed ? HAS_PASSED : 0), true);
    at += 4;
    put(value);
    if (!isNewestRow) put(time);
    if (!hasPassed) {
      put(tailTime);
      put(tailValue);
    }
    count += 1;
  }
  SPACE.setFloat64(0, lastSeen, true);
  SPACE.setUint32(8, count, true);
  SPACE.setUint32(12, slots, true);
  if (at % 8 === 0) {
    SPACE.setUint32(at, 0);
    at += 4;
  }
  return Buffer.from(BYTES.subarray(0, at));
}

export function decodeState(blob: Buffer): Float64Array {
  // The bytes are copied, because the blob may not be aligned to 8 bytes.
  if (blob.length % 8 === 0)
    return new Float64Array(blob.buffer.slice(blob.byteOffset, blob.byteOffset + blob.byteLength));
  const view = new DataView(blob.buffer, blob.byteOffset, blob.length);
  const slots = view.getUint32(12, true);
  if (slots > 256) throw new RangeError(`A state cannot have ${slots} variables; the largest number is 256.`);
  const data = new Float64Array(1 + FIELDS * slots).fill(-Infinity);
  const lastSeen = view.getFloat64(0, true);
  data[0] = lastSeen;
  let at = HEADER;
  for (let left = view.getUint32(8, true); left > 0; left -= 1) {
    const place = 1 + view.getUint8(at);
    const bits = view.getUint16(at + 2, true);
    const value = view.getFloat64(at + 4, true);
    let [time, tailTime, tailValue] = [lastSeen, lastSeen, value];
    const flags = view.getUint8(at + 1);
    at += 12;
    if ((bits & IS_NEWEST_ROW) === 0) {
      tailTime = time = view.getFloat64(at, true);
      at += 8;
    }
    if ((bits & HAS_PASSED) === 0) {
      tailTime = view.getFloat64(at, true);
      tailValue = view.getFloat64(at + 8, true);
      at += 16;
    }
    data[place] = time;
    data[place + slots] = value;
    data[place + 2 * slots] = flags;
    data[place + 3 * slots] = tailTime;
    data[place + 4 * slots] = tailValue;
  }
  return data;
}
