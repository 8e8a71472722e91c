import { batteries, channels, type FieldTable, readFields, words } from '../reading/field-table.js';
import { uploadTime } from '../reading/utc-time.js';
import { REPLIES } from '../upload-reply.js';
import { type Dialect, deviceOf, NO_VALUES, senderOf } from './dialect.js';

const CREDENTIALS = ['wsid', 'wspw'];
/**
 * Fields with the connection state of each sensor. The value 0 means that the console does not receive the sensor, and that the
 * values of the sensor are old.
 */
const CONNECTIONS = [
  ...words('t1cn t5lscn t8cn t9cn t10cn t11cn'),
  ...channels((n) => `t234c${n}cn`, 7),
  ...channels((n) => `t6c${n}cn`, 7),
];

/** Names from the "WSLink data upload API", version 0.6. */
const FIELDS: FieldTable = {
  readings: [
    ['t1tem', 'air_temperature'],
    ['t1hum', 'relative_humidity'],
    ['t1dew', 'dew_point_temperature'],
    ['t1ws', 'wind_speed'],
    ['t1wdir', 'wind_from_direction'],
    ['t1wgust', 'wind_speed_of_gust'],
    ['abar', 'surface_air_pressure'],
    ['rbar', 'air_pressure_at_mean_sea_level'],
    ['t1rainra', 'rainfall_rate'],
    ['t1solrad', 'surface_downwelling_shortwave_flux_in_air'],
    ['t1uvi', 'ultraviolet_index'],
    ['t8pm25', 'mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air'],
    ['t8pm10', 'mass_concentration_of_pm10_ambient_aerosol_particles_in_air'],
  ],
  counters: [
    ['t1raindy', 'tipping', 'day', 1],
    ['t1rainwy', 'tipping', 'week', 1],
    ['t1rainmth', 'tipping', 'month', 1],
    ['t1rainyr', 'tipping', 'year', 1],
  ],
  batteries: new Map([
    ...batteries('lowIsZero', [
      ...words('inbat t1bat t5lsbat'),
      ...channels((n) => `t234c${n}bat`, 7),
      ...channels((n) => `t6c${n}bat`, 7),
    ]),
    ...batteries('fifths', ['t8bat', 't9bat', 't10bat', 't11bat']),
  ]),
  ignored: new Set([
    ...CREDENTIALS,
    ...CONNECTIONS,
    ...words('datetime apiver t1rainhr t1feels t1chill t1heat t1wbgt t8pm25ai t8pm10ai'),
  ]),
};

/** Consoles with the WSLink protocol (Bresser, Garni, Sencor …). In this protocol some status codes have a special meaning. */
export const wslink: Dialect = {
  name: 'wslink',
  recognizes: ({ fields }) => fields.has('wsid'),
  read: ({ fields, key }) => {
    if ([...fields.keys()].every((name) => CREDENTIALS.includes(name))) return NO_VALUES;
    const { batteries: states, ...values } = readFields(connected(fields), FIELDS);
    return [
      {
        sender: senderOf({ key, id: fields.get('wsid'), password: fields.get('wspw') }),
        time: uploadTime(fields.get('datetime'), true),
        ...values,
        device: deviceOf({ batteries: states }),
      },
    ];
  },
  replies: {
    ...REPLIES,
    rate: { status: 404, body: 'too many requests' },
    unreadable: { status: 405, body: 'bad format' },
  },
};

/** The fields of an upload, without the fields of sensors that the console does not receive. */
function connected(fields: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const lost = CONNECTIONS.filter((name) => fields.get(name) === '0').map((name) => name.slice(0, -2));
  if (lost.length === 0) return fields;
  // Fields are removed if their name begins with the name of a lost sensor and then has a character that is no digit. For
  // example, the lost sensor `t1` removes `t1tem`, but not `t10co2`. The expression is safe: it contains only names from
  // `CONNECTIONS`, no text of the request, and no repetition.
  const sensors = new RegExp(`^(?:${lost.join('|')})\\D`);
  return new Map([...fields].filter(([name]) => !sensors.test(name)));
}
