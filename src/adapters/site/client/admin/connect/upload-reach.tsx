import { useState } from 'preact/hooks';
import type { Requests } from '../../../../../../clients/typescript/src/requests.js';
import { adminRequest } from '../admin-request.js';
import { FormFault, useAction, useList } from '../form.js';
import { useAdminText } from '../text.js';

interface Reach {
  readonly reach: 'off' | 'loopback' | 'network';
  readonly source: 'default' | 'data' | 'file' | 'environment';
  readonly port: number;
}

const PATH = '/v1/settings/uploads' as never;
const OPEN = ['network', 'loopback'] as const;

/** Shows from where uploads are accepted, and changes it. @param isFixed whether a key exists, whose fields name the address */
export function UploadReach({ isFixed }: { readonly isFixed: boolean }) {
  const { connect } = useAdminText();
  const { reach: text } = connect;
  const list = useList((api) => api.get(PATH) as unknown as Promise<Reach>);
  const [changed, setChanged] = useState<Reach>();
  const { run, isBusy, fault } = useAction();
  const shown = changed ?? list.reply;
  if (shown === undefined) return <FormFault>{list.fault}</FormFault>;
  const choose = (reach: Reach['reach']) =>
    run(async () => {
      const put = (api: Requests) => api.put(PATH, { body: { reach } } as never) as unknown as Promise<Reach>;
      setChanged(await adminRequest(put));
    });
  const source = text.sources[shown.source];
  return (
    <>
      <p>{shown.reach === 'off' ? text.off : text.states[shown.reach]}</p>
      {shown.reach !== 'off' && shown.port !== 0 && <p class="quiet">{text.port(shown.port)}</p>}
      {source !== undefined && <p class="quiet">{text.fixed(source)}</p>}
      {source === undefined && !isFixed && (
        <dl class="reach">
          {OPEN.filter((reach) => reach !== shown.reach).map((reach) => (
            <div key={reach}>
              <dt>
                <button type="button" disabled={isBusy} onClick={() => void choose(reach)}>
                  {text.names[reach]}
                </button>
              </dt>
              <dd class="quiet">{text.states[reach]}</dd>
            </div>
          ))}
        </dl>
      )}
      <FormFault>{fault}</FormFault>
    </>
  );
}
