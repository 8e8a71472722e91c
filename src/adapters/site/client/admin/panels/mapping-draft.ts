import type { Options, Schemas } from '../../api.js';

type Mapping = NonNullable<Options<'/v1/upload-keys/{id}/mappings', 'put'>[0]['body']['mappings']>[number];

/** Writes the mappings of a key, one line each: `soilmoisture1 soil_moisture scale=0.01`. */
export function mappingLines(mappings: Schemas['UploadKey']['mappings']): string {
  return mappings
    .map(({ field, variable, counter, ...options }) => {
      const pairs = Object.entries(options)
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => `${name}=${value}`);
      return [field, variable, ...pairs, ...(counter === true ? ['counter'] : [])].join(' ');
    })
    .join('\n');
}

/** The options of a line. The value of an option ends before the next option, because some units contain a blank. */
const OPTION =
  /\s+(?:(unit|scale|offset|station)=(\S(?:.*?\S)?)|(counter))(?=\s+(?:unit|scale|offset|station)=|\s+counter\b|\s*$)/gy;

/** Parses lines such as those of `mappingLines`. @returns the mappings, or the text of the first line that is not valid */
export function parseMappings(text: string): readonly Mapping[] | string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const parsed = lines.map(parseLine);
  const wrong = parsed.indexOf(undefined);
  return wrong === -1 ? (parsed as Mapping[]) : (lines[wrong] as string);
}

function parseLine(line: string): Mapping | undefined {
  const [start = '', field = '', variable = ''] = /^\s*(\S+)\s+(\S+)/.exec(line) ?? [];
  if (variable === '' || variable.includes('=')) return undefined;
  const rest = line.slice(start.length);
  const options: Record<string, string | number | true> = {};
  let length = 0;
  for (const [whole, name, value = '', counter] of rest.matchAll(OPTION)) {
    length += whole.length;
    if (counter !== undefined) options['counter'] = true;
    else if (name !== undefined)
      options[name] = name === 'unit' || name === 'station' ? value : Number(value);
  }
  const isComplete = rest.slice(length).trim() === '' && !Object.values(options).some(Number.isNaN);
  return isComplete ? { field, variable, ...options } : undefined;
}
