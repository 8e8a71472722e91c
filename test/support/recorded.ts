import { expect } from 'chai';
import type { Registry } from '#adapters/telemetry-registry/registry.js';

/** The values of a counter or a gauge, by the values of the labels, joined with spaces. Values of 0 are left out. */
export async function metricValues(
  metrics: Pick<Registry, 'collect'>,
  name: string,
): Promise<Readonly<Record<string, number>>> {
  const family = (await metrics.collect()).find((one) => one.name === name);
  if (family === undefined) throw new Error(`The metric ${name} does not exist.`);
  return Object.fromEntries(
    family.series.filter(({ value }) => value !== 0).map(({ labels, value }) => [labelText(labels), value]),
  );
}

/**
 * The values of labels, joined with spaces. `fate` is left out, because it is the former name of `outcome` and has the same
 * value.
 */
export function labelText({ fate, ...labels }: Readonly<Record<string, string>>): string {
  expect(fate).to.equal(labels['outcome']);
  return Object.values(labels).join(' ').trim();
}
