/** The faults of a form: faults of single fields by their names in the API, and one text for all other faults. */
export interface Faults {
  readonly fields: Readonly<Record<string, string>>;
  readonly general: string;
}

/**
 * Assigns the message of an error reply to the fields of a form. Each part of a message with paths, such as `body.latitude: …;
 * body.name: …`, belongs to the field in its path. A sentence without a path, such as "A latitude …", belongs to the field whose
 * name comes first in the sentence.
 *
 * @param names field names of the API
 */
export function faultsOf(message: string, names: readonly string[]): Faults {
  const fields: Record<string, string> = {};
  const general: string[] = [];
  for (const part of message.split(/; (?=(?:body|path|query)\.)/)) {
    const [, path, text = ''] = /^(?:body|path|query)\.([\w.]+): (.*)$/s.exec(part) ?? [];
    const sentence = path === undefined ? part.replace(/^Station \d+: /, '') : text;
    const name =
      path === undefined ? firstFieldIn(part, names) : names.find((field) => field === path.split('.')[0]);
    if (name === undefined) general.push(path === undefined ? sentence : `${path}: ${text}`);
    else fields[name] = fields[name] === undefined ? sentence : `${fields[name]}; ${sentence}`;
  }
  return { fields, general: general.join('; ') };
}

/** The field whose name comes first in a sentence; undefined if the sentence contains no field name. */
function firstFieldIn(sentence: string, names: readonly string[]): string | undefined {
  const positions = names.map(
    // This regular expression consists of the words of a field name, so it cannot backtrack.
    (name) => [sentence.search(new RegExp(`\\b${name.replaceAll('_', ' ')}\\b`, 'i')), name] as const,
  );
  return positions.filter(([index]) => index >= 0).sort(([a], [b]) => a - b)[0]?.[1];
}
