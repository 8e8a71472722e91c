import { useState } from 'preact/hooks';
import type { Reply } from '../../api.js';
import { adminRequest } from '../admin-request.js';
import { FormFault, FormField, useAction, useList, formValues } from '../form.js';
import { StationSelect } from '../station-select.js';
import { StationForm } from '../station-form.js';
import { useAdminText } from '../text.js';
import { Time } from '../time.js';

type Sender = Reply<'/v1/uploads/pending', 'get'>['pending'][number];

/** Consoles that send without an upload key. The administrator can approve these consoles. */
export function PendingSendersPanel({
  round,
  onApproved,
}: {
  /** The consoles are read again when this object changes. */
  readonly round: object;
  readonly onApproved: () => void;
}) {
  const { pending: text } = useAdminText();
  const { reply, fault } = useList((api) => api.get('/v1/uploads/pending'), round);
  const [approved, setApproved] = useState<string>();
  return (
    <>
      <h3>{text.title}</h3>
      {fault}
      {approved !== undefined && <p role="status">{text.approved(approved)}</p>}
      {reply?.pending.length === 0 && <p>{text.none}</p>}
      {reply?.pending.map((sender) => (
        <SenderCard
          key={sender.id}
          sender={sender}
          onApproved={(station) => {
            setApproved(station);
            onApproved();
          }}
        />
      ))}
    </>
  );
}

function SenderCard({
  sender,
  onApproved,
}: {
  readonly sender: Sender;
  readonly onApproved: (station: string) => void;
}) {
  const { pending: text } = useAdminText();
  const { run, isBusy, fault, faults } = useAction(['station']);
  const [isNew, setNew] = useState(false);
  const [station, setStation] = useState(sender.sent_id ?? undefined);
  const approve = (event: SubmitEvent) => {
    const { station: chosen = '', note = '' } = formValues(event);
    const options = { path: { id: sender.id }, body: { station: chosen, note } };
    void run(async () => {
      await adminRequest((api) => api.post('/v1/uploads/pending/{id}/approve', options));
      onApproved(chosen);
    });
  };
  return (
    <article class="card">
      <h4>
        {sender.model ?? sender.dialect} · {sender.address}
      </h4>
      <p>
        {text.seen(sender.count)} <Time at={sender.last_seen} />
      </p>
      <p>{sender.readings.join(' · ')}</p>
      {sender.wrong_key && <p class="fault">{text.wrongKey(sender.sent_id)}</p>}
      {!sender.approvable && !sender.wrong_key && <p class="fault">{text.notApprovable}</p>}
      {sender.approvable && isNew && (
        <StationForm
          existing={undefined}
          onCancel={() => setNew(false)}
          onSaved={(id) => {
            setNew(false);
            setStation(id);
          }}
        />
      )}
      {sender.approvable && !isNew && (
        <form method="post" onSubmit={approve}>
          <div class="row">
            <StationSelect key={station} label={text.station} suggested={station} fault={faults['station']} />
            <FormField name="note" label={text.note} />
          </div>
          <p class="quiet">{text.weak}</p>
          <FormFault>{fault}</FormFault>
          <div class="buttons">
            <button type="submit" class="main" disabled={isBusy}>
              {text.approve}
            </button>
            <button type="button" onClick={() => setNew(true)}>
              {text.newStation}
            </button>
          </div>
        </form>
      )}
    </article>
  );
}
