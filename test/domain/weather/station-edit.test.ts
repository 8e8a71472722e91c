import { expect } from 'chai';
import { type DomainErrorCode, isDomainError } from '#domain/domain-error.js';
import { applyEdit, replacementEdit, type StationEdit, stationText } from '#domain/weather/station-edit.js';
import type { Station, StationDraft } from '#domain/weather/station.js';
import { STATION } from '../../support/weather-world.js';

const KNOWN: Station = { ...STATION, number: 3 };
const { number: _number, ...DRAFT } = KNOWN;
const AFTER = Date.UTC(2024, 0, 1);

function codeOf(
  edit: Omit<StationEdit, 'id'>,
  known: Station | undefined,
  similar?: Parameters<typeof applyEdit>[2],
) {
  try {
    applyEdit({ id: 'JFK', ...edit }, known, similar);
  } catch (error) {
    return isDomainError(error) ? error.code : error;
  }
  return undefined;
}

describe('the edit of a station', () => {
  const change = (edit: Omit<StationEdit, 'id'>, known: Station = KNOWN) =>
    applyEdit({ id: 'JFK', ...edit }, known, undefined);

  it('changes the named fields, and keeps the others', () => {
    expect(change({ change: {} })).to.deep.equal(DRAFT);
    expect(change({ change: { name: 'Idlewild' } })).to.deep.equal({ ...DRAFT, name: 'Idlewild' });
    expect(change(replacementEdit({ ...STATION, name: 'Idlewild' }))).to.deep.equal({
      ...DRAFT,
      name: 'Idlewild',
    });
  });

  it('adds and removes single identifiers and settings', () => {
    expect(change({ identify: { wmo: '74486' } }).identifiers).to.deep.equal({ icao: 'KJFK', wmo: '74486' });
    expect(change({ identify: { icao: null, wmo: '74486' } }).identifiers).to.deep.equal({ wmo: '74486' });
    expect(change({ identify: { none: null } }).identifiers).to.deep.equal({ icao: 'KJFK' });
    const both = change({ change: { identifiers: { iata: 'JFK' } }, identify: { wmo: '74486' } });
    expect(both.identifiers).to.deep.equal({ iata: 'JFK', wmo: '74486' });
    const step = (perMinute: number) => ({ perMinute, perHour: 2 * perMinute });
    const [air, damp, wind] = [step(3), step(5), step(9)];
    const steps = { air_temperature: air, relative_humidity: damp } as const;
    const stepped = change({ adjust: { steps } });
    expect(stepped).to.deep.equal({ ...DRAFT, steps });
    const less = change(
      { adjust: { steps: { air_temperature: null, wind_speed: wind } } },
      { ...KNOWN, steps },
    );
    expect(less.steps).to.deep.equal({ relative_humidity: damp, wind_speed: wind });
    expect(
      change({ adjust: { steps: { air_temperature: null } } }, { ...KNOWN, steps: { air_temperature: air } }),
    ).to.deep.equal(DRAFT);
    expect(codeOf({ adjust: { steps: { warmth: air } } }, KNOWN)).to.equal('REQUEST_INVALID');
    expect(codeOf({ identify: { wmo: '' } }, KNOWN)).to.equal('REQUEST_INVALID');
  });

  it('leaves out optional fields that hold nothing', () => {
    const empty = { steps: {}, persistence: {}, sensorHeights: {}, cellMethods: {}, earlier: [] };
    const nothing = {
      ...empty,
      stampInterval: null,
      dailyObservationTime: null,
      visibility: 'public',
      positionDecimals: null,
    } as never;
    expect(change({ change: nothing })).to.deep.equal(DRAFT);
    const full = {
      stampInterval: 60,
      dailyObservationTime: '07:00',
      visibility: 'hidden',
      positionDecimals: 0,
      sensorHeights: { wind_speed: 2 },
    } as const;
    expect(change({ change: full })).to.deep.equal({ ...DRAFT, ...full });
    expect(
      applyEdit({ id: 'JFK', create: { ...STATION, ...(nothing as object) } }, undefined, undefined),
    ).to.deep.equal(DRAFT);
  });

  it('is in force from a time on, before which the station was as it was', () => {
    const moved = change({ change: { latitude: 41 }, since: AFTER });
    expect(moved.latitude).to.equal(41);
    expect(moved.earlier).to.have.length(1);
    expect(moved.earlier?.[0]).to.include({ latitude: STATION.latitude, until: AFTER });
    expect(change({ change: { latitude: 41 } })).to.deep.equal({ ...DRAFT, latitude: 41 });
    const named = change({ change: { name: 'Idlewild' }, since: AFTER, identify: { wmo: '74486' } });
    expect(named.identifiers).to.have.property('wmo', '74486');
  });

  it('makes a station where there is none', () => {
    const create: StationDraft = STATION;
    expect(applyEdit({ id: 'JFK', create }, undefined, undefined)).to.deep.equal(DRAFT);
    const codes: readonly (readonly [
      Omit<StationEdit, 'id'>,
      Station | undefined,
      Parameters<typeof applyEdit>[2],
      DomainErrorCode | undefined,
    ])[] = [
      [{ create }, undefined, undefined, undefined],
      [{ create, change: {} }, undefined, undefined, undefined],
      [{ create }, KNOWN, undefined, 'STATION_EXISTS'],
      [{ create, change: {} }, KNOWN, undefined, undefined],
      [{ create, identify: {} }, KNOWN, undefined, undefined],
      [{ create, adjust: {} }, KNOWN, undefined, undefined],
      [{ change: {} }, undefined, undefined, 'STATION_UNKNOWN'],
      [{ change: {} }, undefined, { id: 'jfk', removed: false }, 'STATION_UNKNOWN'],
      [{ create }, undefined, { id: 'jfk', removed: false }, 'STATION_EXISTS'],
      [{ create }, undefined, { id: 'JFK', removed: true }, 'STATION_REMOVED'],
      [{ change: {} }, undefined, { id: 'JFK', removed: true }, 'STATION_REMOVED'],
    ];
    for (const [edit, known, similar, code] of codes)
      expect(codeOf(edit, known, similar), JSON.stringify([edit, known?.id, similar])).to.equal(code);
    expect(() => applyEdit({ id: '-x', create }, undefined, undefined)).to.throw();
  });

  it('is refused if the station is not as expected', () => {
    const text = stationText(KNOWN);
    expect(codeOf({ change: {}, expected: text }, KNOWN)).to.equal(undefined);
    expect(codeOf({ change: {}, expected: `${text} ` }, KNOWN)).to.equal('PRECONDITION_FAILED');
    expect(codeOf({ change: {}, expected: null }, KNOWN)).to.equal('PRECONDITION_FAILED');
    expect(codeOf({ create: STATION, expected: null }, undefined)).to.equal(undefined);
    expect(codeOf({ create: STATION, expected: text }, undefined)).to.equal('PRECONDITION_FAILED');
  });

  it('of a damaged station must replace what cannot be read', () => {
    const damaged = (...fields: string[]): Station => ({
      ...KNOWN,
      damaged: fields.map((field) => ({ field: field as 'limits', reason: 'is not JSON' })),
    });
    const code = 'DATA_DAMAGED';
    const cases: readonly (readonly [
      Omit<StationEdit, 'id'>,
      readonly string[],
      DomainErrorCode | undefined,
    ])[] = [
      [{ change: { name: 'x' } }, ['limits'], code],
      [{ change: { limits: {} } }, ['limits'], undefined],
      [{ change: { limits: {} } }, ['limits', 'steps'], code],
      [{ change: { limits: {} }, adjust: { steps: {} } }, ['limits', 'steps'], undefined],
      [{ adjust: { steps: {} } }, ['limits'], code],
      [{ identify: { wmo: '1' } }, ['identifiers'], undefined],
      [{ identify: {} }, ['identifiers'], code],
      [{ identify: { wmo: '1' } }, ['limits'], code],
      [{ change: {}, since: AFTER }, ['earlier'], undefined],
      [{ change: {} }, ['earlier'], code],
      [{ change: {}, since: AFTER }, ['limits'], code],
      [replacementEdit(STATION), ['limits', 'earlier', 'identifiers'], undefined],
    ];
    for (const [edit, fields, expected] of cases)
      expect(codeOf(edit, damaged(...fields)), JSON.stringify([edit, fields])).to.equal(expected);
    expect(change({ change: { limits: {} } }, damaged('limits'))).to.deep.equal(DRAFT);
  });
});
