import type { FoundDevice, SourceSearch } from '#application/ports/source-kind.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { COMMANDS, ecowittRequest, packetData } from './ecowitt-packet.js';

const BROADCAST_PORT = 46_000;
/** Bytes of the data before the name: MAC address, IPv4 address, port, and the length of the name. */
const [MAC, ADDRESS, PORT] = [6, 4, 2];

/** Names of gateways and consoles with a page of their own: all gateways but the oldest, and newer consoles. */
const WITH_PAGE = /^(?:GW(?!1000)\d|WS(?:38|39|62)\d)/;

/**
 * Looks for gateways and consoles of Ecowitt, which answer to a broadcast.
 *
 * @param withPage whether those with a page of their own are wanted, or the others
 */
export async function* findGateways(search: SourceSearch, withPage: boolean): AsyncGenerator<FoundDevice> {
  for await (const { bytes } of search.broadcast(BROADCAST_PORT, ecowittRequest(COMMANDS.broadcast))) {
    const device = gatewayOf(bytes);
    if (device !== undefined && WITH_PAGE.test(device.description) === withPage) yield device;
  }
}

/** Reads the reply to a broadcast; undefined if it is of another device. */
function gatewayOf(bytes: Uint8Array): FoundDevice | undefined {
  let data: Uint8Array;
  try {
    data = packetData(bytes, COMMANDS.broadcast);
  } catch (error) {
    if (error instanceof SourceFailure) return undefined;
    throw error;
  }
  const nameAt = MAC + ADDRESS + PORT + 1;
  const length = data[nameAt - 1];
  if (length === undefined) return undefined;
  const address = data.subarray(MAC, MAC + ADDRESS).join('.');
  const mac = [...data.subarray(0, MAC)].map((byte) => byte.toString(16).padStart(2, '0')).join(':');
  // A name may have any characters; only visible ones go to the terminal.
  const name = Buffer.from(data.subarray(nameAt, nameAt + length))
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, '');
  return { address, description: `${name} ${mac.toUpperCase()}`.trim() };
}
