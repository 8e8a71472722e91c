import type { Options, Reply } from '../api.js';

/** A station as `GET /v1/stations/{id}` describes it. */
export type StationReply = Omit<
  Reply<'/v1/stations/{id}', 'get'>,
  'success' | 'code' | 'message' | 'history'
>;
type StationBody = Options<'/v1/stations/{id}', 'put'>[0]['body'];

/** The fields of the form of a station, named as in the API. */
export const DRAFT_FIELDS = [
  'id',
  'name',
  'latitude',
  'longitude',
  'elevation',
  'time_zone',
  'reporting_interval',
  'sensor_heights',
  'limits',
  'visibility',
  'position_decimals',
  'since',
] as const;

/** The text of the field for limits: `air_temperature -40 50`, one variable a line. */
export function limitsText(limits: StationReply['limits']): string {
  return Object.entries(limits)
    .map(([variable, { min, max }]) => `${variable} ${min} ${max}`)
    .join('\n');
}

/** The text of the field for heights: `wind_speed 10`, one variable a line. */
export function heightsText(heights: StationReply['sensor_heights']): string {
  return Object.entries(heights)
    .map(([variable, height]) => `${variable} ${height}`)
    .join('\n');
}

/** The lines of such a text; undefined for one that has another number of words, or words that are no numbers. */
function linesOf(text: string, numbers: number): readonly (readonly [string, ...number[]])[] | string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const read = lines.map((line): readonly [string, ...number[]] => {
    const [variable = '', ...words] = line.trim().split(/\s+/);
    return [variable, ...words.map(Number)];
  });
  const wrong = read.findIndex((line) => line.length !== numbers + 1 || line.slice(1).some(Number.isNaN));
  return wrong === -1 ? read : (lines[wrong] as string);
}

/**
 * The body of `PUT /v1/stations/{id}` from the fields of the form. What the form does not show stays as it is in `present`.
 *
 * @returns the body, or the field with a line that cannot be read
 */
export function stationBody(
  values: Readonly<Record<string, string>>,
  present: StationReply | undefined,
): { readonly body: StationBody } | { readonly field: string; readonly line: string } {
  const numberOrNull = (name: string) => (values[name] === '' ? null : Number(values[name]));
  const limits = linesOf(values['limits'] ?? '', 2);
  if (typeof limits === 'string') return { field: 'limits', line: limits };
  const heights = linesOf(values['sensor_heights'] ?? '', 1);
  if (typeof heights === 'string') return { field: 'sensor_heights', line: heights };
  return {
    body: {
      name: values['name'] ?? '',
      latitude: Number(values['latitude']),
      longitude: Number(values['longitude']),
      elevation: numberOrNull('elevation'),
      time_zone: values['time_zone'] ?? '',
      reporting_interval: numberOrNull('reporting_interval'),
      limits: Object.fromEntries(limits.map(([variable, min = 0, max = 0]) => [variable, { min, max }])),
      sensor_heights: Object.fromEntries(heights.map(([variable, height = 0]) => [variable, height])),
      // A box that is not ticked has no value.
      visibility: values['visibility'] === 'hidden' ? 'hidden' : 'public',
      position_decimals: numberOrNull('position_decimals'),
      ...(present !== undefined && {
        identifiers: present.station.identifiers,
        steps: present.steps,
        persistence: present.persistence,
        cell_methods: present.cell_methods,
        stamp_interval: present.stamp_interval,
      }),
      ...(values['since'] !== undefined && values['since'] !== '' && { since: values['since'] }),
    },
  };
}
