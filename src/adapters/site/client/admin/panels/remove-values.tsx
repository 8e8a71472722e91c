import { useState } from 'preact/hooks';
import type { Reply } from '../../api.js';
import { Dialog } from '../../parts/dialog.js';
import { useNumbers } from '../../site-context.js';
import { adminRequest } from '../admin-request.js';
import { FormFault, FormField, formValues, useAction } from '../form.js';
import { useAdminText } from '../text.js';
import { useVariables, VariableField } from './fields.js';
import { instantOf } from './local-time.js';
import { usePanelsText } from './text.js';

type Counts = Pick<Reply<'/v1/stations/{id}/observations', 'delete'>, 'rows' | 'values'>;
interface Request {
  readonly from: string;
  readonly to: string;
  readonly variables?: string;
}

/** Removes values of a station permanently, after it has shown how many values these are. */
export function RemoveValues({ station, zone }: { readonly station: string; readonly zone: string }) {
  const admin = useAdminText();
  const { removal: text, quality } = usePanelsText();
  const variables = useVariables();
  const number = useNumbers();
  const { run, isBusy, fault, faults } = useAction(['from', 'to']);
  const [asked, setAsked] = useState<{ readonly request: Request; readonly counts: Counts }>();
  const [done, setDone] = useState('');
  const send = (request: Request, isDryRun: boolean): Promise<Counts> =>
    adminRequest((api) =>
      api.delete('/v1/stations/{id}/observations', {
        path: { id: station },
        query: { ...request, dry_run: isDryRun },
      }),
    );
  const count = (event: SubmitEvent) => {
    const { from = '', to = '', variable = '' } = formValues(event);
    const request = {
      from: instantOf(from, zone),
      to: instantOf(to, zone),
      ...(variable !== '' && { variables: variable }),
    };
    void run(async () => {
      setDone('');
      setAsked({ request, counts: await send(request, true) });
    });
  };
  const remove = (request: Request) =>
    run(async () => {
      setAsked(undefined);
      const { values } = await send(request, false);
      setDone(text.removed(number(values, 0)));
    });
  const time = { type: 'datetime-local', step: '1', required: true } as const;
  return (
    <details>
      <summary>{text.title}</summary>
      <form method="post" class="editor" onSubmit={count}>
        <VariableField variables={variables} value="" any={text.allVariables} />
        <div class="row">
          <FormField
            {...time}
            name="from"
            label={quality.from}
            hint={quality.zone(zone)}
            fault={faults['from']}
          />
          <FormField {...time} name="to" label={quality.to} hint={quality.toHint} fault={faults['to']} />
        </div>
        <FormFault>{fault}</FormFault>
        <button type="submit" disabled={isBusy}>
          {text.count}
        </button>
        <p role="status">{done}</p>
      </form>
      {asked !== undefined && (
        <Dialog title={text.title} onClose={() => setAsked(undefined)}>
          <p>{text.question(number(asked.counts.values, 0), number(asked.counts.rows, 0), station)}</p>
          <div class="buttons">
            {asked.counts.values > 0 && (
              <button
                type="button"
                class="danger"
                disabled={isBusy}
                onClick={() => void remove(asked.request)}
              >
                {admin.remove}
              </button>
            )}
            <button type="button" autofocus onClick={() => setAsked(undefined)}>
              {admin.cancel}
            </button>
          </div>
        </Dialog>
      )}
    </details>
  );
}
