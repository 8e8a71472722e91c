import type {
  Form,
  HostPort,
  KeyedStation,
  ConsoleProfile,
  ConsoleTarget,
  UploadAddresses,
  Way,
} from './console-profile.js';
import { CONSOLE_PROFILES } from './console-profiles.js';

/** What to type into one make of console or software. */
export interface Instruction extends Form {
  readonly make: string;
  readonly where: string;
  readonly text?: string;
  readonly note?: string;
  /** Why this make cannot send yet, and the setting to change. */
  readonly missing?: string;
}

const NEEDS_TLS =
  'It needs HTTPS: set WEATHERD_EXTERNAL_TLS_CERT and WEATHERD_EXTERNAL_TLS_KEY, or use a proxy with TLS.';

/** What to type into each make, for a key and the addresses by which the service is reached. */
export function instructionsFor(keyed: KeyedStation, addresses: UploadAddresses): readonly Instruction[] {
  return CONSOLE_PROFILES.map((make) => instructionOf(make, keyed, addresses));
}

function instructionOf(
  { make, way, where, form, text, note }: ConsoleProfile,
  keyed: KeyedStation,
  addresses: UploadAddresses,
): Instruction {
  const target = targetOf(way, keyed, addresses);
  return {
    make,
    where,
    ...form?.(target),
    ...(text !== undefined && { text: text(target) }),
    ...(note !== undefined && { note }),
    ...(way === 'tls' && !addresses.api.tls && { missing: NEEDS_TLS }),
  };
}

function targetOf(way: Way, keyed: KeyedStation, { plain, api }: UploadAddresses): ConsoleTarget {
  const overApi = way === 'api' || way === 'tls';
  const { host, port } = overApi ? api : plain;
  const scheme = way === 'tls' || (overApi && api.tls) ? 'https' : 'http';
  return { ...keyed, host, port, url: urlOf(scheme, { host, port }) };
}

/** The URL of an address. An IPv6 address gets its brackets; the usual port is left out. */
export function urlOf(scheme: 'http' | 'https', { host, port }: HostPort): string {
  const authority = host.includes(':') ? `[${host}]` : host;
  return port === (scheme === 'https' ? 443 : 80)
    ? `${scheme}://${authority}`
    : `${scheme}://${authority}:${port}`;
}
