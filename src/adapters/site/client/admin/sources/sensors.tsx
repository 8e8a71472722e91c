import { useState } from 'preact/hooks';
import type { Schemas } from '../../api.js';
import { useNumbers } from '../../site-context.js';
import { Table, useList } from '../form.js';
import { stationOfHash } from '../hash-station.js';
import { StationSelect } from '../station-select.js';
import { useAdminText } from '../text.js';
import { Time } from '../time.js';
import { chargesOf, LINE, lineOf, lowestOf } from './charges.js';
import { useSourcesText } from './text.js';

type Sensor = Schemas['Sensor'];

/** Batteries and signals of a station. The station that the URL names, as in `#sensors/garden`, is chosen first. */
export function Sensors() {
  const { columns, sensors: text } = useSourcesText();
  const [station, setStation] = useState(() => stationOfHash('sensors') ?? '');
  return (
    <>
      <p class="quiet">{text.meaning}</p>
      <StationSelect label={columns.station} initial={station} onChange={setStation} />
      {station !== '' && <OfStation key={station} station={station} />}
    </>
  );
}

function OfStation({ station }: { readonly station: string }) {
  const { uploads, sections } = useAdminText();
  const { sensors: text } = useSourcesText();
  const write = useValues();
  const { reply, fault } = useList((api) =>
    api.get('/v1/stations/{id}/sensors', { path: { id: station }, query: { history: true } }),
  );
  return (
    <>
      {fault}
      <Table label={sections.sensors} heads={text.columns} rows={reply?.sensors} none={text.none}>
        {(sensor) => (
          <tr key={`${sensor.source} ${sensor.upload_key} ${sensor.sensor}`}>
            <th scope="row">{sensor.sensor}</th>
            <td>{sensor.source ?? uploads.keyOf(sensor.upload_key ?? 0)}</td>
            <td>
              <Battery sensor={sensor} />
            </td>
            <td>{write([sensor.signal, 'dBm'], [sensor.reception, '%'])}</td>
            <td>
              <Time at={sensor.last_seen} />
            </td>
          </tr>
        )}
      </Table>
    </>
  );
}

/** The battery now, since when it has been low, and its lowest kept value with a line of its history. */
function Battery({ sensor }: { readonly sensor: Sensor }) {
  const { health } = useAdminText();
  const { sensors: text } = useSourcesText();
  const write = useValues();
  const charges = chargesOf(sensor);
  const lowest = lowestOf(charges);
  const values = write([sensor.battery_percent, '%'], [sensor.battery_voltage, 'V']);
  return (
    <>
      {sensor.low && (
        <p class="state failed">
          {text.low} <Time at={sensor.since} />
        </p>
      )}
      {values === '–' && sensor.battery_low !== null ? !sensor.low && health.states.ok : values}
      {lowest !== undefined && (
        <p class="quiet">
          <svg width={LINE.width} height={LINE.height} fill="none" stroke="currentColor" aria-hidden="true">
            <polyline points={lineOf(charges)} />
          </svg>{' '}
          {text.lowest} {write([lowest.value, lowest.unit])}, <Time at={lowest.time} />
        </p>
      )}
    </>
  );
}

/** Returns a function that writes the known ones of some values with their units; `–` if none is known. */
function useValues() {
  const number = useNumbers();
  return (...values: readonly (readonly [value: number | null, unit: '%' | 'V' | 'dBm'])[]) =>
    values
      .flatMap(([value, unit]) => (value === null ? [] : [`${number(value, unit === 'V' ? 2 : 0)} ${unit}`]))
      .join(', ') || '–';
}
