import { expect } from 'chai';
import {
  type RangeRequest,
  expectedRows,
  extentOf,
  rangeOf,
  variablesNamed,
} from '#application/observations/read/observation-query.js';
import { usedZone, zoneOf } from '#application/asked-zone.js';
import type { Inventory } from '#application/ports/observation-store.js';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { parseDuration } from '#domain/duration.js';
import { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { STATION } from '../../../support/weather-world.js';

const { hour, day } = MILLISECONDS;
const calendar = new TemporalCalendar();
const station = { ...STATION, number: 1 };
const inventory: Inventory = { first: 1000, last: 2000, count: 11, variables: [1] };
const EMPTY: Inventory = { first: null, last: null, count: 0, variables: [] };
const at = (text: string) => Date.parse(text);

describe('the range of a request', () => {
  const range = (asked: Partial<RangeRequest>, of = inventory, now?: number) => {
    const { from, to } = rangeOf(calendar, station, of, { from: undefined, to: undefined, ...asked }, now);
    return [from, to];
  };
  const refused = (asked: Partial<RangeRequest>) =>
    expect(() => range(asked), JSON.stringify(asked))
      .to.throw(DomainError)
      .with.property('code', 'REQUEST_INVALID');

  it('has the bounds that are given, and otherwise those of the observations', () => {
    const table: readonly (readonly [Partial<RangeRequest>, readonly number[], readonly number[]])[] = [
      [{}, [1000, 2001], [0, 0]],
      [{ from: 1500 }, [1500, 2001], [1500, 1500]],
      [{ from: 5000 }, [5000, 5000], [5000, 5000]],
      [{ to: 1500 }, [1000, 1500], [1500, 1500]],
      [{ to: 500 }, [500, 500], [500, 500]],
      [{ from: 1, to: 2 }, [1, 2], [1, 2]],
      [{ from: 2, to: 2 }, [2, 2], [2, 2]],
    ];
    for (const [asked, expected, ofNone] of table) {
      expect(range(asked), JSON.stringify(asked)).to.deep.equal(expected);
      expect(range(asked, EMPTY), JSON.stringify(asked)).to.deep.equal(ofNone);
    }
    refused({ from: 2, to: 1 });
  });

  it('includes damaged observations', () => {
    const damaged = { first: 500, last: 1500 };
    expect(extentOf({ ...inventory, damaged })).to.deep.equal({ first: 500, last: 2000 });
    expect(extentOf({ ...inventory, damaged: { first: 1500, last: 2500 } })).to.deep.equal({
      first: 1000,
      last: 2500,
    });
    expect(extentOf({ ...EMPTY, damaged })).to.deep.equal({ first: 500, last: 1500 });
    expect(extentOf(inventory)).to.deep.equal({ first: 1000, last: 2000 });
    expect(range({}, { ...inventory, damaged })).to.deep.equal([500, 2001]);
  });

  it('has dates of the zone of the station, or of another one, with days that begin when it is asked for', () => {
    const [from, to] = ['2024-03-10', '2024-03-11'];
    const newYork = [at('2024-03-10T05:00:00Z'), at('2024-03-11T04:00:00Z')];
    expect(range({ from, to })).to.deep.equal(newYork);
    expect(range({ from, to, timeZone: 'station' })).to.deep.equal(newYork);
    expect(range({ from, to, timeZone: 'UTC' })).to.deep.equal([at(from), at(to)]);
    expect(range({ from, to, timeZone: '+02:00' })).to.deep.equal([at(from) - 2 * hour, at(to) - 2 * hour]);
    expect(range({ from, to, timeZone: 'UTC', dayStart: 90 })).to.deep.equal([
      at(from) + 1.5 * hour,
      at(to) + 1.5 * hour,
    ]);
    refused({ from: '2024-02-30' });
    refused({ from, timeZone: 'Europe/Bonn' });
    refused({ timeZone: 'Europe/Bonn' });
    expect([usedZone(station), usedZone(station, 'UTC')]).to.deep.equal(['America/New_York', 'UTC']);
    expect(zoneOf(calendar, station)).to.equal('America/New_York');
  });

  it('may be the time up to now, with days and months of the zone', () => {
    const now = at('2024-03-10T12:30:15.250Z');
    const last = (text: string, more: Partial<RangeRequest> = {}) => {
      const [from = NaN, to] = range({ last: parseDuration(text), ...more }, EMPTY, now);
      expect(to).to.equal(now);
      return new Date(from).toISOString();
    };
    expect(last('90min')).to.equal('2024-03-10T11:00:15.250Z');
    // The clocks of New York were changed on this day.
    expect(last('1d')).to.equal('2024-03-09T13:30:15.250Z');
    expect(last('24h')).to.equal('2024-03-09T12:30:15.250Z');
    expect(last('P1M')).to.equal('2024-02-10T13:30:15.250Z');
    expect(last('P1MT1H')).to.equal('2024-02-10T12:30:15.250Z');
    expect(last('1d', { timeZone: 'UTC' })).to.equal('2024-03-09T12:30:15.250Z');
    expect(last('1y', { timeZone: 'UTC' })).to.equal('2023-03-10T12:30:15.250Z');
    const duration = parseDuration('1d');
    refused({ last: duration, from: 1 });
    refused({ last: duration, to: 1 });
  });

  it('has as many rows as if they were evenly distributed', () => {
    const rows = (from: number, to: number) => expectedRows(inventory, { from, to });
    expect([rows(0, 5000), rows(1000, 2001), rows(1000, 1001), rows(1500, 1501)]).to.deep.equal([
      11, 11, 1, 1,
    ]);
    expect([rows(1000, 1500), rows(1500, 9999), rows(0, 1500)]).to.deep.equal([6, 6, 6]);
    expect([rows(0, 1000), rows(2001, 3000), rows(1500, 1500), rows(1500, 1400)]).to.deep.equal([0, 0, 0, 0]);
    expect(expectedRows(EMPTY, { from: 0, to: day })).to.equal(0);
    expect(expectedRows({ ...EMPTY, first: 5, last: 5, count: 1 }, { from: 5, to: 6 })).to.equal(1);
  });

  it('names variables of the catalogue, each once', () => {
    const names = ['relative_humidity', 'air_temperature', 'relative_humidity'];
    expect(variablesNamed(names).map(({ name }) => name)).to.deep.equal([
      'relative_humidity',
      'air_temperature',
    ]);
    expect(() => variablesNamed(['air_temperatur']))
      .to.throw('There is no variable "air_temperatur".')
      .with.property('message')
      .that.includes('air_temperature');
  });
});
