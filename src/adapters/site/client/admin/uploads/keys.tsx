import { useEffect, useRef, useState } from 'preact/hooks';
import { adminRequest } from '../admin-request.js';
import { ConfirmedButton } from '../dialog.js';
import { FormFault, FormField, Table, useAction, useList, formValues } from '../form.js';
import { type CreatedKey, KeySetup } from '../connect/key-setup.js';
import { withoutCommands } from '../connect/light.js';
import { StationSelect } from '../station-select.js';
import { useAdminText } from '../text.js';
import { Time } from '../time.js';

/** Adds and revokes upload keys, replaces their secrets, and sets whether the rain in uploads with a key is stored. */
export function Keys() {
  const text = useAdminText();
  const { reply, fault, reload, change } = useList((api) => api.get('/v1/upload-keys'));
  /** Number of added keys. After each of them, the form is empty again. */
  const [added, setAdded] = useState(0);
  const [createdKey, setCreatedKey] = useState<CreatedKey>();
  const { run, isBusy, fault: addFault, faults } = useAction(['station', 'note']);
  const { columns } = text.keys;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [createdKey]);
  const add = (event: SubmitEvent) => {
    const { station = '', note = '' } = formValues(event);
    void run(async () => {
      setCreatedKey(await adminRequest((api) => api.post('/v1/upload-keys', { body: { station, note } })));
      setAdded(added + 1);
      await reload();
    });
  };
  const rotate = async (id: number) => {
    setCreatedKey(
      await adminRequest((api) => api.post('/v1/upload-keys/{id}/rotate', { path: { id }, body: {} })),
    );
    await reload();
  };
  const storeRain = (id: number, rain: boolean) => {
    const options = { path: { id }, body: { settings: { rain } } };
    return change((api) => api.put('/v1/upload-keys/{id}/mappings', options));
  };
  const revoke = (id: number) => change((api) => api.delete('/v1/upload-keys/{id}', { path: { id } }));
  return (
    <>
      <form key={added} method="post" class="editor" onSubmit={add}>
        <h3>{text.keys.add}</h3>
        <div class="row">
          <StationSelect label={text.keys.station} fault={faults['station']} />
          <FormField name="note" label={text.keys.note} hint={text.keys.noteHint} fault={faults['note']} />
        </div>
        <FormFault>{addFault}</FormFault>
        <button type="submit" class="main" disabled={isBusy}>
          {text.keys.add}
        </button>
      </form>
      {createdKey !== undefined && (
        <section class="editor" key={createdKey.key} aria-labelledby="created-key">
          <h3 id="created-key" tabIndex={-1} ref={heading}>
            {text.keys.made(createdKey.upload_key.number)}
          </h3>
          <p>
            <code class="secret">{createdKey.key}</code>
          </p>
          <p>{text.keys.once}</p>
          <KeySetup
            station={stationOf(createdKey)}
            created={createdKey}
            onAnother={() => setCreatedKey(undefined)}
          />
          <button type="button" onClick={() => setCreatedKey(undefined)}>
            {text.close}
          </button>
        </section>
      )}
      {fault}
      <Table label={text.sections.keys} heads={columns} rows={reply?.upload_keys} none={text.keys.none}>
        {(key) => (
          <tr key={key.number}>
            <th scope="row">{key.number}</th>
            <td>{key.station ?? text.keys.stationRemoved}</td>
            <td>
              {key.note}
              {key.weak && <span class="mark">{text.keys.weak}</span>}
              {!key.settings.rain && <span class="mark">{text.keys.withoutRain}</span>}
              {key.rain_warning !== null && <p class="fault">{withoutCommands(key.rain_warning)}</p>}
            </td>
            <td>
              <Time at={key.rotated_at ?? key.created_at} />
              {key.previous_until !== null && (
                <span class="mark">
                  {text.keys.previousUntil} <Time at={key.previous_until} />
                </span>
              )}
            </td>
            <td class="buttons">
              {!key.weak && (
                <ConfirmedButton
                  label={text.keys.rotate}
                  question={text.keys.rotateQuestion(key.number)}
                  act={() => rotate(key.number)}
                />
              )}
              <ConfirmedButton
                label={key.settings.rain ? text.keys.leaveRainOut : text.keys.storeRain}
                question={text.keys.rainQuestion(key.number, !key.settings.rain)}
                act={() => storeRain(key.number, !key.settings.rain)}
              />
              <ConfirmedButton
                label={text.keys.revoke}
                question={text.keys.revokeQuestion(key.number)}
                act={() => revoke(key.number)}
              />
            </td>
          </tr>
        )}
      </Table>
    </>
  );
}

function stationOf({ upload_key: { station } }: CreatedKey) {
  return { id: station ?? '', name: station ?? '' };
}
