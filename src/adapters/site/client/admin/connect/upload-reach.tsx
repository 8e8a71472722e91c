import { useState } from 'preact/hooks';
import type { Reply } from '../../api.js';
import { adminRequest } from '../admin-request.js';
import { FormFault, useAction, useList } from '../form.js';
import { useAdminText } from '../text.js';
import { Step } from './step.js';

type Listening = Reply<'/v1/settings/uploads', 'get'>;

const REACHES = ['network', 'loopback', 'off'] as const;

/** The step with the setting from where uploads are accepted. @param isFixed whether a key exists, whose fields name the address */
export function UploadReach({ number, isFixed }: { readonly number: number; readonly isFixed: boolean }) {
  const { connect } = useAdminText();
  const { reach: text } = connect;
  const list = useList((api) => api.get('/v1/settings/uploads'));
  const [changed, setChanged] = useState<Listening>();
  const [isOpen, setOpen] = useState(false);
  const { run, isBusy, fault } = useAction();
  const shown = changed ?? list.reply;
  const choose = (reach: Listening['reach']) =>
    run(async () => {
      setChanged(await adminRequest((api) => api.put('/v1/settings/uploads', { body: { reach } })));
      setOpen(false);
    });
  const source = shown && text.sources[shown.source];
  const isDone = shown !== undefined && shown.reach !== 'off' && !isOpen;
  return (
    <Step
      number={number}
      title={text.title}
      done={
        isDone
          ? [text.names[shown.reach], shown.port === 0 ? '' : text.port(shown.port)].join('. ')
          : undefined
      }
      onChange={isFixed || source !== undefined ? undefined : () => setOpen(true)}
    >
      {shown === undefined ? (
        list.fault
      ) : (
        <>
          <p>{shown.reach === 'off' ? text.off : text.states[shown.reach]}</p>
          {source !== undefined && <p class="quiet">{text.fixed(source)}</p>}
          {source === undefined && !isFixed && (
            <dl class="reach">
              {REACHES.filter((reach) => isOpen || reach !== shown.reach).map((reach) => (
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
      )}
    </Step>
  );
}
