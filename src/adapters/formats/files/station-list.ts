import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { StationDraft } from '#domain/weather/station.js';
import { linesOf, MAX_LINE } from '../text/line-reader.js';
import { chunksOf } from './chunks-of.js';
import type { RejectedRow } from './file-row.js';
import { schemaFault } from '../text/schema-fault.js';

/** A line of Meteostat's station list (its bulk file `lite.json`, as lines). */
const entry = z.object({
  id: z.string(),
  name: z.record(z.string(), z.string()),
  identifiers: z.record(z.string(), z.string().nullable()).default({}),
  location: z.object({
    latitude: z.number(),
    longitude: z.number(),
    elevation: z.number().nullable().default(null),
  }),
  timezone: z.string().nullable(),
});

/** The value of the list for an unknown elevation. */
const UNKNOWN_ELEVATION = -9999;
/** Time zones that are misspelled in the list, with their correct names. */
const TIME_ZONES: Readonly<Record<string, string>> = {
  'Africa/PortoNovo': 'Africa/Porto-Novo',
  'America/PortauPrince': 'America/Port-au-Prince',
  'Asia/Ulaanbaator': 'Asia/Ulaanbaatar',
};

/** Reads Meteostat's stations, one JSON object in each line. */
export async function* meteostatStations(
  source: Readable,
): AsyncGenerator<{ line: number; draft: StationDraft } | RejectedRow> {
  for await (const { number: line, text, isTooLong } of linesOf(chunksOf(source))) {
    if (isTooLong) yield { line, problem: `is longer than ${MAX_LINE} bytes` };
    if (text.trim() === '') continue;
    const read = entry.safeParse(parse(text), { error: schemaFault });
    if (!read.success) {
      const [issue] = read.error.issues;
      yield { line, problem: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not a station'}` };
      continue;
    }
    const { id, name, identifiers, location, timezone } = read.data;
    const named = Object.entries(identifiers).flatMap(([key, value]) =>
      value === null ? [] : [[key, value]],
    );
    const draft = {
      id,
      name: name['en'] ?? Object.values(name)[0] ?? id,
      ...location,
      elevation: location.elevation === UNKNOWN_ELEVATION ? null : location.elevation,
      // Ships and platforms have no time zone.
      timeZone: timezone === null ? 'UTC' : (TIME_ZONES[timezone] ?? timezone),
      identifiers: Object.fromEntries(named) as Record<string, string>,
      reportingInterval: null,
      limits: {},
    };
    yield { line, draft };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
