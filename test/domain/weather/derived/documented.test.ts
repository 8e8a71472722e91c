import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { DERIVED_OF_PERIODS } from '#domain/weather/derived/period-quantities.js';
import { DERIVED } from '#domain/weather/derived/quantities.js';
import { expectSection } from '../../../support/generated-section.js';

const PAGE = 'weather/derived-quantities.md';
const document = new URL(`../../../../../docs/${PAGE}`, import.meta.url);

describe('docs/weather/derived-quantities.md', () => {
  it('lists each derived quantity with its unit, standard name, formula and range', async () => {
    const items = [...DERIVED, ...DERIVED_OF_PERIODS].map(
      ({ name, unit, standardName, formula, validity }) =>
        `- **\`${name}\`** (${unit})${standardName === undefined ? '' : `, CF standard name \`${standardName}\``}\n` +
        `  - Formula: ${formula}\n  - Range: ${validity}\n`,
    );
    expect(items).to.have.length.greaterThan(15);
    await expectSection(PAGE, 'derived quantities', items.join(''));
  });

  it('says which humidity each quantity uses in a row that has a dew point and a relative humidity', () => {
    const items = readFileSync(document, 'utf8').split(/^ *- /m);
    const named = (which: string) => {
      const item = items.find((text) => text.startsWith(`**${which}**:`)) ?? '';
      return [...item.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    };
    const shared = {
      time: Date.UTC(2024, 5, 21, 12),
      pressure: 1000,
      seaLevelPressure: Number.NaN,
      windSpeed: 3,
      windHeight: 10,
      radiation: 600,
      pm2p5: Number.NaN,
      pm10: Number.NaN,
      elevation: 100,
      latitude: 50,
      longitude: 0,
    };
    const usedBy = (quantity: (typeof DERIVED)[number]) => {
      // Warm air, and cold air for the frost point. Dew point and humidity contradict each other.
      const used = [30, 4].map((temperature) => {
        const conditions = { ...shared, temperature, temperatureBefore: temperature };
        const resultOf = (dewPoint: number, humidity: number) =>
          quantity.compute({ ...conditions, dewPoint, humidity });
        const both = resultOf(temperature - 8, 45);
        const [dew, relative] = [resultOf(temperature - 8, Number.NaN), resultOf(Number.NaN, 45)];
        if (Object.is(dew, relative)) return 'neither is used';
        if (Object.is(both, dew)) return 'dew point';
        return Object.is(both, relative) ? 'relative humidity' : 'both';
      });
      return used.find((one) => one !== 'neither is used') ?? 'neither is used';
    };
    const periods = DERIVED_OF_PERIODS.map(({ name }) => name);
    for (const which of ['dew point', 'relative humidity', 'neither is used']) {
      const computed = DERIVED.filter((quantity) => usedBy(quantity) === which).map(({ name }) => name);
      expect(
        named(which).filter((name) => !periods.includes(name ?? '')),
        which,
      ).to.have.members(computed);
    }
    expect(named('dew point')).to.include.members(periods);
  });
});
