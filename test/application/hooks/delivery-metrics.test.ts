import { expect } from 'chai';
import { Registry } from '#adapters/telemetry-registry/registry.js';
import { DeliveryMetrics } from '#application/hooks/delivery-metrics.js';
import { describeFailing } from '#application/hooks/failing-targets.js';
import { MILLISECONDS } from '#domain/time.js';
import { metricValues } from '../../support/recorded.js';

describe('DeliveryMetrics', () => {
  it('counts by name of the hook or the alarm, and a hundred names of each at most', async () => {
    const registry = new Registry();
    const metrics = new DeliveryMetrics(registry);
    for (let number = 0; number < 150; number += 1) metrics.count('alarm', `a${number}`, 'delivered');
    metrics.count('alarm', 'a99', 'failed');
    metrics.count('hook', 'a149', 'dropped');
    metrics.reportWaiting('hook', () => new Map([['a149', 2]]));
    metrics.reportWaiting(
      'alarm',
      () =>
        new Map([
          ['a0', 1],
          ['a100', 3],
          ['a149', 4],
        ]),
    );
    const counts = await metricValues(registry, 'weatherd_deliveries_total');
    expect(Object.keys(counts)).to.have.length(103);
    expect(counts).to.include({
      'alarm a0 delivered': 1,
      'alarm a99 failed': 1,
      'alarm other delivered': 50,
      'hook a149 dropped': 1,
    });
    expect(await metricValues(registry, 'weatherd_deliveries_waiting')).to.deep.equal({
      'hook a149': 2,
      'alarm a0': 1,
      'alarm other': 7,
    });
  });
});

describe('Failing targets', () => {
  const now = Date.UTC(2026, 10, 23, 12);
  const target = (name: string, minutes: number) => ({ name, since: now - minutes * MILLISECONDS.minute });
  const cases: readonly (readonly [
    targets: readonly ReturnType<typeof target>[],
    text: string | undefined,
  ])[] = [
    [[], undefined],
    [[target('a', 0), target('b', 5)], undefined],
    [
      [target('a', 1), target('b', 6)],
      'The target of the hook b has failed since 2026-11-23T11:54:00.000Z; the log says why.',
    ],
    [
      [target('a', 6), target('b', 7)],
      'The target of the hook b has failed since 2026-11-23T11:53:00.000Z, and 1 other target fails too; the log says why.',
    ],
    [
      [target('a', 60), target('b', 7), target('c', 8), target('d', 2)],
      'The target of the hook a has failed since 2026-11-23T11:00:00.000Z, and 2 other targets fail too; the log says why.',
    ],
  ];
  for (const [targets, text] of cases)
    it(`are ${text === undefined ? 'no defect' : 'a defect'} when they fail since ${targets.map(({ since }) => (now - since) / MILLISECONDS.minute).join(' and ')} min`, () => {
      expect(describeFailing('hook', targets, now)).to.equal(text);
    });
});
