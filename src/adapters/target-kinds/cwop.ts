import type { LineConnection, TargetExchange, TargetKind } from '#application/ports/target-kind.js';
import { TargetFailure } from '#domain/hooks/target-failure.js';
import { aprsPacket } from './writing/aprs-packet.js';
import { nothingFor } from './writing/quantities.js';
import { SOFTWARE } from './writing/software.js';

const ADDRESS = 'tcp://cwop.aprs.net:14580';
/** Seconds. */
const INTERVAL = 600;
/** The passcode of stations that are no licensed amateurs. */
const NO_PASSCODE = '-1';
/** Call signs that CWOP gives to stations without a license. */
const CITIZEN = /^[A-Z]W\d{4}$/;

/**
 * CWOP, the Citizen Weather Observer Program of NOAA (http://www.wxqa.com), over APRS-IS (http://www.aprs-is.net/Connecting.aspx). The
 * account is the call sign, and the secret is the passcode of a licensed amateur.
 */
export const cwop: TargetKind = {
  name: 'cwop',
  title: 'CWOP',
  settings: { account: true, secret: false, url: false },
  schemes: ['tcp'],
  faultOf: ({ account = '', secret = NO_PASSCODE }) => {
    if (!/^[A-Z0-9]{3,6}(?:-[A-Z0-9]{1,2})?$/i.test(account))
      return 'The account of CWOP is a call sign, such as DW1234.';
    return /^(?:-1|\d{1,5})$/.test(secret) ? undefined : 'The passcode of CWOP is a number, or -1.';
  },
  weather: {
    interval: INTERVAL,
    atOwnSecond: true,
    send: async (weather, to) => {
      const call = (to.account ?? '').toUpperCase();
      const packet = aprsPacket(call, weather);
      if (packet === undefined) throw nothingFor('CWOP');
      try {
        await to.converse(to.address(ADDRESS), (connection) => transmit(connection, call, packet, to));
      } catch (error) {
        if (!(error instanceof TargetFailure)) throw error;
        // Servers of CWOP close to stations that connect again and again.
        throw new TargetFailure(error.message, { reply: error.reply, retryAfter: INTERVAL });
      }
    },
  },
};

async function transmit(
  { read, write }: LineConnection,
  call: string,
  packet: string,
  { secret = NO_PASSCODE }: TargetExchange,
): Promise<void> {
  const banner = await comment(read, /^#/);
  if (/\bfull\b/i.test(banner)) throw new TargetFailure('The server of CWOP is full.', { reply: banner });
  write(`user ${call} pass ${secret} vers ${SOFTWARE.name} ${SOFTWARE.version}`);
  // Servers answer `unverified` to the passcode -1, and CWOP takes the packet.
  const login = await comment(read, /^#.*(?:logresp|full|invalid)/i);
  if (!/logresp/i.test(login))
    throw new TargetFailure('The server of CWOP refused the login.', { reply: login });
  write(packet);
  if (
    /unverified/i.test(login) &&
    secret !== NO_PASSCODE &&
    !CITIZEN.test(call) &&
    Number(secret) !== passcodeOf(call)
  )
    throw new TargetFailure(
      'The passcode does not belong to this call sign, so that CWOP may drop the packet.',
      {
        reply: login,
      },
    );
}

/** The next comment that matches. Servers send other comments between. */
async function comment(read: LineConnection['read'], wanted: RegExp): Promise<string> {
  for (;;) {
    const line = await read();
    if (wanted.test(line)) return line;
  }
}

/** The passcode of a call sign, which APRS-IS computes from its letters and digits without the number behind the hyphen. */
export function passcodeOf(call: string): number {
  const [base = ''] = call.toUpperCase().split('-');
  let hash = 0x73e2;
  for (let at = 0; at < base.length; at += 2) {
    hash ^= base.charCodeAt(at) << 8;
    if (at + 1 < base.length) hash ^= base.charCodeAt(at + 1);
  }
  return hash & 0x7fff;
}
