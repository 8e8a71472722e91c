import type { Json } from './schema.js';

type Operations = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** The components of an OpenAPI document: the schemas, responses and parameters to which several operations refer. */
export class Components {
  readonly #schemas = new Map<string, Json>();
  readonly #responses = new Map<string, Json>();
  readonly #parameters = new Map<string, Json>();

  /** @throws Error if another schema has this name */
  readonly addSchema = (name: string, schema: Json): void => add(this.#schemas, name, schema);

  /** @returns the reference to the response. @throws Error if another response has this name */
  addResponse(name: string, response: Json): Json {
    add(this.#responses, name, response);
    return { $ref: `#/components/responses/${name}` };
  }

  /**
   * Replaces each parameter that occurs more than once by a reference. If parameters of one name differ, only the most frequent
   * form becomes a component. The other forms stay in their operations.
   */
  shareParameters(paths: Operations): Operations {
    const counts = new Map<string, number>();
    eachParameter(paths, (parameter) => {
      const text = JSON.stringify(parameter);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    });
    const shared = new Map<string, string>();
    for (const [text, count] of counts) {
      const { name } = JSON.parse(text) as { readonly name: string };
      if (count > Math.max(1, counts.get(shared.get(name) ?? '') ?? 0)) shared.set(name, text);
    }
    for (const [name, text] of shared) add(this.#parameters, name, JSON.parse(text) as Json);
    return eachParameter(paths, (parameter) => {
      const name = String(parameter['name']);
      return shared.get(name) === JSON.stringify(parameter)
        ? { $ref: `#/components/parameters/${name}` }
        : parameter;
    });
  }

  all(): Json {
    const named = {
      schemas: sorted(this.#schemas),
      responses: sorted(this.#responses),
      parameters: sorted(this.#parameters),
    };
    return Object.fromEntries(Object.entries(named).filter(([, parts]) => Object.keys(parts).length > 0));
  }
}

function add(components: Map<string, Json>, name: string, component: Json): void {
  const present = components.get(name);
  if (present !== undefined && JSON.stringify(present) !== JSON.stringify(component)) {
    throw new Error(`Two components of the OpenAPI document have the name ${name}.`);
  }
  components.set(name, component);
}

function sorted(components: ReadonlyMap<string, Json>): Json {
  return Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the paths, with each parameter replaced by the result of `change`. */
function eachParameter(paths: Operations, change: (parameter: Json) => unknown): Operations {
  const inOperation = (operation: Json): Json => {
    const { parameters } = operation;
    return Array.isArray(parameters)
      ? { ...operation, parameters: (parameters as Json[]).map(change) }
      : operation;
  };
  return mapValues(paths, (operations) => mapValues(operations, inOperation));
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
