import { hash } from 'node:crypto';
import type { Latest } from '#application/observations/read/get-latest.js';
import { MILLISECONDS } from '#domain/time.js';
import { COMPUTATION_RULES } from '#domain/weather/computation/computation-rules.js';
import { stationText } from '#domain/weather/station-edit.js';
import type { Station } from '#domain/weather/station.js';
import type { LatestStyle } from './latest-text.js';

/** The text of each station of a list. After a change, a station is a new object. */
const settings = new WeakMap<Station, string>();

/**
 * The weak ETag of newest values: of the revisions of their stations, and of everything else in the reply but the ages.
 *
 * @param style the query, which determines the reply
 * @param more `moreText` of each station
 */
export function latestEtag(
  { stations, next }: { readonly stations: readonly Latest[]; readonly next: number | null },
  { raised: _raised, ...style }: LatestStyle,
  more: readonly string[],
): string {
  const { max_age: maxAge } = style;
  let text = JSON.stringify([COMPUTATION_RULES, style, next]);
  for (const [index, { station, distance = '', newest, asOf }] of stations.entries()) {
    const shown = maxAge === undefined ? '' : youngerThan(newest, asOf - maxAge * MILLISECONDS.second);
    text += `\n${settingsOf(station)} ${distance} ${newest.revision} ${shown} ${more[index] ?? ''}`;
  }
  return hash('sha256', text, 'base64url').slice(0, 27);
}

function settingsOf(station: Station): string {
  let known = settings.get(station);
  if (known === undefined) settings.set(station, (known = stationText(station)));
  return known;
}

/** Number of values that are not older than `oldest`. */
function youngerThan(newest: Latest['newest'], oldest: number): number {
  let number = 0;
  newest.each((_variable, time) => {
    if (time >= oldest) number += 1;
  });
  return number;
}
