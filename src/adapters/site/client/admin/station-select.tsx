import { useId } from 'preact/hooks';
import type { Station } from '../api.js';
import { userRequest } from './admin-request.js';
import { FormField, useList } from './form.js';
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
  return { stations, isWhole: reply?.next !== undefined ? reply.next === null : true, fault, reload };
}

/** The field for a station: a list of the stations; a field for the id if there are too many. */
export function StationSelect({
  label,
  fault,
  initial = '',
  all,
  onChange,
}: {
  readonly label: string;
  readonly fault?: string | undefined;
  /** Id of the station that is chosen first. */
  readonly initial?: string;
  /** The label of the choice of all stations. Without it, a station must be chosen. */
  readonly all?: string;
  readonly onChange?: (station: string) => void;
}) {
  const { connect } = useAdminText();
  const { stations = [], isWhole, fault: listFault } = useStationList();
  const list = useId();
  const settings = { name: 'station', label, fault, defaultValue: initial, required: all === undefined };
  const choices = stations.map((station) => [station.id, nameWithId(station)] as const);
  if (isWhole)
    return (
      <>
        <FormField
          {...settings}
          onChange={onChange}
          choices={[['', all ?? connect.station.none], ...choices]}
        />
        {listFault}
      </>
    );
  return (
    <>
      <FormField {...settings} onChange={onChange} placeholder={all} list={list} />
      <datalist id={list}>
        {choices.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** The name of a station, with the id if it differs from the name. */
export function nameWithId({ id, name }: ListedStation): string {
  return name === id ? id : `${name} (${id})`;
}
