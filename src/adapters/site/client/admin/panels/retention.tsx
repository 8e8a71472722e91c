import { useState } from 'preact/hooks';
import type { Reply, Schemas } from '../../api.js';
import { Dialog } from '../../parts/dialog.js';
import { useNumbers } from '../../site-context.js';
import { adminRequest } from '../admin-request.js';
import { FormEnd, FormField, formValues, Table, useAction, useList } from '../form.js';
import { useAdminText } from '../text.js';
import { Time } from '../time.js';
import { daysOf, type Kept, keptOf, mayErase, periodOf } from './period.js';
import { usePanelsText } from './text.js';

type Period = number | null | 'default';
const KEPT = ['default', 'days', 'forever'] as const satisfies readonly Kept[];
type Expiring = Reply<'/v1/stations/{id}/retention', 'put'>['expiring'];

/** Shows and sets how long the rows of each station are kept. */
export function Retention() {
  const admin = useAdminText();
  const { retention: text } = usePanelsText();
  const { reply, fault, reload } = useList((api) => api.get('/v1/retention'));
  const [edited, setEdited] = useState<Schemas['Retention']>();
  const number = useNumbers();
  const shown = (period: number | null) =>
    period === null
      ? text.forever
      : text.days(number(daysOf(period), Number.isInteger(daysOf(period)) ? 0 : 2));
  return (
    <>
      <p class="quiet">{text.meaning}</p>
      {fault}
      {reply !== undefined && <p>{text.default(shown(reply.default))}</p>}
      {edited !== undefined && (
        <RetentionForm
          key={edited.station}
          edited={edited}
          onCancel={() => setEdited(undefined)}
          onSaved={() => {
            setEdited(undefined);
            void reload();
          }}
        />
      )}
      {reply !== undefined && reply.retention.length > 0 && (
        <Table label={admin.sections.retention} heads={Object.values(text.columns)}>
          {reply.retention.map((one) => (
            <tr key={one.station}>
              <th scope="row">{one.station}</th>
              <td>{shown(one.period)}</td>
              <td>{one.own ? text.own : text.inherited}</td>
              <td class="buttons">
                <button
                  type="button"
                  onClick={() => setEdited(one)}
                  aria-label={`${admin.change}: ${one.station}`}
                >
                  {admin.change}
                </button>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

/** Counts what a period would erase, and sets the period after a confirmation. */
function RetentionForm({
  edited,
  onSaved,
  onCancel,
}: {
  readonly edited: Schemas['Retention'];
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}) {
  const admin = useAdminText();
  const { retention: text } = usePanelsText();
  const [kept, setKept] = useState<string>(keptOf(edited));
  const [asked, setAsked] = useState<{ readonly period: Period; readonly expiring: Expiring }>();
  const { run, isBusy, fault } = useAction();
  const number = useNumbers();
  const send = (period: Period, isDryRun: boolean) =>
    adminRequest((api) =>
      api.put('/v1/stations/{id}/retention', {
        path: { id: edited.station },
        query: { dry_run: isDryRun },
        body: { period },
      }),
    );
  const set = async (period: Period) => {
    await send(period, false);
    onSaved();
  };
  const submit = (event: SubmitEvent) => {
    const { kept: chosen, days = '' } = formValues(event);
    const period = periodOf(chosen, days);
    void run(async () => {
      const { expiring } = await send(period, true);
      if (mayErase(edited.period, period, expiring.rows)) setAsked({ period, expiring });
      else await set(period);
    });
  };
  return (
    <form method="post" class="editor" onSubmit={submit}>
      <h3>{text.changeOf(edited.station)}</h3>
      <div class="row">
        <FormField
          name="kept"
          label={text.fields.kept}
          defaultValue={kept}
          choices={KEPT.map((choice) => [choice, text.choices[choice]])}
          onChange={setKept}
        />
        {kept === 'days' && (
          <FormField
            name="days"
            type="number"
            min={1}
            step="any"
            inputMode="decimal"
            label={text.fields.days}
            defaultValue={edited.own && edited.period !== null ? String(daysOf(edited.period)) : '3652.5'}
            required
          />
        )}
      </div>
      <FormEnd fault={fault} isBusy={isBusy} onCancel={onCancel} />
      {asked !== undefined && (
        <Dialog title={text.changeOf(edited.station)} onClose={() => setAsked(undefined)}>
          {asked.expiring.rows === 0 ? (
            <p>{text.erasesLater}</p>
          ) : (
            <p>
              {text.erases(number(asked.expiring.rows, 0), asked.expiring.estimate)}{' '}
              <Time at={asked.expiring.before} />
            </p>
          )}
          <p>{text.aggregatesKept}</p>
          <div class="buttons">
            <button
              type="button"
              class="danger"
              disabled={isBusy}
              onClick={() => {
                setAsked(undefined);
                void run(() => set(asked.period));
              }}
            >
              {text.confirm}
            </button>
            <button type="button" autofocus onClick={() => setAsked(undefined)}>
              {admin.cancel}
            </button>
          </div>
        </Dialog>
      )}
    </form>
  );
}
