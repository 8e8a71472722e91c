import { expect } from 'chai';
import fc from 'fast-check';
import pg from 'pg';
import type { PostgresObservationStore } from '#adapters/store-postgres/observations/postgres-observation-store.js';
import type { Stores } from '#application/ports/stores.js';
import { MILLISECONDS } from '#domain/time.js';
import { converter } from '#domain/weather/units.js';
import { variableNumbered } from '#domain/weather/variables.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { Place } from '../../support/place.js';
import { flipped, RawStore } from '../../support/raw-store.js';

const START = Date.UTC(2024, 1, 28);
/** Variables with values of all kinds: as they are sent in several units, and any numbers. */
const UNITS: readonly (readonly [variable: number, units: readonly string[]])[] = [
  [1, ['°C', '°F']],
  [4, ['hPa', 'inHg', 'mmHg']],
  [6, ['m/s', 'km/h', 'mph', 'kt']],
  [9, ['mm', 'in']],
  [14, ['m', 'mi', 'nmi', 'ft']],
];

describe('the view of plain rows', () => {
  let place: Place;
  let stores: Stores;
  let client: pg.Client;

  beforeEach(async () => {
    place = await Place.ready('postgres');
    stores = await place.open();
    client = new pg.Client(place.databaseUrl);
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await stores.close();
    await place.remove();
  });

  /** Rows as text: station, time, variable, value and flags. */
  const stored = async () => {
    const ids = new Map((await stores.stations.list()).map(({ number, id }) => [number, id]));
    const lines: string[] = [];
    for await (const { stations, times, values, flags } of stores.observations.read({
      from: -8e15,
      to: 8e15,
    }))
      for (const [row, time] of times.entries())
        for (const [variable, column] of values) {
          const value = column[row] as number;
          if (Number.isNaN(value)) continue;
          const { name, unit } = variableNumbered(variable);
          lines.push(
            lineOf(
              ids.get(stations[row] as number),
              time,
              name,
              value,
              unit,
              flags.get(variable)?.[row] ?? 0,
            ),
          );
        }
    return lines.sort();
  };
  const lineOf = (
    id: string | undefined,
    time: number,
    name: string,
    value: number,
    unit: string,
    flags: number,
  ) => `${id} ${time} ${name} ${Object.is(value, -0) ? '-0' : value} ${unit} ${flags}`;
  const shown = async (from = 'SELECT * FROM weatherd.observation_rows') => {
    const { rows } = await client.query<{
      station: string;
      time: number;
      variable: string;
      value: number;
      unit: string;
      flags: number;
    }>(
      `SELECT station, round(extract(epoch FROM "time") * 1000)::float8 AS "time", variable, value, unit, flags FROM (${from}) AS shown`,
    );
    return rows
      .map((row) => lineOf(row.station, row.time, row.variable, row.value, row.unit, row.flags))
      .sort();
  };
  const merge = () => (stores.observations as PostgresObservationStore).merge();

  it('shows the rows that the service reads, whatever their values, units and flags, merged or not', async () => {
    const sent = (units: readonly string[], variable: number) =>
      fc
        .tuple(fc.constantFrom(...units), fc.integer({ min: -50, max: 1200 }), fc.constantFrom(1, 10, 100))
        .map(([unit, integer, power]) =>
          converter(variableNumbered(variable), unit, 'stored')(integer / power),
        );
    const any = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(-0, 0, 1 / 3, 5e-324, 0.1 + 0.2, Number.NaN),
    );
    const column = fc.integer({ min: 0, max: UNITS.length - 1 }).chain((index) => {
      const [variable, units] = UNITS[index] as (typeof UNITS)[number];
      // All values of a column in one unit, in any unit, or any numbers; some absent.
      const value = fc.oneof(
        fc.constantFrom(...units).map((unit) => sent([unit], variable)),
        fc.constant(sent(units, variable)),
        fc.constant(any),
        fc.constant(fc.integer({ min: -5, max: 5 })),
      );
      return value.chain((one) =>
        fc.record({
          variable: fc.constant(variable),
          values: fc.array(
            fc.oneof({ weight: 5, arbitrary: one }, { weight: 1, arbitrary: fc.constant(Number.NaN) }),
            {
              minLength: 30,
              maxLength: 30,
            },
          ),
        }),
      );
    });
    const write = fc.record({
      minutes: fc.oneof(
        fc.uniqueArray(fc.integer({ min: -3000, max: 3000 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 2, max: 30 }).map((length) => Array.from({ length }, (_, index) => index * 10)),
      ),
      station: fc.nat(1),
      columns: fc.array(column, { minLength: 1, maxLength: 4 }),
      isMerged: fc.boolean(),
    });
    const made = await stores.stations.put(['a', 'b'].map((id) => ({ ...JFK, id, limits: {} })));
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 4 }), async (writes) => {
        for (const { minutes, station, columns, isMerged } of writes) {
          const number = made[station]?.station.number ?? 0;
          const batch = {
            stations: new Uint32Array(minutes.length).fill(number),
            times: Float64Array.from(
              minutes,
              (minute) => START + minute * MILLISECONDS.minute + (minute % 7),
            ),
            values: new Map(
              columns.map(({ variable, values }) => [
                variable,
                Float64Array.from(values.slice(0, minutes.length)),
              ]),
            ),
            flags: new Map(),
          };
          await stores.observations.write([{ batch }]);
          if (isMerged) await merge();
        }
        expect(await shown()).to.deep.equal(await stored());
      }),
      { numRuns: 25 },
    );
    const some = (await stored()).filter(
      (line) => line.startsWith('a ') && Number(line.split(' ')[1]) < START,
    );
    const until = new Date(START).toISOString();
    const part = `SELECT 'a' AS station, * FROM weatherd.observations('a', '-infinity', '${until}')`;
    expect(await shown(part)).to.deep.equal(some);
  });

  it('shows rows of a range that begins and ends within days that are stored together', async () => {
    const [made] = await stores.stations.put([{ ...JFK, id: 'a', limits: {} }]);
    const times = Float64Array.from({ length: 60 }, (_, day) => (day + 2) * MILLISECONDS.day);
    const stations = new Uint32Array(60).fill(made?.station.number ?? 0);
    const values = new Map([[1, Float64Array.from(times, () => 5)]]);
    await stores.observations.write([{ batch: { stations, times, values, flags: new Map() } }]);
    await merge();
    const range = "weatherd.observations('a', '1970-01-21T00:00Z', '1970-01-31T00:00Z')";
    expect(await shown(`SELECT 'a' AS station, * FROM ${range}`)).to.have.length(10);
  });

  it('converts values that were sent in each unit to the same bit', async () => {
    const [made] = await stores.stations.put([{ ...JFK, id: 'a', limits: {} }]);
    const length = 60;
    let day = 0;
    for (const [variable, units] of UNITS)
      for (const unit of units)
        for (const power of [10, 100]) {
          day += 1;
          // Around the temperature of freezing, where °C are small.
          const toStored = converter(variableNumbered(variable), unit, 'stored');
          const batch = {
            stations: new Uint32Array(length).fill(made?.station.number ?? 0),
            times: Float64Array.from(
              { length },
              (_, row) => START + day * MILLISECONDS.day + row * MILLISECONDS.minute,
            ),
            values: new Map([
              [
                variable,
                Float64Array.from({ length }, (_, row) => toStored((32 * power + row - 30) / power)),
              ],
            ]),
            flags: new Map(),
          };
          await stores.observations.write([{ batch }]);
        }
    expect(await shown()).to.deep.equal(await stored());
    await merge();
    expect(await shown()).to.deep.equal(await stored());
  });

  it('fails where observations are damaged or unknown, and leaves out no rows', async () => {
    const [made] = await stores.stations.put([{ ...JFK, id: 'a' }]);
    const batch = {
      stations: Uint32Array.of(made?.station.number ?? 0),
      times: Float64Array.of(START),
      values: new Map([[1, Float64Array.of(5)]]),
      flags: new Map(),
    };
    await stores.observations.write([{ batch }]);
    const raw = new RawStore(place);
    const failure = async () => String(await shown().catch((error: unknown) => error));
    const withVersion = (version: number) => (blob: Buffer) => {
      blob.writeUInt32LE(version, 4);
      return blob;
    };
    await raw.change('run', '1 = 1', withVersion(1));
    expect(await failure()).to.contain('format version 1, which this view cannot read');
    await raw.change('run', '1 = 1', withVersion(3));
    expect(await shown()).to.have.length(1);
    await raw.change('run', '1 = 1', flipped);
    expect(await failure()).to.contain('its checksum is wrong');
    await stores.close();
    stores = await place.open();
    await merge();
    expect(await failure()).to.contain('damaged; "weatherd check" lists them');
  });

  it('is defined again by another version of the program, and keeps its privileges', async () => {
    await client.query('CREATE ROLE "reader of rows"');
    const tables = ['observation_rows', 'station', 'chunk', 'run', 'damaged'].map(
      (name) => `weatherd.${name}`,
    );
    try {
      await client.query('GRANT USAGE ON SCHEMA weatherd TO "reader of rows"');
      await client.query(`GRANT SELECT ON ${tables.join(', ')} TO "reader of rows"`);
      await stores.stations.put([{ ...JFK, id: 'a' }]);
      await client.query('SET ROLE "reader of rows"');
      expect(await shown()).to.deep.equal([]);
      await client.query('RESET ROLE');
      await client.query("COMMENT ON VIEW weatherd.observation_rows IS 'Definition of an older version'");
      await stores.close();
      stores = await place.open();
      const { rows } = await client.query<{ note: string; may: boolean }>(
        `SELECT obj_description('weatherd.observation_rows'::regclass) AS note,
           has_table_privilege('reader of rows', 'weatherd.observation_rows', 'SELECT') AS may`,
      );
      expect(rows[0]?.note).to.match(/^Definition [0-9a-f]{16}$/);
      expect(rows[0]?.may).to.equal(true);
    } finally {
      await client.query('DROP OWNED BY "reader of rows"');
      await client.query('DROP ROLE "reader of rows"');
    }
  });
});
