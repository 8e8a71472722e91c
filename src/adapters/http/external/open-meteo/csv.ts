import type { LocationReply } from './location-reply.js';
import { timesOf, valuesOf } from './json.js';

const LOCATION = [
  'latitude',
  'longitude',
  'elevation',
  'utc_offset_seconds',
  'timezone',
  'timezone_abbreviation',
];

/** The reply as CSV: a table of the places, then a table of each section. An empty line separates the tables. */
export function toCsv(replies: readonly LocationReply[], isList: boolean, omitsLocation: boolean): string {
  const tables: string[] = [];
  const numbered = (id: number, cells: readonly unknown[]) => (isList ? [id, ...cells] : cells).join(',');
  const heading = (cells: readonly string[]) => (isList ? ['location_id', ...cells] : cells).join(',');
  if (!omitsLocation)
    tables.push(
      [
        heading(LOCATION),
        ...replies.map(({ id, latitude, longitude, elevation, zone }) =>
          numbered(id, [latitude, longitude, elevation ?? 'NaN', zone.offset, zone.name, zone.abbreviation]),
        ),
      ].join('\n'),
    );
  const [first] = replies;
  for (const [index, { name, columns }] of (first?.sections ?? []).entries()) {
    const lines = [heading(['time', ...columns.map((column) => titleOf(column))])];
    for (const reply of replies) {
      const section = reply.sections[index];
      if (section === undefined) continue;
      const cells = section.columns.map((column) => valuesOf(column, reply));
      for (const [row, time] of timesOf({ name, times: section.times }, reply).entries())
        lines.push(numbered(reply.id, [time, ...cells.map((column) => column[row] ?? 'NaN')]));
    }
    tables.push(lines.join('\n'));
  }
  return `${tables.join('\n\n')}\n`;
}

function titleOf({
  name,
  unit,
}: {
  readonly name: string;
  readonly unit: { readonly text: string };
}): string {
  return unit.text === '' ? `${name} ()` : `${name} (${unit.text})`;
}
