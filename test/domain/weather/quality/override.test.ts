import { expect } from 'chai';
import {
  applyOverrides,
  isOfImport,
  type QualityOverride,
  overrideDamage,
  overrideOf,
  type OverrideVerdict,
} from '#domain/weather/quality/override.js';
import { FLAG, type Series } from '#domain/weather/series.js';

describe('an overrule', () => {
  const series: Series = {
    times: Float64Array.of(1, 2, 3),
    values: new Map([[1, Float64Array.of(10, 11, 12)]]),
    flags: new Map(),
  };
  const override = (verdict: string): QualityOverride => ({
    id: 'x',
    station: 1,
    variable: 1,
    from: 1,
    to: 3,
    verdict: verdict as OverrideVerdict,
    reason: '',
    madeBy: null,
    madeAt: 0,
  });
  const { spike, overridden } = FLAG;

  for (const [verdict, flags] of [
    ['bad', [overridden, spike | overridden, spike]],
    ['good', [0, 0, spike]],
    ['maybe', [0, spike, spike]],
    ['', [0, spike, spike]],
  ] as const)
    it(`with the verdict "${verdict}" is applied, unless it is damaged`, () => {
      const found = new Map([[1, Uint8Array.of(0, spike, spike)]]);
      applyOverrides(series, found, [override(verdict)]);
      expect([...(found.get(1) ?? [])]).to.deep.equal(flags);
      expect(overrideDamage(override(verdict)) !== undefined).to.equal(!['bad', 'good'].includes(verdict));
    });

  it('of a person wins over those of imports, whichever was added first', () => {
    const ofImport = overrideOf(1, { variable: 1, from: 1, to: 4, reason: 'failed', import: 12 }, 5);
    expect([isOfImport(ofImport), isOfImport(override('good'))]).to.deep.equal([true, false]);
    for (const all of [
      [ofImport, override('good')],
      [override('good'), ofImport],
    ]) {
      const found = new Map<number, Uint8Array>();
      applyOverrides(series, found, all);
      expect([...(found.get(1) ?? [])]).to.deep.equal([0, 0, overridden]);
    }
  });
});
