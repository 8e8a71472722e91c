import { useId } from 'preact/hooks';
import type { Station } from '../api.js';
import { userRequest } from './admin-request.js';
import { FormFault, FormField, useList } from './form.js';
import { useAdminText } from './text.js';

/** Number of stations in a list to choose from. Of more stations, the id is typed. */
const MAX_LISTED = 500;

export type ListedStation = Pick<Station, 'id' | 'name'>;

/** The stations that a field can offer; undefined until they are read. */
export function useStationList() {
  const { reply, fault, reload } = useList(
    (api) => api.get('/v1/stations', { query: { limit: MAX_LISTED } }),
    undefined,
    userRequest,
  );
  const stations: readonly ListedStation[] | undefined = reply?.stations;
  return { stations, isWhole: reply?.next === null, fault, reload };
}

/** The field for a station: a list of the stations; a field for the id if there are too many. */
export function StationSelect({
  name,
  label,
  fault,
  initial = '',
}: {
  readonly name: string;
  readonly label: string;
  readonly fault?: string | undefined;
  /** Id of the station that is chosen first. */
  readonly initial?: string;
}) {
  const { connect } = useAdminText();
  const { stations, isWhole, fault: listFault } = useStationList();
  const id = useId();
  // Until the list is read, the field offers the first choice.
  const offered = stations ?? (initial === '' ? [] : [{ id: initial, name: initial }]);
  if (stations !== undefined && !isWhole)
    return (
      <>
        <FormField
          name={name}
          label={label}
          fault={fault}
          defaultValue={initial}
          list={`${id}-list`}
          required
        />
        <datalist id={`${id}-list`}>
          {stations.map((station) => (
            <option key={station.id} value={station.id}>
              {station.name}
            </option>
          ))}
        </datalist>
      </>
    );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        required
        aria-invalid={fault !== undefined}
        {...(fault !== undefined && { 'aria-describedby': `${id}-fault` })}
      >
        <option value="">{connect.station.none}</option>
        {offered.map((station) => (
          <option key={station.id} value={station.id} selected={station.id === initial}>
            {nameWithId(station)}
          </option>
        ))}
      </select>
      {fault !== undefined && (
        <p id={`${id}-fault`} class="fault">
          {fault}
        </p>
      )}
      {listFault !== '' && <FormFault>{listFault}</FormFault>}
    </div>
  );
}

/** The name of a station, with the id if it differs from the name. */
export function nameWithId({ id, name }: ListedStation): string {
  return name === id ? id : `${name} (${id})`;
}
