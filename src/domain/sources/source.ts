import { DomainError } from '../domain-error.js';
import { quoted } from '../quoted.js';
import { MILLISECONDS } from '../time.js';
import { acceptMappings, type FieldMapping } from '../uploads/field-mapping.js';

/** A device or a service that is asked for the values of a station. */
export interface Source {
  readonly name: string;
  /** Name of the kind: `weatherlink-live`. */
  readonly kind: string;
  /** `Station.number` of the station that gets the values. */
  readonly station: number;
  /** Settings that the kind reads. */
  readonly settings: SourceSettings;
  /** Seconds between two requests; null for the reporting interval of the station. */
  readonly every: number | null;
  /** Rules that assign fields to variables. */
  readonly mappings: readonly FieldMapping<number>[];
  /** Whether every address may be asked. Otherwise local kinds reach private addresses only, and the others public ones. */
  readonly allowAnyAddress: boolean;
  readonly paused: boolean;
  /** Time at which a person last changed the secrets, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly secretsSince: number;
  /** Gaps that end at this time or before were dismissed, in milliseconds since 1970-01-01T00:00:00Z. Absent if none were. */
  readonly dismissedUntil?: number | undefined;
  /** Time at which the source was added, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly since: number;
}

export interface SourceSettings {
  /** Host, or host and port: `192.168.1.20`, `console.lan:8080`. For a kind with datagrams, the address to listen on. */
  readonly address?: string;
  /** The station, MAC or device at the service. */
  readonly account?: string;
  /** A device behind the address: a serial number, the number of a transmitter, or a channel. */
  readonly device?: string;
  /** Base URL in place of that of the service. */
  readonly url?: string;
  /** Port from which the device serves its files. */
  readonly filePort?: number;
}

/** The names of the settings of a source, as the API writes them. */
export const SETTING_NAMES = ['address', 'account', 'device', 'url', 'filePort'] as const;
export type SettingName = (typeof SETTING_NAMES)[number];

/** What a source has done so far. Times are milliseconds since 1970-01-01T00:00:00Z; null if it has not happened. */
export interface SourceState {
  /** Time of the newest report that was stored. */
  readonly reportedAt: number | null;
  /** Time of the last successful request, or of the last datagram. */
  readonly answeredAt: number | null;
  /** Time of the first failure after the last success. */
  readonly failingSince: number | null;
  /** The reason why the last attempt failed, as a sentence; null if the last attempt succeeded. */
  readonly reason: string | null;
  /** The spans without reports, the oldest first. */
  readonly gaps: readonly SourceGap[];
}

/** A span without reports of a source. Times are milliseconds since 1970-01-01T00:00:00Z. */
export interface SourceGap {
  /** Time of the last report before the gap, and of the first one after it. */
  readonly from: number;
  readonly to: number;
  /** Why the gap stays open, as a sentence; null while the service still tries to fill it. */
  readonly reason: string | null;
  /** Why the last attempt to fill the gap failed, as a sentence. */
  readonly problem?: string;
  /**
   * The rain that the report at the end of the gap has for the whole gap, in mm. When the gap is filled, this report keeps what the
   * filled reports do not have. Null before this report is stored. If the service ends then, its stored rain is read when the gap is
   * filled. Absent if the report has no rain of the gap.
   */
  readonly rain?: number | null;
  /** Present if the gap may have had more rain than `rain`, because all counters of the source begin again each day or with each rain. */
  readonly isLeastRain?: true;
}

export const NO_STATE: SourceState = {
  reportedAt: null,
  answeredAt: null,
  failingSince: null,
  reason: null,
  gaps: [],
};

/** Largest number of sources, and of gaps that are remembered of one source. */
export const MAX_SOURCES = 200;
export const MAX_GAPS = 50;
/** Seconds between two requests. */
const [MIN_EVERY, MAX_EVERY] = [1, MILLISECONDS.day / MILLISECONDS.second];
const MAX_TEXT = 200;
const MAX_SECRET = 1000;
const VISIBLE = /^[\x21-\x7e]+$/;
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
/** A host name, an IPv4 address, or an IPv6 address in brackets, with an optional port. */
const ADDRESS = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/;
/** An IPv6 address without brackets: with `::`, or with eight groups. A MAC address is none. */
const BARE_IPV6 = /^(?=.*::|(?:[^:]+:){7})[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,8}(?:\.\d{1,3}){0,3}$/;

/** @throws DomainError REQUEST_INVALID */
export function acceptSourceName(name: string): string {
  if (NAME.test(name)) return name;
  throw invalid(
    `${quoted(name)} cannot be the name of a source. A name has 1 to 40 lower-case letters, digits and hyphens. ` +
      'It begins and ends with a letter or a digit.',
  );
}

/** Checks what does not depend on the kind of a source. @throws DomainError REQUEST_INVALID */
export function assertSource({
  settings,
  every,
  mappings,
}: Pick<Source, 'settings' | 'every' | 'mappings'>): void {
  const { address, account, device, url, filePort } = settings;
  if (address !== undefined) assertAddress(address);
  for (const [name, text] of Object.entries({ account, device }))
    if (text !== undefined && (text.length > MAX_TEXT || !VISIBLE.test(text)))
      throw invalid(`The ${name} of a source has 1 to ${MAX_TEXT} visible ASCII characters, without blanks.`);
  if (url !== undefined) assertUrl(url);
  if (filePort !== undefined && !isPort(filePort)) throw invalid('The port of the files is from 1 to 65535.');
  if (every !== null && !(Number.isInteger(every) && every >= MIN_EVERY && every <= MAX_EVERY))
    throw invalid(`A source is asked every ${MIN_EVERY} to ${MAX_EVERY} seconds.`);
  acceptMappings(mappings);
}

/** Checks secrets. No message contains a value. @throws DomainError REQUEST_INVALID */
export function assertSecrets(secrets: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(secrets))
    if (value.length > MAX_SECRET || !VISIBLE.test(value))
      throw invalid(
        `The secret ${quoted(name)} has 1 to ${MAX_SECRET} visible ASCII characters, without blanks.`,
      );
}

/** The host and the port of an address. @param port used if the address has none */
export function hostAndPort(address: string, port: number): { readonly host: string; readonly port: number } {
  const own = ADDRESS.exec(address)?.[1];
  const host = own === undefined ? address : address.slice(0, -own.length - 1);
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: own === undefined ? port : Number(own) };
}

/** The gaps of a source that were not dismissed, the oldest first. */
export function listedGaps(
  { dismissedUntil = -Infinity }: Pick<Source, 'dismissedUntil'>,
  { gaps }: Pick<SourceState, 'gaps'>,
): readonly SourceGap[] {
  return gaps.filter(({ to }) => to > dismissedUntil);
}

/** The newest `MAX_GAPS` gaps with another one, which replaces a gap that begins at the same time. */
export function withGap(gaps: readonly SourceGap[], gap: SourceGap): readonly SourceGap[] {
  const others = gaps.filter(({ from }) => from !== gap.from);
  return [...others, gap].toSorted((a, b) => a.from - b.from).slice(-MAX_GAPS);
}

function assertAddress(address: string): void {
  if (BARE_IPV6.test(address))
    throw invalid(
      `An IPv6 address is written in brackets: [${address}], or with a port [${address}]:80. ${quoted(address)} has none.`,
    );
  const match = ADDRESS.exec(address);
  if (match === null || address.length > MAX_TEXT || (match[1] !== undefined && !isPort(Number(match[1]))))
    throw invalid(
      `${quoted(address)} is not an address. An address is a host, or a host and a port: 192.168.1.20:80.`,
    );
}

function assertUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (
    url === undefined ||
    !isHttp ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== ''
  )
    throw invalid(
      `${quoted(text)} is not a base URL. It begins with https: or http:, and has no user, password, query or fragment.`,
    );
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535;
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
