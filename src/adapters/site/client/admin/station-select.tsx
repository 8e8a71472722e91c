import { useId, useState } from 'preact/hooks';
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
  suggested,
  all,
  onChange,
}: {
  readonly label: string;
  readonly fault?: string | undefined;
  /** Id of the station that is chosen first. */
  readonly initial?: string;
  /** Id that is chosen first if there is a station with it. */
  readonly suggested?: string | undefined;
  /** The label of the choice of all stations. Without it, a station must be chosen. */
  readonly all?: string;
  readonly onChange?: (station: string) => void;
}) {
  const { connect } = useAdminText();
  const { stations = [], isWhole, fault: listFault } = useStationList();
  const list = useId();
  const choices = stations.map((station) => [station.id, nameWithId(station)] as const);
  const isOffered = suggested !== undefined && stations.some(({ id }) => id === suggested);
  const defaultValue = isOffered ? suggested : initial;
  const settings = { name: 'station', label, fault, defaultValue, required: all === undefined };
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

/** The field for several stations. Its value is the ids, separated by commas, or `*` for all stations. */
export function StationsField({
  label,
  hint,
  fault,
  initial,
  all,
  without = [],
}: {
  readonly label: string;
  readonly hint?: string;
  readonly fault?: string | undefined;
  readonly initial: readonly string[] | '*';
  /** The label of the choice of all stations; without it, there is no such choice. */
  readonly all?: string;
  /** Ids of stations that are not offered. */
  readonly without?: readonly string[];
}) {
  const { idsHint } = useAdminText();
  const { stations: listed = [], isWhole, fault: listFault } = useStationList();
  const [chosen, setChosen] = useState(initial);
  const faultId = useId();
  const value = chosen === '*' ? chosen : chosen.join(', ');
  if (!isWhole)
    return <FormField name="stations" label={label} hint={idsHint} fault={fault} defaultValue={value} />;
  const ids = chosen === '*' ? [] : chosen;
  const stations = listed.filter(({ id }) => !without.includes(id));
  const absent = ids.filter((id) => stations.every((station) => station.id !== id));
  const tick = (id: string, isTicked: boolean) =>
    setChosen(isTicked ? [...ids, id] : ids.filter((one) => one !== id));
  return (
    <fieldset class="station-ticks" aria-describedby={fault === undefined ? undefined : faultId}>
      <legend>{label}</legend>
      <input type="hidden" name="stations" value={value} />
      {all !== undefined && (
        <Tick label={all} isTicked={chosen === '*'} onTick={(isTicked) => setChosen(isTicked ? '*' : [])} />
      )}
      {chosen !== '*' &&
        [...absent.map((id) => ({ id, name: id })), ...stations].map((station) => (
          <Tick
            key={station.id}
            label={nameWithId(station)}
            isTicked={ids.includes(station.id)}
            onTick={(isTicked) => tick(station.id, isTicked)}
          />
        ))}
      {hint !== undefined && <p class="quiet">{hint}</p>}
      {listFault}
      {fault !== undefined && (
        <p id={faultId} class="fault">
          {fault}
        </p>
      )}
    </fieldset>
  );
}

function Tick({
  label,
  isTicked,
  onTick,
}: {
  readonly label: string;
  readonly isTicked: boolean;
  readonly onTick: (isTicked: boolean) => void;
}) {
  return (
    <label class="tick">
      <input type="checkbox" checked={isTicked} onChange={(event) => onTick(event.currentTarget.checked)} />{' '}
      {label}
    </label>
  );
}

/** The name of a station, with the id if it differs from the name. */
export function nameWithId({ id, name }: ListedStation): string {
  return name === id ? id : `${name} (${id})`;
}
