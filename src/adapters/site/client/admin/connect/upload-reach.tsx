import { useState } from 'preact/hooks';
import type { Reply } from '../../api.js';
import { adminRequest } from '../admin-request.js';
import { FormFault, useAction, useList } from '../form.js';
import { useAdminText } from '../text.js';

type Listening = Reply<'/v1/settings/uploads', 'get'>;

const REACHES = ['network', 'loopback', 'off'] as const;

/** Shows from where uploads are accepted, and changes it. @param isFixed whether a key exists, whose fields name the address */
export function UploadReach({ isFixed }: { readonly isFixed: boolean }) {
  const { connect } = useAdminText();
  const { reach: text } = connect;
  const list = useList((api) => api.get('/v1/settings/uploads'));
  const [changed, setChanged] = useState<Listening>();
  const { run, isBusy, fault } = useAction();
  const shown = changed ?? list.reply;
  if (shown === undefined) return <>{list.fault}</>;
  const choose = (reach: Listening['reach']) =>
    run(async () => {
      setChanged(await adminRequest((api) => api.put('/v1/settings/uploads', { body: { reach } })));
    });
  const source = text.sources[shown.source];
  return (
    <>
      <p>{shown.reach === 'off' ? text.off : text.states[shown.reach]}</p>
      {shown.reach !== 'off' && shown.port !== 0 && <p class="quiet">{text.port(shown.port)}</p>}
      {source !== undefined && <p class="quiet">{text.fixed(source)}</p>}
      {source === undefined && !isFixed && (
        <dl class="reach">
          {REACHES.filter((reach) => reach !== shown.reach).map((reach) => (
            <div key={reach}>
              <dt>
                <button
                  type="button"
                  class={shown.reach === 'off' ? 'main' : undefined}
                  disabled={isBusy}
                  onClick={() => void choose(reach)}
                >
                  {text.names[reach]}
                </button>
              </dt>
              <dd>{text.states[reach]}</dd>
            </div>
          ))}
        </dl>
      )}
      <FormFault>{fault}</FormFault>
    </>
  );
}
