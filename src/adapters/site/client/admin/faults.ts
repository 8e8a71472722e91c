/** The faults of a form: those of single fields by the field's name in the API, and the rest. */
export interface Faults {
  readonly fields: Readonly<Record<string, string>>;
  readonly general: string;
}

/**
 * Distributes the message of an error reply to the fields of a form: `body.latitude: …; body.name: …` by the paths, and the
 * sentence of a rule, such as "A latitude must be from -90 to 90 degrees.", by the name of a field in it.
 *
 * @param names of the fields, as in the API
 */
export function faultsOf(message: string, names: readonly string[]): Faults {
  const fields: Record<string, string> = {};
  const general: string[] = [];
  for (const part of message.split(/; (?=(?:body|path|query)\.)/)) {
    const [, path, text = ''] = /^(?:body|path|query)\.([\w.]+): (.*)$/s.exec(part) ?? [];
    const sentence = path === undefined ? part.replace(/^Station \d+: /, '') : text;
    const name =
      path === undefined ? firstNamed(part, names) : names.find((field) => field === path.split('.')[0]);
    if (name === undefined) general.push(path === undefined ? sentence : `${path}: ${text}`);
    else fields[name] = fields[name] === undefined ? sentence : `${fields[name]}; ${sentence}`;
  }
  return { fields, general: general.join('; ') };
}

/** The field that a sentence names first. */
function firstNamed(sentence: string, names: readonly string[]): string | undefined {
  const places = names.map(
    // Expression of the name of a field of the page: words without a loop.
    (name) => [sentence.search(new RegExp(`\\b${name.replaceAll('_', ' ')}\\b`, 'i')), name] as const,
  );
  return places.filter(([place]) => place >= 0).sort(([a], [b]) => a - b)[0]?.[1];
}
