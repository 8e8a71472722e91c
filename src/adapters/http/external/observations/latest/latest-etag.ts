import { hash } from 'node:crypto';
import type { Latest } from '#application/observations/read/get-latest.js';
import { MILLISECONDS } from '#domain/time.js';
import { COMPUTATION_RULES } from '#domain/weather/computation/computation-rules.js';
import { stationText } from '#domain/weather/station-edit.js';
import type { Station } from '#domain/weather/station.js';
import type { LatestStyle } from './latest-text.js';

/** Caches the text of the settings of each station. A changed station is a new object, so the text is never outdated. */
const settings = new WeakMap<Station, string>();

/**
 * The weak ETag of a reply with newest values. The ETag is computed from the revisions of the stations and from all other fields
 * of the reply except the ages.
 *
 * @param style the query parameters that determine the reply
 * @param more further fields of each station as text, such as the fields that the parameter `include` adds; see `moreText`
 */
export function latestEtag(
  { stations, next }: { readonly stations: readonly Latest[]; readonly next: number | null },
  { raised: _raised, quality: _quality, ...style }: LatestStyle,
  more: readonly string[],
): string {
  const { max_age: maxAge } = style;
  let text = JSON.stringify([COMPUTATION_RULES, style, next]);
  for (const [index, { station, distance = '', newest, asOf }] of stations.entries()) {
    const count = maxAge === undefined ? '' : countSince(newest, asOf - maxAge * MILLISECONDS.second);
    text += `\n${settingsOf(station)} ${distance} ${newest.revision} ${count} ${more[index] ?? ''}`;
  }
  return hash('sha256', text, 'base64url').slice(0, 27);
}

function settingsOf(station: Station): string {
  let text = settings.get(station);
  if (text === undefined) settings.set(station, (text = stationText(station)));
  return text;
}

/** Number of newest values whose time is not before `oldest`. `oldest` is in milliseconds since 1970. */
function countSince(newest: Latest['newest'], oldest: number): number {
  let count = 0;
  newest.each((_variable, time) => {
    if (time >= oldest) count += 1;
  });
  return count;
}
