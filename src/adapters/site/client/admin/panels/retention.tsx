import { useState } from 'preact/hooks';
import type { Reply, Schemas } from '../../api.js';
import { Dialog } from '../../parts/dialog.js';
import { useNumbers } from '../../site-context.js';
import { adminRequest } from '../admin-request.js';
import { ChangeButton, useEditor, useSave, type Version, versionOf } from '../conflict.js';
import type { Fields } from '../conflict-model.js';
import { FormEnd, FormField, formValues, FormFault, Table, useList } from '../form.js';
import { useAdminText } from '../text.js';
import { Time } from '../time.js';
import { daysOf, type Kept, keptOf, mayErase, type Period, periodOf } from './period.js';
import { usePanelsText } from './text.js';

const KEPT = ['default', 'days', 'forever'] as const satisfies readonly Kept[];
type Expiring = Reply<'/v1/stations/{id}/retention', 'put'>['expiring'];

/** Shows and sets how long the rows of each station are kept. */
export function Retention() {
  const admin = useAdminText();
  const { retention: text } = usePanelsText();
  const { reply, fault, reload } = useList((api) => api.get('/v1/retention'));
  const editor = useEditor(readRetention, toDraft, reload);
  const shown = usePeriodText();
  if (editor.form) return <RetentionForm {...editor.form} />;
  return (
    <>
      <p class="quiet">{text.meaning}</p>
      {fault}
      {reply !== undefined && <p>{text.default(shown(reply.default))}</p>}
      <FormFault>{editor.fault}</FormFault>
      <Table label={admin.sections.retention} heads={text.columns} rows={reply?.retention}>
        {(one) => (
          <tr key={one.station}>
            <th scope="row">{one.station}</th>
            <td>{shown(one.period)}</td>
            <td>{one.own ? text.own : text.inherited}</td>
            <td class="buttons">
              <ChangeButton name={one.station} change={() => editor.change(one.station)} />
            </td>
          </tr>
        )}
      </Table>
    </>
  );
}

/** Returns a function that writes a retention period as text. */
function usePeriodText(): (period: Period) => string {
  const { retention: text } = usePanelsText();
  const number = useNumbers();
  return (period) => {
    if (period === 'default') return text.choices.default;
    if (period === null) return text.forever;
    const days = daysOf(period);
    return text.days(number(days, Number.isInteger(days) ? 0 : 2));
  };
}

interface Draft extends Fields {
  readonly period: Period;
  /** The period that a stored `default` means. */
  readonly effective?: number | null;
}

function toDraft({ retention: { own, period } }: { readonly retention: Schemas['Retention'] }): Draft {
  return { period: own ? period : 'default', effective: period };
}

function readRetention(station: string): Promise<Response> {
  return adminRequest((api) => api.response('/v1/stations/{id}/retention', { path: { id: station } }));
}

/** Counts what a period would erase, and sets the period after a confirmation. */
function RetentionForm({
  name: station,
  existing = { body: { period: 'default' }, etag: null },
  onSaved,
  onCancel,
}: {
  /** Id of the station. */
  readonly name: string;
  readonly existing: Version<Draft> | undefined;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}) {
  const admin = useAdminText();
  const { retention: text } = usePanelsText();
  const { period: stored } = existing.body;
  const [kept, setKept] = useState<string>(keptOf(stored));
  const [asked, setAsked] = useState<{
    readonly draft: Draft;
    readonly base: Version<Draft>;
    readonly expiring: Expiring;
  }>();
  const number = useNumbers();
  const show = usePeriodText();
  const send = (id: string, { period }: Draft, isDryRun: boolean, header: Record<string, string> = {}) =>
    adminRequest((api) =>
      api.put('/v1/stations/{id}/retention', {
        path: { id },
        query: { dry_run: isDryRun },
        body: { period },
        header,
      }),
    );
  /** Asks before a period erases rows that `base` keeps. */
  const check = async (draft: Draft, base: Version<Draft>): Promise<boolean> => {
    const { expiring } = await send(station, draft, true);
    const isHarmless = !mayErase(base.body.effective ?? null, draft.period, expiring.rows);
    if (!isHarmless) setAsked({ draft, base, expiring });
    return isHarmless;
  };
  const { run, save, isBusy, fault, dialog } = useSave<Draft>({
    fields: [],
    read: async (id) => versionOf(await readRetention(id), toDraft),
    put: (id, draft, header) => send(id, draft, false, header),
    label: () => text.fields.kept,
    show: (period) => show(period as Period),
    onSaved,
    check,
  });
  const submit = (event: SubmitEvent) => {
    const { kept: chosen, days = '' } = formValues(event);
    const draft = { period: periodOf(chosen, days) };
    void run(async () => {
      if (await check(draft, existing)) await save(station, draft, existing);
    });
  };
  return (
    <>
      <form method="post" class="editor" onSubmit={submit}>
        <h3>{text.changeOf(station)}</h3>
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
              defaultValue={typeof stored === 'number' ? String(daysOf(stored)) : '3652.5'}
              required
            />
          )}
        </div>
        <FormEnd fault={fault} isBusy={isBusy} onCancel={onCancel} />
        {asked !== undefined && (
          <Dialog title={text.changeOf(station)} onClose={() => setAsked(undefined)}>
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
                  void run(() => save(station, asked.draft, asked.base));
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
      {dialog}
    </>
  );
}
