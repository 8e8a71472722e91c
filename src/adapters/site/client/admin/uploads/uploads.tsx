import { useState } from 'preact/hooks';
import type { Reply } from '../../api.js';
import { useList } from '../form.js';
import { lightOfStatus, withoutCommands } from '../connect/light.js';
import { LightMark } from '../connect/waiting-light.js';
import { PendingSendersPanel } from './pending.js';
import { useAdminText } from '../text.js';
import { Time } from '../time.js';

type Status = Reply<'/v1/uploads', 'get'>['uploads'][number];

/** The status of the uploads of each key, and the consoles that wait for approval. */
export function Uploads() {
  const text = useAdminText();
  const [round, setRound] = useState({});
  const { reply, fault } = useList((api) => api.get('/v1/uploads'), round);
  const reload = () => setRound({});
  return (
    <>
      <button type="button" onClick={reload}>
        {text.reload}
      </button>
      {fault}
      <PendingSendersPanel round={round} onApproved={reload} />
      <h3>{text.uploads.ofKeys}</h3>
      {reply?.uploads.length === 0 && <p>{text.keys.none}</p>}
      <div class="cards">
        {reply?.uploads.map((status) => (
          <StatusCard key={status.key} status={status} />
        ))}
      </div>
    </>
  );
}

function StatusCard({ status }: { readonly status: Status }) {
  const { uploads: text, keys, connect, sections } = useAdminText();
  const light = lightOfStatus(status);
  const { last_error: error, counts } = status;
  const wrong = error !== null && (status.last_success === null || error.time > status.last_success);
  const facts: readonly (readonly [string, string])[] = [
    [text.counts, text.countsOf(counts)],
    [text.sender, [status.model, status.address].filter((part) => part !== null).join(', ')],
    [
      text.batteries,
      Object.entries(status.batteries)
        .map((pair) => pair.join(': '))
        .join(', '),
    ],
    [text.unmapped, status.unmapped.map(({ field, value }) => `${field} = ${value}`).join(', ')],
  ];
  return (
    <article class="card">
      <h4>
        <LightMark state={light.state} />
        {connect.light.states[light.state]} · {text.keyOf(status.key)} ·{' '}
        {status.station ?? keys.stationRemoved}
      </h4>
      {status.note !== '' && <p class="quiet">{status.note}</p>}
      <p>
        {text.lastSuccess} <Time at={status.last_success} />
      </p>
      {error !== null && (
        <p class={wrong ? 'fault' : 'quiet'}>
          {text.lastError} <Time at={error.time} />: {error.reason}
        </p>
      )}
      {status.uses_previous && <p class="fault">{text.usesPrevious}</p>}
      {(status.clock_skew ?? 0) !== 0 && <p class="fault">{text.clock(status.clock_skew ?? 0)}</p>}
      {status.rain_warning !== null && (
        <p class="fault">
          {withoutCommands(status.rain_warning)} <a href="#keys">{sections.keys}</a>
        </p>
      )}
      {status.remarks.map((remark) => (
        <p key={remark} class="fault">
          {remark}
        </p>
      ))}
      <dl>
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </article>
  );
}
