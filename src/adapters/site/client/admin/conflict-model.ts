/** The fields of a request that replaces a resource. */
export type Fields = Readonly<Record<string, unknown>>;

export type Choice = 'mine' | 'theirs';

/** A field that has another stored value than the value in the form. */
export interface Difference {
  readonly field: string;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** The choice that is proposed: the value of the only person who has changed the field; `mine` if both have changed it. */
  readonly proposed: Choice;
}

/**
 * Compares the fields of a form with the stored resource, which somebody else has changed meanwhile. Fields that the stored
 * resource does not show, such as a password, are not compared.
 *
 * @param base the resource from which the form was filled
 */
export function differencesOf(base: Fields, theirs: Fields, mine: Fields): readonly Difference[] {
  return Object.keys(mine).flatMap((field) => {
    if (!(field in theirs) || areEqual(mine[field], theirs[field])) return [];
    const proposed = areEqual(mine[field], base[field]) ? 'theirs' : 'mine';
    return [{ field, mine: mine[field], theirs: theirs[field], proposed } as const];
  });
}

/** The fields to save after a choice for each difference. */
export function chosenFields<T extends Fields>(
  mine: T,
  theirs: Fields,
  choices: Readonly<Record<string, Choice>>,
): T {
  const taken = Object.entries(theirs).filter(([field]) => choices[field] === 'theirs' && field in mine);
  return { ...mine, ...Object.fromEntries(taken) };
}

/** Whether two values are equal as JSON. The order of the fields of an object does not matter. */
function areEqual(a: unknown, b: unknown): boolean {
  return sorted(a) === sorted(b);
}

function sorted(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([x], [y]) => (x < y ? -1 : 1)))
      : part,
  );
}
