import { SourceFailure } from '#domain/sources/source-failure.js';
import type {
  SourceDevice,
  SourceKind,
  SourceReport,
  SourceRequest,
  Span,
} from '#application/ports/source-kind.js';

/** Values that a firmware may send in place of any other one. `1e999` in JSON is infinite. */
const VALUES: readonly unknown[] = [null, 'x', {}, [], true, -1, Number.POSITIVE_INFINITY];

/** Copies of a reply in which one value, at any depth, is replaced by a value of another type, or is absent. */
export function* mutatedReplies(reply: unknown): Generator {
  for (const value of VALUES) if (value !== reply) yield value;
  if (typeof reply !== 'object' || reply === null) return;
  for (const [name, member] of Object.entries(reply)) {
    const { [name]: _, ...rest } = reply as Record<string, unknown>;
    yield Array.isArray(reply) ? reply.filter((_one, index) => String(index) !== name) : rest;
    for (const value of mutatedReplies(member))
      yield Array.isArray(reply)
        ? reply.map((one: unknown, index) => (String(index) === name ? value : one))
        : { ...reply, [name]: value };
  }
}

/**
 * Asks a kind that gets a reply with one other value, for each value and each span.
 *
 * @param replyTo the body of a reply that stays the same; undefined for the mutated reply
 * @returns the faults of the reports, and the number of replies
 * @throws any error but a SourceFailure
 */
export async function askWithMutations(
  kind: SourceKind,
  device: SourceDevice,
  reply: unknown,
  spans: readonly (Span | undefined)[] = [undefined],
  replyTo: (request: SourceRequest) => unknown = () => undefined,
): Promise<{ readonly faults: readonly string[]; readonly count: number }> {
  const faults: string[] = [];
  let count = 0;
  for (const mutated of mutatedReplies(reply)) {
    count += 1;
    const fetch = (request: SourceRequest) => {
      const text = jsonOf(replyTo(request) ?? mutated);
      const json = () => JSON.parse(text) as unknown;
      return Promise.resolve({ status: 200, headers: {}, bytes: Buffer.from(text), text, json });
    };
    for (const span of spans)
      try {
        const reports = (await kind.ask?.({ ...device, fetch }, span)) ?? [];
        faults.push(...faultsOf(reports).map((fault) => `${fault} of ${jsonOf(mutated)}`));
      } catch (error) {
        if (!(error instanceof SourceFailure)) throw error;
      }
  }
  return { faults, count };
}

/** JSON of a reply, with infinite numbers. */
export function jsonOf(reply: unknown): string {
  return JSON.stringify(reply, (_name, value: unknown) =>
    value === Number.POSITIVE_INFINITY ? 'INFINITE' : value,
  ).replaceAll('"INFINITE"', '1e999');
}

/** The faults of reports of any reply: a value that is not a number, a variable that occurs twice, or a time that is not one. */
export function faultsOf(reports: readonly SourceReport[]): string[] {
  return reports.flatMap(({ time, readings, counters = [], fields = [] }) => {
    const variables = readings.map(({ variable }) => variable);
    const numbers = [...readings, ...fields].map(({ value }) => value);
    return [
      ...(time === undefined || Number.isSafeInteger(time) ? [] : [`the time ${time}`]),
      ...numbers.filter((value) => !Number.isFinite(value)).map((value) => `the value ${value}`),
      ...counters.filter(({ amount }) => !(amount >= 0)).map(({ amount }) => `the counter ${amount}`),
      ...(new Set(variables).size === variables.length ? [] : [`a variable twice: ${variables.join(' ')}`]),
    ];
  });
}
