import { useEffect, useState } from 'preact/hooks';
import { adminRequest } from '../admin-request.js';
import { useAction } from '../form.js';
import { stationOfHash } from '../hash-station.js';
import { type ListedStation, nameWithId, useStationList } from '../station-select.js';
import { StationForm } from '../station-form.js';
import { useAdminText } from '../text.js';
import { type CreatedKey, KeySetup } from './key-setup.js';
import { Step } from './step.js';
import { UploadReach } from './upload-reach.js';

/** "Connect a station": a station, the port for uploads, a key, the fields of the console, and the light of the first upload. */
export function Connect() {
  const { connect: text } = useAdminText();
  const [station, setStation] = useState<ListedStation>();
  const [created, setCreated] = useState<CreatedKey>();
  const { run, isBusy, fault } = useAction();
  const create = () =>
    run(async () => {
      const body = { station: station?.id ?? '' };
      setCreated(await adminRequest((api) => api.post('/v1/upload-keys', { body })));
    });
  const restart = () => {
    setStation(undefined);
    setCreated(undefined);
  };
  return (
    <>
      <p>{text.lead}</p>
      <KeySetup
        station={station}
        created={created}
        create={{ run: () => void create(), isBusy, fault }}
        onAnother={restart}
        firstNumber={3}
      >
        <Step
          number={1}
          title={text.station.title}
          done={station && nameWithId(station)}
          onChange={created === undefined ? restart : undefined}
        >
          <StationStep onChosen={setStation} />
        </Step>
        <UploadReach number={2} isFixed={created !== undefined} />
      </KeySetup>
    </>
  );
}

/** Chooses a station, or adds one. The station that the URL names, as in `#connect/garden`, is chosen first. */
function StationStep({ onChosen }: { readonly onChosen: (station: ListedStation) => void }) {
  const text = useAdminText();
  const { stations, fault } = useStationList();
  const [isNew, setNew] = useState(false);
  useEffect(() => {
    const wanted = stationOfHash('connect');
    const found = stations?.find(({ id }) => id === wanted);
    if (found === undefined) return;
    history.replaceState(history.state, '', '#connect');
    onChosen(found);
  }, [stations]);
  if (stations === undefined) return <>{fault}</>;
  if (isNew || stations.length === 0)
    return (
      <StationForm
        existing={undefined}
        onCancel={stations.length === 0 ? undefined : () => setNew(false)}
        onSaved={(id, name) => onChosen({ id, name })}
      />
    );
  const { choose, none } = text.connect.station;
  return (
    <div class="buttons">
      <select
        aria-label={choose}
        onChange={({ currentTarget: { value } }) => {
          const found = stations.find(({ id }) => id === value);
          if (found !== undefined) onChosen(found);
        }}
      >
        <option value="">{none}</option>
        {stations.map((station) => (
          <option key={station.id} value={station.id}>
            {nameWithId(station)}
          </option>
        ))}
      </select>
      <button type="button" onClick={() => setNew(true)}>
        {text.connect.station.new}
      </button>
    </div>
  );
}
