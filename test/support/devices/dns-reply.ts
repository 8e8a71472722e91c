/** A name as labels without compression. A number is a pointer to that place in the message. */
export type DnsName = readonly (string | number)[];

interface DnsAnswer {
  readonly name: DnsName;
  readonly type: number;
  readonly data: Uint8Array;
  readonly group?: number;
}

/** Writes a name. */
export function dnsName(name: DnsName): Buffer {
  const isPointed = typeof name.at(-1) === 'number';
  return Buffer.concat([
    ...name.map((part) =>
      typeof part === 'number'
        ? Buffer.of(0xc0 | (part >> 8), part % 256)
        : Buffer.concat([Buffer.of(Buffer.byteLength(part)), Buffer.from(part)]),
    ),
    ...(isPointed ? [] : [Buffer.of(0)]),
  ]);
}

export function labels(text: string): string[] {
  return text.split('.');
}

export function ptr(name: string, target: DnsName): DnsAnswer {
  return { name: labels(name), type: 12, data: dnsName(target) };
}

export function srv(name: DnsName, port: number, target: DnsName): DnsAnswer {
  return {
    name,
    type: 33,
    data: Buffer.concat([Buffer.of(0, 0, 0, 0, port >> 8, port % 256), dnsName(target)]),
  };
}

export function a(name: string, address: string): DnsAnswer {
  return { name: labels(name), type: 1, data: Buffer.from(address.split('.').map(Number)) };
}

/** Writes a reply of multicast DNS. @param questions names that are repeated in the reply */
export function dnsReply(answers: readonly DnsAnswer[], questions: readonly DnsName[] = []): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(0x8400, 2);
  header.writeUInt16BE(questions.length, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([
    header,
    ...questions.map((name) => Buffer.concat([dnsName(name), Buffer.of(0, 12, 0x80, 1)])),
    ...answers.map(({ name, type, data, group = 0x8001 }) => {
      const middle = Buffer.alloc(10);
      middle.writeUInt16BE(type, 0);
      middle.writeUInt16BE(group, 2);
      middle.writeUInt32BE(120, 4);
      middle.writeUInt16BE(data.length, 8);
      return Buffer.concat([dnsName(name), middle, data]);
    }),
  ]);
}
