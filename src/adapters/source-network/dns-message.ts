/** Types of records (RFC 1035, section 3.2.2; RFC 2782). */
export const TYPES = { a: 1, ptr: 12, srv: 33 } as const;
const INTERNET = 1;
/** The bit that asks for a reply to the sender only (RFC 6762, section 5.4). In replies the same bit tells to drop older records. */
const TOP_BIT = 0x8000;
const RESPONSE = 0x8000;
const HEADER = 12;
/** Limits of a message: bytes of a name, of a label, and records that are read. */
const [MAX_NAME, MAX_LABEL, MAX_RECORDS] = [255, 63, 256];
/** The first two bits of a byte that points to another place in the message (RFC 1035, section 4.1.4). */
const POINTER = 0xc0;

export interface Question {
  readonly name: string;
  readonly type: number;
}

/** A record of a reply. Names are without the dot at the end. */
export type DnsRecord =
  | { readonly type: 'ptr'; readonly name: string; readonly target: string }
  | { readonly type: 'srv'; readonly name: string; readonly target: string; readonly port: number }
  | { readonly type: 'a'; readonly name: string; readonly address: string };

/** Writes questions for multicast DNS. The replies come to the sender. */
export function dnsQuery(questions: readonly Question[]): Uint8Array {
  const parts = [Buffer.alloc(HEADER)];
  parts[0]?.writeUInt16BE(questions.length, 4);
  for (const { name, type } of questions) {
    for (const label of name.split('.')) {
      const bytes = Buffer.from(label).subarray(0, MAX_LABEL);
      parts.push(Buffer.of(bytes.length), bytes);
    }
    const end = Buffer.alloc(5);
    end.writeUInt16BE(type, 1);
    end.writeUInt16BE(TOP_BIT | INTERNET, 3);
    parts.push(end);
  }
  return Buffer.concat(parts);
}

/**
 * Reads the records of a reply. Anybody in the network can send one: a record that cannot be read ends the reading, and what was read
 * before is returned.
 */
export function dnsRecords(bytes: Uint8Array): readonly DnsRecord[] {
  const message = Buffer.from(bytes);
  if (message.length < HEADER || (message.readUInt16BE(2) & RESPONSE) === 0) return [];
  const counts = [4, 6, 8, 10].map((at) => message.readUInt16BE(at));
  const [questions = 0, ...sections] = counts;
  const records = Math.min(
    MAX_RECORDS,
    sections.reduce((sum, count) => sum + count, 0),
  );
  const found: DnsRecord[] = [];
  let at: number | undefined = HEADER;
  for (let index = 0; index < Math.min(questions, MAX_RECORDS); index += 1) {
    const name: Name | undefined = nameAt(message, at);
    if (name === undefined) return [];
    at = name.next + 4;
  }
  for (let index = 0; index < records; index += 1) {
    const name = nameAt(message, at);
    if (name === undefined || name.next + 10 > message.length) return found;
    const { next } = name;
    const [type, group] = [message.readUInt16BE(next), message.readUInt16BE(next + 2) & ~TOP_BIT];
    const from = next + 10;
    at = from + message.readUInt16BE(next + 8);
    if (at > message.length) return found;
    const record = group === INTERNET ? recordIn(message, name.text, type, from, at) : undefined;
    if (record !== undefined) found.push(record);
  }
  return found;
}

function recordIn(
  message: Buffer,
  name: string,
  type: number,
  from: number,
  to: number,
): DnsRecord | undefined {
  if (type === TYPES.a && to - from === 4)
    return { type: 'a', name, address: message.subarray(from, to).join('.') };
  if (type === TYPES.ptr) {
    const target = nameAt(message, from)?.text;
    return target === undefined ? undefined : { type: 'ptr', name, target };
  }
  if (type === TYPES.srv && to - from > 6) {
    const target = nameAt(message, from + 6)?.text;
    return target === undefined
      ? undefined
      : { type: 'srv', name, target, port: message.readUInt16BE(from + 4) };
  }
  return undefined;
}

interface Name {
  readonly text: string;
  /** The place behind the name. */
  readonly next: number;
}

/** Reads a name. A pointer must lead to an earlier place, so that names cannot be endless. */
function nameAt(message: Buffer, start: number): Name | undefined {
  const labels: string[] = [];
  let [at, next, length, limit] = [start, -1, 0, start];
  for (;;) {
    const size = message[at];
    if (size === undefined) return undefined;
    if ((size & POINTER) === POINTER) {
      const low = message[at + 1];
      if (low === undefined) return undefined;
      if (next === -1) next = at + 2;
      at = (size & ~POINTER) * 256 + low;
      if (at >= limit) return undefined;
      limit = at;
    } else if (size > MAX_LABEL) {
      return undefined;
    } else if (size === 0) {
      return { text: labels.join('.'), next: next === -1 ? at + 1 : next };
    } else {
      length += size + 1;
      if (length > MAX_NAME || at + 1 + size > message.length) return undefined;
      labels.push(message.toString('utf8', at + 1, at + 1 + size));
      at += 1 + size;
    }
  }
}
