import { SourceFailure } from '#domain/sources/source-failure.js';

/** Two bytes at the beginning of each packet. */
const HEADER = 0xff;
/** Bytes before the command, of the command, and of the checksum. */
const [START, COMMAND, CHECKSUM] = [2, 1, 1];

/** Commands of the protocol of Ecowitt gateways. */
export const COMMANDS = { broadcast: 0x12, live: 0x27, sensors: 0x3c, rain: 0x57 } as const;
/** Commands whose replies have a size of two bytes. */
const LONG_REPLIES: ReadonlySet<number> = new Set(Object.values(COMMANDS));

/** A request without data: `FF FF 27 03 2A`. */
export function ecowittRequest(command: number): Uint8Array {
  const size = COMMAND + 1 + CHECKSUM;
  return Uint8Array.of(HEADER, HEADER, command, size, (command + size) % 256);
}

/** Whether the bytes are a whole reply, or cannot become one. */
export function isWholePacket(bytes: Uint8Array): boolean {
  const length = lengthOf(bytes);
  return isForeign(bytes) || (length !== undefined && bytes.length >= length);
}

/**
 * The data of a reply, without the command, the size and the checksum.
 *
 * @throws SourceFailure if the bytes are no reply to this command
 */
export function packetData(bytes: Uint8Array, command: number): Uint8Array {
  const length = lengthOf(bytes) ?? Infinity;
  const [from, to] = [dataStart(command), length - CHECKSUM];
  if (isForeign(bytes) || bytes.length < length || bytes[START] !== command || to < from)
    throw new SourceFailure('The reply is not that of an Ecowitt gateway: check the address and the kind.');
  const sum = bytes.subarray(START, to).reduce((total, byte) => total + byte, 0);
  if (sum % 256 !== bytes[to])
    throw new SourceFailure('The reply of the gateway was damaged on the way: its checksum is wrong.');
  return bytes.subarray(from, to);
}

/** The length of a packet with its header; undefined if it is not known yet. The size counts from the command on. */
function lengthOf(bytes: Uint8Array): number | undefined {
  const command = bytes[START];
  if (command === undefined || bytes.length < dataStart(command)) return undefined;
  const [high = 0, low = 0] = bytes.subarray(START + COMMAND);
  return START + (LONG_REPLIES.has(command) ? high * 256 + low : high);
}

function dataStart(command: number): number {
  return START + COMMAND + (LONG_REPLIES.has(command) ? 2 : 1);
}

function isForeign(bytes: Uint8Array): boolean {
  return bytes.subarray(0, START).some((byte) => byte !== HEADER);
}
