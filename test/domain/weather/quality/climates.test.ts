import { expect } from 'chai';
import { CLIMATES, climateYears } from '../../../../bench/climate-years.js';
import { type Alarms, countAlarms, foundAlone, naturalChange } from '../../../../bench/lone-station.js';
import { newYork } from '../../../../bench/real-years.js';
import { V, variableNumbered } from '#domain/weather/variables.js';

/** Largest share of right values that may be called suspect at a station without neighbors. */
const FALSE_ALARMS = 1 / 10_000;
const YEARS = climateYears();
const AIRPORTS = newYork().stations;
const EVENTS = 150;

function expectFewAlarms(alarms: ReadonlyMap<number, Alarms>): void {
  for (const [variable, { values, flagged }] of alarms) {
    const { name } = variableNumbered(variable);
    expect(values, name).to.be.greaterThan(5000);
    expect(flagged.length / values, `${name}: ${flagged.join()}`).to.be.at.most(FALSE_ALARMS);
  }
}

describe('recheckRange, at a station without neighbors', () => {
  for (const [climate, ids] of CLIMATES)
    it(`calls at most one right value of 10,000 suspect in a ${climate} climate`, () => {
      const alarms = new Map<number, Alarms>();
      const years = YEARS.filter(({ id }) => ids.includes(id));
      expect(years.length).to.equal(ids.length);
      for (const { series, defects } of years)
        countAlarms(series, (variable, row) => defects.get(variable)?.has(row) === true, alarms);
      // The typical years have few amounts.
      alarms.delete(V.precipitation);
      expectFewAlarms(alarms);
    });

  for (const [climate, ids] of CLIMATES)
    it(`finds spikes and steps of the temperature in a ${climate} climate`, () => {
      const stations = YEARS.filter(({ id }) => ids.includes(id)).map(({ series }) => series);
      const natural = naturalChange(stations, V.temperature);
      expect(foundAlone('spike', V.temperature, stations, natural, EVENTS)).to.be.at.least(97);
      expect(foundAlone('step that stays', V.temperature, stations, natural, EVENTS)).to.be.at.least(92);
    });

  it('calls at most one right value of 10,000 suspect in New York', () => {
    const alarms = new Map<number, Alarms>();
    for (const { series, defects } of AIRPORTS) countAlarms(series, (_, row) => defects.has(row), alarms);
    expectFewAlarms(alarms);
  });

  const stations = AIRPORTS.map(({ series }) => series);
  for (const [kind, least] of [
    ['spike', 97],
    ['step that stays', 95],
  ] as const)
    for (const variable of [V.temperature, V.dewPoint, V.humidity, V.seaLevelPressure])
      it(`finds at least ${least} % of the faults "${kind}" in ${variableNumbered(variable).name}`, () => {
        const natural = naturalChange(stations, variable);
        expect(foundAlone(kind, variable, stations, natural, EVENTS)).to.be.at.least(least);
      });
});
