import type {
  Form,
  HostPort,
  KeyedStation,
  ConsoleProfile,
  ConsoleTarget,
  UploadAddresses,
  ConsoleListener,
} from './console-profile.js';
import { CONSOLE_PROFILES } from './console-profiles.js';

/** The setup instruction for one console or software. */
export interface Instruction extends Form {
  readonly profile: string;
  readonly make: string;
  readonly where: string;
  readonly words?: ConsoleProfile['words'];
  readonly text?: string;
  readonly note?: string;
  /** Why the console cannot send yet, and which setting to change. */
  readonly missing?: string;
}

const NEEDS_TLS =
  'It needs HTTPS: set WEATHERD_EXTERNAL_TLS_CERT and WEATHERD_EXTERNAL_TLS_KEY, or use a proxy with TLS.';

/** The setup instructions of all consoles, for a key and the addresses under which the service is reached. */
export function instructionsFor(keyed: KeyedStation, addresses: UploadAddresses): readonly Instruction[] {
  return CONSOLE_PROFILES.map((profile) => instructionOf(profile, keyed, addresses));
}

function instructionOf(
  { profile, make, listener, where, form, words, text, note }: ConsoleProfile,
  keyed: KeyedStation,
  addresses: UploadAddresses,
): Instruction {
  const target = targetOf(listener, keyed, addresses);
  return {
    profile,
    make,
    where,
    ...form?.(target),
    ...(words !== undefined && { words }),
    ...(text !== undefined && { text: text(target) }),
    ...(note !== undefined && { note }),
    ...(listener === 'tls' && !addresses.api.tls && { missing: NEEDS_TLS }),
  };
}

function targetOf(
  listener: ConsoleListener,
  keyed: KeyedStation,
  { plain, api }: UploadAddresses,
): ConsoleTarget {
  const overApi = listener === 'api' || listener === 'tls';
  const { host, port } = overApi ? api : plain;
  const scheme = listener === 'tls' || (overApi && api.tls) ? 'https' : 'http';
  return { ...keyed, host, port, url: urlOf(scheme, { host, port }) };
}

/** The URL of an address. An IPv6 address gets brackets; the default port is left out. */
export function urlOf(scheme: 'http' | 'https', { host, port }: HostPort): string {
  const authority = host.includes(':') ? `[${host}]` : host;
  return port === (scheme === 'https' ? 443 : 80)
    ? `${scheme}://${authority}`
    : `${scheme}://${authority}:${port}`;
}
