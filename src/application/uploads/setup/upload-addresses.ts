import type { UploadAddresses } from './console-profile.js';

/** The addresses on which the service listens according to its settings. */
export interface UploadReach {
  /** The listener for uploads. */
  readonly uploads: Binding & { readonly enabled: boolean };
  /** The external API. */
  readonly api: Binding & { readonly tls: 'none' | 'here' | 'at a proxy' };
  /** The addresses of this machine in its networks. */
  readonly machine?: readonly string[];
}

/** The address of a listener. `0.0.0.0` and `::` mean all addresses of the machine. */
export interface Binding {
  readonly host: string;
  readonly port: number;
  /** Whether only programs on the same machine can connect. */
  readonly loopback: boolean;
}

/** Addresses for the setup instructions, and warnings about settings that prevent senders from connecting. */
export interface ReachedAddresses {
  readonly addresses: UploadAddresses;
  readonly warnings: readonly string[];
}

const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
/** The names and addresses by which a machine reaches itself. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;
const HTTPS_PORT = 443;

/**
 * Returns the addresses that a sender must use to reach the service, for instructions that are shown on the machine of the
 * service.
 *
 * @param asked the name or address of the machine that the person entered; undefined if the person entered none
 * @param machine the network addresses of the machine
 */
export function addressesHere(
  { uploads, api }: UploadReach,
  asked: string | undefined,
  machine: readonly string[],
): ReachedAddresses {
  const reached = ({ host, loopback }: Binding) => {
    if (loopback) return host;
    return asked ?? (WILDCARDS.has(host) ? (machine[0] ?? host) : host);
  };
  const behindProxy = api.tls === 'at a proxy' && asked !== undefined;
  const warnings = warningsOf(uploads);
  if (asked === undefined && WILDCARDS.has(uploads.host) && machine.length > 1)
    warnings.push(
      `This machine has the addresses ${machine.join(', ')}. --host chooses the one in the network of the sender.`,
    );
  return {
    addresses: {
      plain: { host: reached(uploads), port: uploads.port },
      api: {
        host: behindProxy ? asked : reached(api),
        port: behindProxy ? HTTPS_PORT : api.port,
        tls: api.tls !== 'none',
      },
    },
    warnings,
  };
}

/**
 * Returns the addresses that a sender must use to reach the service, for instructions that a client of the external API requests.
 * A client on the machine of the service gets the address of the machine in its network, because a console needs this address.
 *
 * @param authority the `Host` header of the request, for example `weather.example.org:8443`
 */
export function addressesOver(
  { uploads, api, machine = [] }: UploadReach,
  authority: string,
): ReachedAddresses {
  const tls = api.tls !== 'none';
  const [, bracketed, name, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(authority) ?? [];
  const host = bracketed ?? name ?? authority;
  const isForNetwork = LOOPBACK.test(host) && WILDCARDS.has(uploads.host) && machine.length > 0;
  const sendHost = isForNetwork ? (machine[0] ?? host) : host;
  const warnings = warningsOf(uploads);
  if (isForNetwork && machine.length > 1)
    warnings.push(
      `This machine has the addresses ${machine.join(', ')}. Use the one in the network of the sender.`,
    );
  return {
    addresses: {
      plain: { host: WILDCARDS.has(uploads.host) ? sendHost : uploads.host, port: uploads.port },
      api: { host, port: port === undefined ? (tls ? HTTPS_PORT : 80) : Number(port), tls },
    },
    warnings,
  };
}

function warningsOf({ enabled, host, port, loopback }: UploadReach['uploads']): string[] {
  if (!enabled)
    return [
      'The port for uploads is off. Switch it on in the browser (Administration), or set WEATHERD_UPLOADS_ENABLED=true, and for ' +
        'senders on other machines WEATHERD_UPLOADS_HOST=0.0.0.0 and WEATHERD_UPLOADS_INSECURE=true; then restart the service.',
    ];
  const warnings: string[] = [];
  if (loopback)
    warnings.push(
      `The port for uploads listens on ${host}, so that only programs on the same machine reach it. For senders on ` +
        'other machines open it to the network in the browser (Administration), or set WEATHERD_UPLOADS_HOST=0.0.0.0 and ' +
        'WEATHERD_UPLOADS_INSECURE=true.',
    );
  if (port === 0)
    warnings.push(
      'WEATHERD_UPLOADS_PORT is 0, so the port is chosen at the start: the service prints it then.',
    );
  return warnings;
}
