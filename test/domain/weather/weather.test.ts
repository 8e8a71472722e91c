import { expect } from 'chai';
import fc from 'fast-check';
import { nearestName } from '#domain/nearest-name.js';
import { mergeSeries } from '#domain/weather/merge-series.js';
import { isTailUnknown, newTail, recheck, STEP_REACH } from '#domain/weather/quality-control.js';
import { NO_RULES } from '#domain/weather/quality/station-rules.js';
import type { StationPart } from '#domain/weather/row-order.js';
import { checksOf, FLAG, type Series, verdictOf } from '#domain/weather/series.js';
import { StationState } from '#domain/weather/station-state.js';
import { acceptNewId, acceptStation, type StationDraft } from '#domain/weather/station.js';
import { Summaries } from '#domain/weather/summaries/summaries.js';
import {
  columnHeading,
  converter,
  readHeading,
  reversibleConverter,
  UNIT_SYSTEMS,
  unitIn,
  unitsOf,
} from '#domain/weather/units.js';
import { SUGGESTED_NAMES, V, VARIABLES, variableNamed, variableNumbered } from '#domain/weather/variables.js';
import { partsByStation } from '../../support/station-parts.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const series = (times: number[], values: Record<number, number[]>): Series => ({
  times: Float64Array.from(times),
  values: new Map(
    Object.entries(values).map(([variable, column]) => [Number(variable), Float64Array.from(column)]),
  ),
  flags: new Map(),
});
const hourly = (values: Record<number, number[]>): Series => {
  const length = Object.values(values)[0]?.length ?? 0;
  return series(
    Array.from({ length }, (_, hour) => hour * HOUR),
    values,
  );
};

/** The same with times that are the ends of the hours. */
const ends = ({ times, ...rest }: Series): Series => ({ ...rest, times: times.map((time) => time + HOUR) });

describe('the catalogue', () => {
  it('has the fixed names and numbers', () => {
    expect(VARIABLES.map(({ number }) => number)).to.deep.equal(
      Array.from({ length: 53 }, (_, index) => index + 1),
    );
    expect(variableNamed('precipitation_amount')).to.include({ number: 9, unit: 'mm', aggregation: 'sum' });
    expect(variableNamed('soil_temperature')).to.include({ number: 17 });
    expect(new Set(VARIABLES.map(({ name }) => name))).to.have.property('size', 53);
    expect(variableNamed('__proto__')).to.equal(undefined);
    expect(() => variableNumbered(54)).to.throw('no variable 54');
  });
});

describe('units', () => {
  it('convert by the definitions of NIST SP 811', () => {
    for (const [name, unit, stored, given] of [
      ['air_temperature', '°F', 3.9, 39.02],
      ['air_temperature', 'K', -273.15, 0],
      ['wind_speed', 'mph', 4.4704, 10],
      ['wind_speed', 'kt', 0.514444444444, 1],
      ['precipitation_amount', 'in', 25.4, 1],
      ['visibility_in_air', 'mi', 16_093.44, 10],
      ['surface_air_pressure', 'inHg', 1013.25, 29.921255579748475],
      ['surface_air_pressure', 'Pa', 1013.25, 101_325],
      ['relative_humidity', '1', 50, 0.5],
      ['mole_fraction_of_carbon_dioxide_in_air', '1', 420, 0.00042],
    ] as const) {
      const variable = variableNamed(name) ?? VARIABLES[0]!;
      expect(converter(variable, unit, 'unit')(stored), name).to.be.closeTo(given, 1e-6);
      expect(converter(variable, unit, 'stored')(given), name).to.be.closeTo(stored, 1e-6);
    }
    expect(converter(variableNumbered(1), '°F', 'stored')(39.02)).to.equal(3.9);
  });

  it('are as large as the standards say: 100 of each stored unit in every other one', () => {
    const table: Readonly<Record<string, Readonly<Record<string, number>>>> = {
      '°C': { '°F': 212, K: 373.15 },
      hPa: { mbar: 100, Pa: 10_000, kPa: 10, inHg: 2.9529983, mmHg: 75.0061576 },
      'm/s': { 'km/h': 360, mph: 223.6936292, kt: 194.3844492 },
      mm: { cm: 10, in: 3.9370079, m: 0.1 },
      'mm/h': { 'in/h': 3.9370079, 'm/s': 0.0000277778 },
      '%': { '1': 1, okta: 8 },
      m: {
        km: 0.1,
        cm: 10_000,
        mm: 100_000,
        mi: 0.0621371,
        nmi: 0.0539957,
        ft: 328.0839895,
        in: 3937.007874,
      },
      s: { min: 1.6666667, h: 0.0277778 },
      'µg/m³': { 'kg/m³': 1e-7 },
      ppm: { '1': 1e-4 },
      kPa: { Pa: 100_000, hPa: 1000, mbar: 1000, inHg: 29.5299831 },
      'g/m³': { 'kg/m³': 0.1 },
      'g/kg': { '1': 0.1 },
    };
    const seen = new Set<string>();
    for (const variable of VARIABLES)
      for (const unit of unitsOf(variable)) {
        const expected = unit === variable.unit || unit === 'kg/m²' ? 100 : table[variable.unit]?.[unit];
        if (expected === undefined) expect.fail(`${variable.unit} in ${unit}`);
        seen.add(`${variable.unit} ${unit}`);
        const found = converter(variable, unit, 'unit')(100);
        expect(found / expected, `${variable.name} in ${unit}`).to.be.closeTo(1, 1e-6);
      }
    expect(seen.size).to.be.above(20);
  });

  it('come back from every unit of every variable, and absent values stay absent', () => {
    for (const variable of VARIABLES) {
      for (const system of UNIT_SYSTEMS) expect(unitsOf(variable)).to.include(unitIn(system, variable));
      for (const unit of unitsOf(variable)) {
        const [there, back] = [converter(variable, unit, 'unit'), converter(variable, unit, 'stored')];
        expect(back(there(12.3)), `${variable.name} ${unit}`).to.be.closeTo(12.3, 1e-9);
        expect(there(Number.NaN)).to.satisfy(Number.isNaN);
      }
      expect(() => converter(variable, 'furlong', 'unit')).to.throw('cannot be in furlong');
    }
  });
});

describe('units of variables', () => {
  /** Length L, mass M, time T, temperature Θ; ratios and counts have none. */
  const DIMENSIONS: Readonly<Record<string, readonly string[]>> = {
    Θ: ['°C', '°F', 'K'],
    'M/LT²': ['hPa', 'mbar', 'Pa', 'kPa', 'inHg', 'mmHg'],
    'L/T': ['m/s', 'km/h', 'mph', 'kt', 'mm/h', 'in/h'],
    L: ['mm', 'cm', 'm', 'km', 'in', 'ft', 'mi', 'nmi'],
    'M/L²': ['kg/m²'],
    T: ['s', 'min', 'h'],
    'M/T³': ['W/m²'],
    'M/L³': ['µg/m³', 'g/m³', 'kg/m³'],
    angle: ['degree'],
    '1': ['1', '%', 'okta', 'ppm', 'g/kg'],
  };
  const dimensionOf = (unit: string) =>
    Object.keys(DIMENSIONS).find((dimension) => DIMENSIONS[dimension]?.includes(unit) === true);
  /** Of another dimension than the stored unit, and why they are accepted. */
  const EQUIVALENTS: Readonly<Record<string, string>> = {
    'precipitation_amount kg/m²': 'water has 1000 kg/m³',
    'daily_precipitation_amount kg/m²': 'water has 1000 kg/m³',
    'multiday_precipitation_amount kg/m²': 'water has 1000 kg/m³',
  };

  it('have the dimension of the variable, but for those of water as a mass on an area', () => {
    const others: string[] = [];
    for (const variable of VARIABLES) {
      const dimension = dimensionOf(variable.unit);
      expect(dimension, variable.unit).to.be.a('string');
      for (const unit of unitsOf(variable)) {
        if (dimensionOf(unit) !== dimension) others.push(`${variable.name} ${unit}`);
      }
      // What is not listed is refused.
      for (const unit of Object.values(DIMENSIONS).flat()) {
        const isKnown = unitsOf(variable).includes(unit);
        if (isKnown) expect(converter(variable, unit, 'stored')(0)).to.be.a('number');
        else
          expect(() => converter(variable, unit, 'stored'), `${variable.name} ${unit}`).to.throw('only in: ');
      }
    }
    expect(others).to.have.members(Object.keys(EQUIVALENTS));
  });

  it('of depths of snow are lengths', () => {
    for (const { name, unit } of VARIABLES.filter((one) => one.name.includes('snow') && !one.mark)) {
      expect(unitsOf({ name, unit }).map(dimensionOf), name).to.deep.equal(
        unitsOf({ name, unit }).map(() => 'L'),
      );
    }
  });
});

describe('columns in other units', () => {
  const places = VARIABLES.flatMap((variable) => unitsOf(variable).map((unit) => [variable, unit] as const));

  it('come back bit for bit: measured values, and values that were converted when they were written', () => {
    const measured = fc.tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.integer({ min: 0, max: 5 }));
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.constantFrom(...places),
        measured,
        (place, sent, [digits, scale]) => {
          const [variable, unit] = place;
          const decimal = Number(`${digits}e-${scale}`) || 0;
          const units = unitsOf(variable);
          const given = units[sent[1].length % units.length] ?? variable.unit;
          for (const stored of [decimal, converter(variable, given, 'stored')(decimal)]) {
            const back = converter(variable, unit, 'stored')(reversibleConverter(variable, unit)(stored));
            if (!Object.is(back, stored)) throw new Error(`${variable.name} ${unit}: ${stored} → ${back}`);
          }
        },
      ),
      { numRuns: 20_000 },
    );
  });

  it('have their unit in a heading that can be parsed again', () => {
    for (const [variable, unit] of places) {
      const { name, unit: read = variable.unit } = readHeading(` ${columnHeading(variable, unit)}`);
      expect([name, read]).to.deep.equal([variable.name, unit]);
    }
    expect(readHeading('quality')).to.deep.equal({ name: 'quality', unit: undefined });
  });
});

describe('quality control', () => {
  const verdicts = (given: Series) => {
    const { flags } = recheck(given, NO_RULES, newTail());
    return (variable: number) => [...(flags.get(variable) ?? given.times.map(() => 0))].map(verdictOf);
  };

  it('fails values outside of the gross limits, and only those', () => {
    expect(variableNumbered(V.radiation).limits.min).to.equal(-4);
    for (const { number, limits, aggregation } of VARIABLES) {
      if (limits.perMinute === true) continue;
      const given = series([0, 100 * DAY, 200 * DAY, 300 * DAY], {
        [number]: [limits.min, limits.max, limits.min - 0.01, limits.max + 0.01],
      });
      expect(verdicts(given)(number), aggregation).to.deep.equal(['pass', 'pass', 'fail', 'fail']);
    }
  });

  it('limits amounts by their interval, which is that of the station or the time since the amount before', () => {
    for (const [interval, minutes, amounts, failing] of [
      [60, 1, [40, 40.1], [1]],
      [3600, 60, [425, 425.1, 2000], [1, 2]],
      [86_400, 1440, [1892, 1894], [1]],
      [null, 10, [1892, 183, 184, 5000, 183], [2, 3]],
      [null, 60, [0, 425, 426], [2]],
    ] as const) {
      const times = amounts.map((_, row) => row * minutes * 60_000);
      const { flags } = recheck(
        series(times, { [V.precipitation]: [...amounts] }),
        { limits: new Map(), reportingInterval: interval },
        newTail(),
      );
      const found = [...(flags.get(V.precipitation) ?? []).entries()].filter(([, flag]) => flag !== 0);
      expect(
        found.map(([row]) => row),
        `${interval} s`,
      ).to.deep.equal(failing);
      expect(found.every(([, flag]) => flag === FLAG.grossRange)).to.equal(true);
    }
  });

  it('suspects a large step, within a minute and within an hour, and checks the next value by the last that passed', () => {
    const minutes = series([0, 60_000, 120_000], { [V.temperature]: [10, 13, 16.1] });
    expect(verdicts(minutes)(V.temperature)).to.deep.equal(['pass', 'pass', 'suspect']);
    const spike = hourly({ [V.temperature]: [13.9, -10.5, 14, 14] });
    expect(verdicts(spike)(V.temperature)).to.deep.equal(['pass', 'suspect', 'pass', 'pass']);
    const pressure = hourly({ [V.seaLevelPressure]: [1000, 985.1, 970] });
    expect(verdicts(pressure)(V.seaLevelPressure)).to.deep.equal(['pass', 'pass', 'suspect']);
    const wind = hourly({ [V.windSpeed]: [2, 12.3, 2, 12.4] });
    expect(verdicts(wind)(V.windSpeed)).to.deep.equal(['pass', 'pass', 'pass', 'suspect']);
    const slow = series([0, 3 * HOUR], { [V.temperature]: [10, 29.6] });
    expect(verdicts(slow)(V.temperature)).to.deep.equal(['pass', 'suspect']);
    const apart = series([0, 4 * HOUR], { [V.temperature]: [10, 50] });
    expect(verdicts(apart)(V.temperature)).to.deep.equal(['pass', 'pass']);
  });

  it('suspects values that contradict each other, unless one of them failed in itself', () => {
    const nan = Number.NaN;
    for (const [row, suspect] of [
      [{ 1: 10, 2: 10.04 }, []],
      [{ 1: 10, 2: 10.2 }, [1, 2]],
      [{ 1: 10, 2: nan }, []],
      [{ 1: 99, 2: 10.2 }, []],
      [{ 1: 20, 2: 19, 3: 20 }, [2, 3]],
      [{ 1: 20, 2: 19, 3: 80 }, []],
      [{ 1: 20, 2: 19, 3: 78 }, [2, 3]],
      [{ 1: 20, 2: 19, 3: 101 }, []],
      [{ 1: 99, 2: 19, 3: 20 }, []],
      [{ 1: -30, 2: -33, 3: 74 }, []],
      [{ 1: -30, 2: -33, 3: 54 }, []],
      [{ 1: -30, 2: -33, 3: 37 }, [2, 3]],
      [{ 1: 10, 2: 10.2, 3: 20 }, [1, 2]],
      [{ 6: 5, 8: 5 }, []],
      [{ 6: 5, 8: 4.9 }, [6, 8]],
      [{ 6: 5, 8: 0 }, [8]],
      [{ 6: 0, 8: 0 }, []],
      [{ 6: 468.6, 8: 10 }, []],
      [{ 6: 0, 7: 0 }, []],
      // A vane keeps its direction in a calm.
      [{ 6: 0, 7: 270 }, []],
      [{ 6: 0, 7: nan }, []],
      [{ 6: 5, 7: 0 }, []],
    ] as const) {
      const columns = Object.fromEntries(Object.entries(row).map(([variable, value]) => [variable, [value]]));
      const { flags } = recheck(series([0], columns), NO_RULES, newTail());
      const found = [...flags].filter(([, [flag = 0]]) => (flag & FLAG.consistency) !== 0);
      expect(
        found.map(([variable]) => variable).sort((a, b) => a - b),
        JSON.stringify(row),
      ).to.deep.equal(suspect);
    }
  });

  it('never changes a value', () => {
    const value = fc.oneof(fc.double(), fc.double({ min: -100, max: 100 }));
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 30 }), (values) => {
        const given = hourly({ [V.temperature]: values, [V.dewPoint]: values.toReversed() });
        const kept = [...given.values].map(([, column]) => [...column]);
        const checked = recheck(given, NO_RULES, newTail());
        expect([...checked.values].map(([, column]) => [...column])).to.deep.equal(kept);
      }),
    );
  });

  it('names the checks that did not pass', () => {
    expect(checksOf(0)).to.deep.equal([]);
    expect(checksOf(FLAG.step | FLAG.consistency)).to.deep.equal(['step', 'internal_consistency']);
    expect([0, FLAG.step, FLAG.grossRange | FLAG.step].map(verdictOf)).to.deep.equal([
      'pass',
      'suspect',
      'fail',
    ]);
  });
});

describe('series', () => {
  it('are sorted, with unique times; the later row wins', () => {
    const parts = partsByStation({
      stations: Uint32Array.from([7, 7, 7, 7, 3, 7]),
      times: Float64Array.from([3, 1, 3, 2, 3, 3]),
      values: new Map([
        [1, Float64Array.from([30, 10, Number.NaN, 20, 99, Number.NaN])],
        [2, Float64Array.from([1, 1, 5, 1, 99, 5])],
      ]),
      flags: new Map(),
    });
    const { series: sorted, folded } = parts.get(7) as StationPart;
    const { times, values } = sorted;
    expect([...parts.keys()]).to.deep.equal([3, 7]);
    expect(folded).to.equal(2);
    expect([...times]).to.deep.equal([1, 2, 3]);
    expect([...(values.get(1) ?? [])]).to.deep.equal([10, 20, 30]);
    expect([...(values.get(2) ?? [])]).to.deep.equal([1, 1, 5]);
  });

  it('merge added rows into existing ones', () => {
    const merged = mergeSeries(series([1, 2], { 1: [10, 20], 2: [5, 5] }), series([2, 3], { 1: [21, 30] }));
    expect([...merged.series.times]).to.deep.equal([1, 2, 3]);
    expect([...(merged.series.values.get(1) ?? [])]).to.deep.equal([10, 21, 30]);
    expect([...(merged.series.values.get(2) ?? [])]).to.deep.equal([5, 5, Number.NaN]);
    expect([...merged.touched]).to.deep.equal([0, 1, 1]);
    expect(merged).to.include({ inserted: 1, updated: 1, unchanged: 0 });
  });

  it('have a state that can be stored, also from a shorter catalogue', () => {
    const state = new StationState();
    state.advance(hourly({ [V.temperature]: [1, 2], [V.humidity]: [50, Number.NaN] }));
    const described = new StationState(state.data.slice()).describe(7, 1);
    expect(described.values).to.deep.equal(state.describe(7, 1).values);
    expect(described.values.size).to.equal(2);
    expect(described).to.deep.include({ station: 7, lastSeen: HOUR });
    const slots = (state.data.length - 1) / 5;
    const shorter = new Float64Array(1 + 5 * (slots - 1));
    shorter[0] = state.data[0] as number;
    for (let field = 0; field < 5; field += 1) {
      shorter.set(state.data.subarray(1 + field * slots, field * slots + slots), 1 + field * (slots - 1));
    }
    expect(new StationState(shorter).describe(7, 1)).to.deep.equal(described);
  });

  it('have the newest values and the newest that passed, also after flags have changed', () => {
    const state = new StationState();
    const rows = (flags: readonly number[], temperatures = [1, 2, Number.NaN]) => ({
      ...hourly({ [V.temperature]: temperatures, [V.humidity]: [50, 51, 52] }),
      flags: new Map([[V.temperature, Uint8Array.from(flags)]]),
    });
    expect(state.lastSeen).to.equal(-Infinity);
    expect(state.variables()).to.deep.equal([]);
    expect(state.describe(7, 1)).to.include({ lastSeen: null, revision: '1' });
    state.advance(rows([0, 2, 0]));
    const passed = () =>
      [V.temperature, V.humidity].map((variable) => [
        state.tail.times[variable],
        state.tail.values[variable],
      ]);
    expect(state.variables()).to.deep.equal([V.temperature, V.humidity].toSorted((a, b) => a - b));
    expect(state.describe(7, 1).values.get(V.temperature)).to.deep.equal({ time: HOUR, value: 2, flags: 2 });
    expect(passed()).to.deep.equal([
      [0, 1],
      [2 * HOUR, 52],
    ]);
    // The value that passed does so no more.
    state.advance(rows([1, 2, 0]));
    expect(passed()).to.deep.equal([
      [0, Number.NaN],
      [2 * HOUR, 52],
    ]);
    // Only values that come within the reach of the step check need the stored rows.
    const needsRows = (variable: number, time: number) =>
      isTailUnknown(
        state.tail,
        { times: Float64Array.of(time), values: new Map([[variable, Float64Array.of(1)]]), flags: new Map() },
        time,
      );
    expect(needsRows(V.temperature, STEP_REACH)).to.equal(true);
    expect(needsRows(V.temperature, STEP_REACH + 1)).to.equal(false);
    expect(needsRows(V.humidity, STEP_REACH)).to.equal(false);
    // An earlier value that passes does not make it known, because another one may be between both.
    state.advance(hourly({ [V.humidity]: [50] }));
    expect(passed()[0]).to.deep.equal([0, Number.NaN]);
    state.advance(rows([0, 0, 0]));
    expect(passed()[0]).to.deep.equal([HOUR, 2]);
    expect(state.describe(7, 1).values.get(V.temperature)).to.deep.equal({ time: HOUR, value: 2, flags: 0 });
    // Older rows change nothing, and a row of the same time does.
    const older = hourly({ [V.temperature]: [9] });
    state.advance(older);
    expect(state.describe(7, 1).values.get(V.temperature)?.value).to.equal(2);
    const same = hourly({ [V.temperature]: [9, 8] });
    state.advanceRows(same, 1, 2);
    expect(state.describe(7, 1).values.get(V.temperature)?.value).to.equal(8);
    expect(passed()[0]).to.deep.equal([HOUR, 8]);
    state.advanceRows(same, 1, 1);
    expect(state.lastSeen).to.equal(2 * HOUR);
  });

  it('describe no value that a damaged one may have replaced', () => {
    const state = new StationState();
    state.advance(hourly({ [V.temperature]: [1, 2, Number.NaN], [V.humidity]: [50, 51, 52] }));
    const describeAfter = (last: number) => {
      const { lastSeen, hiddenSince, values } = state.describe(7, 'x', { first: -5, last });
      return [lastSeen, hiddenSince, [...values.keys()]];
    };
    expect(describeAfter(HOUR - 1)).to.deep.equal([
      2 * HOUR,
      undefined,
      [V.temperature, V.humidity].toSorted((a, b) => a - b),
    ]);
    expect(describeAfter(HOUR)).to.deep.equal([2 * HOUR, undefined, [V.humidity]]);
    expect(describeAfter(2 * HOUR)).to.deep.equal([null, -5, []]);
  });
});

describe('Summaries', () => {
  describe('of the wind direction', () => {
    const nan = Number.NaN;
    const meanOf = (
      directions: readonly number[],
      speeds: readonly number[] | undefined,
      failed: readonly number[],
      all = false,
    ) => {
      const summaries = new Summaries([{ start: -1, end: 10 }], {
        variables: [7],
        includeAll: all,
        reportingInterval: null,
      });
      const values = new Map([[7, Float64Array.from(directions)]]);
      if (speeds !== undefined) values.set(6, Float64Array.from(speeds));
      summaries.add({
        times: Float64Array.from(directions.keys()),
        values,
        flags: new Map([[6, Uint8Array.from(failed)]]),
      });
      return summaries.statistics(7, 0);
    };

    it('weights with speeds that passed, and counts rows without one only if there is none', () => {
      for (const [directions, speeds, failed, mean, count] of [
        [[90, 180], [2, 999], [0, 1], 90, 1],
        [[90, 180], [2, 2], [0, 0], 135, 2],
        [[90, 180], [2, nan], [0, 0], 90, 1],
        [[90, 180], [nan, nan], [0, 0], 135, 2],
        [[90, 180], [999, 999], [1, 1], 135, 2],
        [[90, 180], [999, nan], [4, 0], 135, 2],
        [[90, 180, 270], [0, 3, 999], [0, 0, 2], 180, 2],
        [[90, 180], [0, nan], [0, 0], nan, 1],
        [[90, 180], undefined, [0, 0], 135, 2],
      ] as const) {
        const found = meanOf(directions, speeds, failed);
        const told = `${directions.join()} with ${speeds?.join()}`;
        if (Number.isNaN(mean)) expect(found.mean, told).to.satisfy(Number.isNaN);
        else expect(found.mean, told).to.be.closeTo(mean, 1e-9);
        expect(found.count, told).to.equal(count);
      }
      expect(meanOf([90, 180], [2, 999], [0, 1], true).mean).to.be.above(179);
    });

    it('does not depend on a failed speed, whatever it is', () => {
      const row = fc.record({
        direction: fc.integer({ min: 0, max: 359 }),
        speed: fc.double({ min: 0.1, max: 70, noNaN: true }),
        fails: fc.boolean(),
      });
      fc.assert(
        fc.property(
          fc.array(row, { minLength: 1, maxLength: 9 }),
          fc.double({ min: 0, noNaN: true }),
          (rows, wrong) => {
            const directions = rows.map(({ direction }) => direction);
            const failed = rows.map(({ fails }) => (fails ? 1 : 0));
            const withFault = meanOf(
              directions,
              rows.map(({ speed, fails }) => (fails ? wrong : speed)),
              failed,
            );
            const without = meanOf(
              directions,
              rows.map(({ speed, fails }) => (fails ? nan : speed)),
              failed,
            );
            expect(withFault).to.deep.equal(without);
          },
        ),
      );
    });
  });

  const twoDays = [
    { start: 0, end: DAY },
    { start: DAY, end: 2 * DAY },
  ];
  const summarize = (given: Series, variable: number, includeAll = false) => {
    const summaries = new Summaries(twoDays, { variables: [variable], includeAll, reportingInterval: 3600 });
    summaries.add(given);
    return [summaries.statistics(variable, 0), summaries.statistics(variable, 1)] as const;
  };

  it('have the extremes with the time of their first occurrence, and the mean', () => {
    const [first, second] = summarize(hourly({ [V.temperature]: [5, 1, 9, 9, 1] }), V.temperature);
    expect(first).to.include({ count: 5, min: 1, minTime: HOUR, max: 9, maxTime: 2 * HOUR, mean: 5 });
    expect(second.count).to.equal(0);
    expect([second.min, second.max, second.mean, second.sum]).to.deep.equal([NaN, NaN, NaN, NaN]);
  });

  it('count the rain of midnight for the day that ends, and the temperature for the one that begins', () => {
    const given = series([0, 1, DAY, DAY + 1, 2 * DAY], {
      [V.precipitation]: [16, 1, 2, 4, 8],
      [V.temperature]: [1, 1, 2, 4, 8],
    });
    expect(summarize(given, V.precipitation).map(({ sum }) => sum)).to.deep.equal([3, 12]);
    expect(summarize(given, V.temperature).map(({ count }) => count)).to.deep.equal([2, 2]);
  });

  it('have the direction of the resultant wind', () => {
    const direction = (directions: number[], speeds: number[]) =>
      summarize(ends(hourly({ [V.windDirection]: directions, [V.windSpeed]: speeds })), V.windDirection)[0]
        .mean;
    expect(direction([350, 10], [5, 5]) % 360).to.be.closeTo(0, 1e-9);
    expect(direction([90, 180], [1, 3])).to.be.closeTo(161.565, 0.001);
    expect(direction([0, 180], [5, 5])).to.satisfy(Number.isNaN);
    expect(direction([0, 90], [5, 0])).to.be.closeTo(0, 1e-9);
    expect(direction([270, 270], [NaN, NaN])).to.be.closeTo(270, 1e-9);
  });

  it('leave out values that did not pass, unless all are requested', () => {
    const given = recheck(ends(hourly({ [V.windSpeed]: [5, 468.6, 7] })), NO_RULES, newTail());
    expect(summarize(given, V.windSpeed)[0]).to.include({ count: 2, max: 7 });
    expect(summarize(given, V.windSpeed, true)[0]).to.include({ count: 3, max: 468.6 });
  });

  it('take observations in pieces', () => {
    const summaries = new Summaries(twoDays, { variables: [V.temperature], reportingInterval: 3600 });
    summaries.add(series([0, HOUR], { [V.temperature]: [3, 1] }));
    summaries.add(series([2 * HOUR, DAY], { [V.temperature]: [5, 7] }));
    expect(summaries.statistics(V.temperature, 0)).to.include({ count: 3, min: 1, max: 5, mean: 3 });
    expect(() => summaries.statistics(V.gust, 0)).to.throw('is not summarized');
  });
});

describe('acceptNewId', () => {
  it('accepts ids that no command line reads as an option', () => {
    for (const id of ['a', '_', '.a', 'a-']) expect(() => acceptNewId(id), id).not.to.throw();
    for (const id of ['-', '-x', '--help']) expect(() => acceptNewId(id), id).to.throw('begin');
  });
});

describe('acceptStation', () => {
  const good: StationDraft = {
    id: 'A.b_c-9',
    name: '  Óslo ',
    latitude: 90,
    longitude: -180,
    elevation: null,
    timeZone: 'UTC',
    identifiers: { wmo: '1' },
    reportingInterval: null,
    limits: {},
  };

  it('accepts fields that follow the rules', () => {
    expect(acceptStation(good)).to.deep.equal({ ...good, name: 'Óslo' });
  });

  it('refuses fields that break a rule', () => {
    for (const broken of [
      { id: '' },
      { id: '.' },
      { id: '..' },
      { id: 'a b' },
      { id: 'a/b' },
      { id: 'x'.repeat(65) },
      { name: ' ' },
      { name: '\ud800' },
      { name: 'red \u001b[31m' },
      { name: 'abc\u202Edef' },
      { name: '\u2066abc' },
      { identifiers: { wmo: 'a\u202Bb' } },
      { name: 'x'.repeat(201) },
      { latitude: 90.01 },
      { latitude: Number.NaN },
      { longitude: 180.5 },
      { elevation: 9001 },
      { elevation: Number.NaN },
      { reportingInterval: 0 },
      { reportingInterval: 1.5 },
      { identifiers: { 'W M O': '1' } },
      { identifiers: { wmo: '' } },
      { identifiers: { wmo: 'a\nb' } },
      { limits: { nothing: { min: 0, max: 1 } } },
      { limits: { air_temperature: { min: 1, max: 1 } } },
    ]) {
      expect(() => acceptStation({ ...good, ...broken }), JSON.stringify(broken))
        .to.throw()
        .with.property('code', 'REQUEST_INVALID');
    }
  });
});

describe('nearestName', () => {
  const names = SUGGESTED_NAMES;
  it('finds the most similar name, and nothing if no name is similar', () => {
    for (const [text, expected] of [
      ['temp', 'air_temperature'],
      ['wind_sped', 'wind_speed'],
      ['Wind_Speed', 'wind_speed'],
      ['humidity', 'relative_humidity'],
      ['precipitation', 'precipitation_amount'],
      ['zzz', undefined],
      ['x'.repeat(5000), undefined],
      ['', undefined],
    ] as const) {
      expect(nearestName(text, names), text.slice(0, 20)).to.equal(expected);
    }
    expect(nearestName('start', ['from', 'to', 'limit'])).to.equal(undefined);
  });
});
