import { expect } from 'chai';
import { dnsQuery, dnsRecords, TYPES } from '#adapters/source-network/dns-message.js';
import { a, dnsName, dnsReply, labels, ptr, srv } from '../../support/devices/dns-reply.js';

const TYPE = '_shelly._tcp.local';

describe('Messages of multicast DNS', () => {
  it('ask for a reply to the sender', () => {
    const query = Buffer.from(dnsQuery([{ name: '_x._tcp.local', type: TYPES.ptr }]));
    expect(query.toString('hex')).to.equal('000000000001000000000000025f78045f746370056c6f63616c00000c8001');
  });

  it('are read with compressed names, and with records of other types', () => {
    const reply = dnsReply([
      ptr(TYPE, ['shelly-1', 12]),
      { name: ['txt', 12], type: 16, data: Buffer.from('\x05gen=2') },
      srv(['shelly-1', 12], 8080, labels('shelly-1.local')),
      a('shelly-1.local', '192.168.1.40'),
      { name: labels('shelly-1.local'), type: 28, data: Buffer.alloc(16) },
      { name: labels('other'), type: 1, data: Buffer.of(1, 2, 3, 4), group: 3 },
    ]);
    expect(dnsRecords(reply)).to.deep.equal([
      { type: 'ptr', name: TYPE, target: `shelly-1.${TYPE}` },
      { type: 'srv', name: `shelly-1.${TYPE}`, target: 'shelly-1.local', port: 8080 },
      { type: 'a', name: 'shelly-1.local', address: '192.168.1.40' },
    ]);
  });

  it('are read behind the questions that some devices repeat', () => {
    const reply = dnsReply([ptr(TYPE, ['s', 12])], [labels(TYPE)]);
    expect(dnsRecords(reply)).to.deep.equal([{ type: 'ptr', name: TYPE, target: `s.${TYPE}` }]);
  });

  it('say nothing if they are questions', () => {
    expect(dnsRecords(dnsQuery([{ name: TYPE, type: TYPES.ptr }]))).to.deep.equal([]);
  });

  it('end at a name that points to itself, in a circle, forward, or out of the message', () => {
    const good = a('good.local', '10.0.0.1');
    const start = dnsReply([good]).length;
    const names = [[start], ['x', start], [start + 2], [0x3fff], ['x', start + 4]];
    for (const name of names) {
      const reply = dnsReply([good, { name, type: 1, data: Buffer.of(10, 0, 0, 2) }, good]);
      expect(dnsRecords(reply), JSON.stringify(name)).to.have.lengthOf(1);
    }
    const circle = Buffer.concat([
      dnsReply([good, { name: [start + 2], type: 1, data: Buffer.of(10, 0, 0, 2) }]),
    ]);
    circle.writeUInt16BE(0xc000 | start, start + 2);
    expect(dnsRecords(circle)).to.have.lengthOf(1);
  });

  it('end at a name that is too long, and at labels of an unknown kind', () => {
    const long = Array.from({ length: 9 }, () => 'x'.repeat(32));
    expect(dnsRecords(dnsReply([{ name: long, type: 1, data: Buffer.of(10, 0, 0, 2) }]))).to.deep.equal([]);
    const unknown = dnsReply([a('x', '10.0.0.1')]);
    unknown[12] = 0x41;
    expect(dnsRecords(unknown)).to.deep.equal([]);
  });

  it('leave out a record whose data are too short, and go on', () => {
    const short = [
      { name: labels(TYPE), type: TYPES.ptr, data: Buffer.alloc(0) },
      { name: labels(TYPE), type: TYPES.srv, data: Buffer.of(0, 0, 0, 0) },
      { name: labels(TYPE), type: TYPES.a, data: Buffer.of(10, 0, 0) },
      {
        name: labels(TYPE),
        type: TYPES.srv,
        data: Buffer.concat([Buffer.alloc(6), dnsName(['x']).subarray(0, 1)]),
      },
    ];
    const records = dnsRecords(dnsReply([...short, a('good', '10.0.0.1')]));
    expect(records.filter(({ type }) => type === 'a')).to.have.lengthOf(1);
  });

  it('never throw, whatever is cut off or changed', () => {
    const reply = dnsReply([
      ptr(TYPE, ['shelly-1', 12]),
      srv(['shelly-1', 12], 80, ['shelly-1', 12]),
      a('shelly-1.local', '192.168.1.40'),
    ]);
    for (let length = 0; length <= reply.length; length += 1)
      expect(dnsRecords(reply.subarray(0, length)).length).to.be.at.most(3);
    for (let at = 0; at < reply.length; at += 1)
      for (const byte of [0, 0x3f, 0x40, 0xc0, 0xff]) {
        const changed = Buffer.from(reply);
        changed[at] = byte;
        expect(dnsRecords(changed).length).to.be.at.most(3);
      }
  });
});
