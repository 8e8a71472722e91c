import { expect } from 'chai';
import { MILLISECONDS } from '#domain/time.js';
import { COMPUTATION_RULES } from '#domain/weather/computation/computation-rules.js';
import {
  canBeCurrent,
  isCurrent,
  isSettled,
  SETTLING,
  type StoredDays,
} from '#domain/weather/summaries/daily-aggregate.js';
import { NO_POSITION, positionCodeAt, SEVERAL_POSITIONS } from '#domain/weather/summaries/position-code.js';
import type { Station } from '#domain/weather/station.js';
import { stationFor } from '#domain/weather/stations/audience.js';
import { V, variableNumbered } from '#domain/weather/variables.js';
import { STATION } from '../../../support/weather-world.js';

const { day } = MILLISECONDS;
const START = Date.UTC(2024, 0, 1);
const END = START + 31 * day;
const station: Station = { ...STATION, number: 1 };
const TABLE: StoredDays = {
  station: 1,
  start: START,
  end: END,
  days: 31,
  reportingInterval: 3600,
  rules: COMPUTATION_RULES,
  unusualMethods: [],
  positionCode: 0,
  routine: new Map(),
  variables: [],
  copyTo: () => undefined,
};

describe('a table of days', () => {
  it('is made two days after the end of its month', () => {
    expect(SETTLING).to.equal(2 * day);
    const found = [0, SETTLING, SETTLING + 1].map((later) =>
      isSettled({ start: START, end: END }, END + later),
    );
    expect(found).to.deep.equal([false, false, true]);
  });

  it('is current by its rules, its reporting interval and the times that its values describe', () => {
    const is = (table: Partial<StoredDays>, of: Partial<Station> = {}) =>
      isCurrent({ ...station, ...of }, { ...TABLE, ...table });
    expect(is({})).to.equal(true);
    expect(is({ rules: COMPUTATION_RULES - 1 })).to.equal(false);
    expect(is({ reportingInterval: 600 })).to.equal(false);
    expect(is({ reportingInterval: undefined })).to.equal(false);
    expect(is({ reportingInterval: null }, { reportingInterval: null })).to.equal(true);
    const earlier = (until: number) => ({ earlier: [{ ...STATION, reportingInterval: 600, until }] });
    expect([START, START + 1, END].map((until) => is({}, earlier(until)))).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect([START + 1, END].map((until) => is({ reportingInterval: 600 }, earlier(until)))).to.deep.equal([
      false,
      true,
    ]);
    // Where the interval changed, no table is current, whatever it says.
    expect(is({ reportingInterval: undefined }, earlier(START + 1))).to.equal(false);
    const { name, cellMethod } = variableNumbered(V.temperature);
    const other = { [name]: cellMethod === 'point' ? 'interval' : 'point' } as const;
    expect(is({}, { cellMethods: other })).to.equal(false);
    expect(is({ unusualMethods: [V.temperature] }, { cellMethods: other })).to.equal(true);
    expect(is({ unusualMethods: [V.temperature] })).to.equal(false);
    expect(is({}, { cellMethods: { [name]: cellMethod } })).to.equal(true);
  });

  it('with radiation is current at its position', () => {
    const { latitude, longitude } = station;
    const positionCode = positionCodeAt(station, START);
    const is = (of: Partial<Station>, code = positionCode) =>
      isCurrent({ ...station, ...of }, { ...TABLE, positionCode: code });
    expect(is({})).to.equal(true);
    expect(is({ latitude: latitude + 0.01 })).to.equal(false);
    expect(is({ longitude: longitude - 0.01 })).to.equal(false);
    expect(is({ latitude: latitude + 1, longitude: -longitude }, NO_POSITION)).to.equal(true);
    // The public position is the same for every audience.
    const coarse = { ...station, positionDecimals: 1 };
    const everybody = stationFor('everybody', coarse) ?? station;
    const publicCode = positionCodeAt(coarse, START);
    expect([coarse, everybody].map((one) => is(one, publicCode))).to.deep.equal([true, true]);
    expect(is(coarse)).to.equal(false);
    const moved = (until: number) => ({ earlier: [{ ...STATION, latitude: latitude + 1, until }] });
    expect([START, START + 1, END].map((until) => is(moved(until)))).to.deep.equal([true, false, false]);
    expect(is(moved(START + 1), SEVERAL_POSITIONS)).to.equal(false);
    const possible = [START, START + 1, END].map((until) =>
      canBeCurrent({ ...station, ...moved(until) }, TABLE),
    );
    expect(possible).to.deep.equal([true, false, true]);
  });
});
