import type { Announcement } from '#application/ports/announcer.js';
import type { ObservationChanges } from '#domain/weather/changed-rows.js';

/**
 * Version of the notice format. A notice tells other instances what a commit has changed. It is a text without quotes: version,
 * sender, kind and, for observations, the changes in base64, for a forecast its station and its time of issue.
 *
 * A change says that rows of a station have changed in a range of times, and that the station has a new revision (a number that
 * rises with each change). The changes are stored as columns of little-endian numbers: station (uint32), begin of the range, end
 * of the range, and revision (all float64).
 */
const VERSION = '1';
const KINDS = { observations: 'o', stations: 's', forecast: 'f', missed: 'm' } as const;
/** A notice of PostgreSQL must be shorter than 8000 bytes. A change takes 28 bytes, and a third more in base64. */
const CHANGES_PER_NOTICE = 200;
const BYTES_PER_CHANGE = 28;

/** Encodes an announcement, which says what a commit has changed. @returns one notice, or several if there are many changes */
export function encodeNotices(sender: string, announcement: Announcement): readonly string[] {
  const begin = `${VERSION} ${sender} ${KINDS[announcement.kind]}`;
  if (announcement.kind === 'forecast') return [`${begin} ${announcement.station}:${announcement.issued}`];
  if (announcement.kind !== 'observations') return [begin];
  const { stations, from, to, revisions } = announcement.changes;
  const notices: string[] = [];
  for (let at = 0; at < stations.length; at += CHANGES_PER_NOTICE) {
    const end = Math.min(at + CHANGES_PER_NOTICE, stations.length);
    const data = Buffer.alloc((end - at) * BYTES_PER_CHANGE);
    let offset = 0;
    for (const station of stations.subarray(at, end)) offset = data.writeUInt32LE(station, offset);
    for (const column of [from, to, revisions])
      for (const number of column.subarray(at, end)) offset = data.writeDoubleLE(number, offset);
    notices.push(`${begin} ${data.toString('base64')}`);
  }
  return notices;
}

/**
 * Decodes a notice. A notice of another version or of another program is decoded as the announcement `missed`, because its
 * meaning is unknown. `missed` means that any data may have changed.
 *
 * @param self the name of this instance
 * @returns undefined for a notice of this instance itself, because PostgreSQL delivers a notice also to its sender
 */
export function decodeNotice(text: string, self: string): Announcement | undefined {
  const [version, sender, kind, data = ''] = text.split(' ');
  if (sender === self) return undefined;
  if (version === VERSION && kind === KINDS.stations) return { kind: 'stations' };
  if (version === VERSION && kind === KINDS.forecast) return decodeForecast(data);
  if (version !== VERSION || kind !== KINDS.observations) return { kind: 'missed' };
  return { kind: 'observations', changes: decodeChanges(Buffer.from(data, 'base64')) };
}

/** Decodes the number of the station and the time of issue. */
function decodeForecast(data: string): Announcement {
  const [station, issued] = data.split(':').map(Number);
  const isValid = Number.isSafeInteger(station) && Number.isSafeInteger(issued);
  return isValid
    ? { kind: 'forecast', station: station as number, issued: issued as number }
    : { kind: 'missed' };
}

function decodeChanges(data: Buffer): ObservationChanges {
  const count = Math.floor(data.length / BYTES_PER_CHANGE);
  const column = (index: number) =>
    Float64Array.from({ length: count }, (_, at) => data.readDoubleLE(count * (4 + index * 8) + at * 8));
  return {
    stations: Uint32Array.from({ length: count }, (_, at) => data.readUInt32LE(at * 4)),
    from: column(0),
    to: column(1),
    revisions: column(2),
  };
}
