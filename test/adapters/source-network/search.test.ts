import { expect } from 'chai';
import { broadcastOf, search } from '#adapters/source-network/search.js';
import { ecowittTcp } from '#adapters/source-kinds/ecowitt-tcp.js';
import { ecowitt } from '#adapters/source-kinds/ecowitt.js';
import { shelly } from '#adapters/source-kinds/shelly.js';
import type { FoundDevice, SourceKind } from '#application/ports/source-kind.js';
import { a, dnsReply, labels, ptr, srv } from '../../support/devices/dns-reply.js';
import { packet } from '../../support/devices/ecowitt-tcp.js';
import { udpDevice, type UdpDevice } from '../../support/devices/udp-device.js';

const TYPE = '_shelly._tcp.local';

describe('The search for devices', () => {
  const devices: UdpDevice[] = [];
  afterEach(async () => {
    await Promise.all(devices.splice(0).map((device) => device.close()));
  });

  const start = async (answer: Parameters<typeof udpDevice>[0]) => {
    const device = await udpDevice(answer);
    devices.push(device);
    return device;
  };
  /** The first devices that a kind finds. Then the search ends. */
  const find = async (kind: SourceKind, address: string, count: number) => {
    const ending = new AbortController();
    const found: FoundDevice[] = [];
    for await (const device of kind.find?.(search(address, ending.signal)) ?? []) {
      found.push(device);
      if (found.length === count) ending.abort();
    }
    return found;
  };
  const gateway = (address: string, name: string) => {
    const bytes = Buffer.from(name);
    const mac = 'E868E7123456';
    const host = Buffer.from(address.split('.').map(Number)).toString('hex');
    return packet(
      0x12,
      `${mac} ${host} AFC8 ${bytes.length.toString(16).padStart(2, '0')} ${bytes.toString('hex')}`,
    );
  };

  for (const [address, netmask, broadcast] of [
    ['192.168.77.1', '255.255.255.0', '192.168.77.255'],
    ['10.1.2.3', '255.255.240.0', '10.1.15.255'],
    ['172.16.0.9', '255.0.0.0', '172.255.255.255'],
    ['100.64.1.2', '255.255.255.255', '100.64.1.2'],
  ] as const)
    it(`sends a broadcast of ${address} with the mask ${netmask} to ${broadcast}`, () => {
      expect(broadcastOf(address, netmask)).to.equal(broadcast);
    });

  it('finds gateways of Ecowitt by a broadcast, as the kind that they answer to', async () => {
    const device = await start(() => [
      Buffer.from('noise'),
      packet(0x27, '02 0016'),
      packet(0x12, 'E868'),
      gateway('192.168.1.20', 'GW2000A-WIFI3456 V3.2.4'),
      gateway('192.168.1.21', 'GW1000-WIFI1234 V1.7.7'),
      gateway('192.168.1.22', 'EasyWeather\u001b[31m-WIFI9'),
      gateway('192.168.1.23', 'GW1100B-WIFI1 V2.3.1'),
    ]);
    expect(await find(ecowitt, device.address, 2)).to.deep.equal([
      { address: '192.168.1.20', description: 'GW2000A-WIFI3456 V3.2.4 E8:68:E7:12:34:56' },
      { address: '192.168.1.23', description: 'GW1100B-WIFI1 V2.3.1 E8:68:E7:12:34:56' },
    ]);
    expect(await find(ecowittTcp, device.address, 2)).to.deep.equal([
      { address: '192.168.1.21', description: 'GW1000-WIFI1234 V1.7.7 E8:68:E7:12:34:56' },
      { address: '192.168.1.22', description: 'EasyWeather[31m-WIFI9 E8:68:E7:12:34:56' },
    ]);
    expect(device.questions[0]?.toString('hex')).to.equal('ffff120315');
  });

  it('finds services by multicast DNS, with an address of the reply or of its sender', async () => {
    const device = await start(() => [
      Buffer.from('noise'),
      dnsReply([
        ptr(TYPE, ['ShellyPlus\u0007 1', 12]),
        srv(['ShellyPlus\u0007 1', 12], 80, labels('one.local')),
        a('ONE.local', '192.168.1.40'),
        srv(labels('other._http._tcp.local'), 81, labels('one.local')),
      ]),
      dnsReply([ptr(TYPE, ['two', 12]), srv(['two', 12], 8080, labels('two.local'))]),
    ]);
    expect(await find(shelly, device.address, 2)).to.deep.equal([
      { address: '192.168.1.40', description: 'ShellyPlus  1' },
      { address: '127.0.0.1:8080', description: 'two' },
    ]);
  });

  it('asks again after a loss, and for the place of a service that was only named', async () => {
    const device = await start((question, count) => {
      if (count === 1) return [dnsReply([ptr(TYPE, ['three', 12])])];
      const asksForPlace = question.includes(Buffer.from('three'));
      return asksForPlace ? [dnsReply([srv(labels(`three.${TYPE}`), 80, labels('three.local'))])] : [];
    });
    expect(await find(shelly, device.address, 1)).to.deep.equal([
      { address: '127.0.0.1', description: 'three' },
    ]);
    expect(device.questions.length).to.be.at.least(2);
  });

  it('ends with its signal although nobody answers, and if it has ended before', async () => {
    const device = await start(() => []);
    for (const ending of [AbortSignal.timeout(20), AbortSignal.abort()])
      for (const kind of [ecowitt, shelly]) {
        const found: FoundDevice[] = [];
        for await (const one of kind.find?.(search(device.address, ending)) ?? []) found.push(one);
        expect(found).to.deep.equal([]);
      }
  });
});
