import { useState } from 'preact/hooks';
import { AUDIT_ACTIONS, type AuditAction } from '#domain/accounts/audit-actions.js';
import type { Reply } from '../../api.js';
import { adminRequest } from '../admin-request.js';
import { FormFault, FormField, formValues, Table, useAction, useList } from '../form.js';
import { useAdminText } from '../text.js';
import { Time } from '../time.js';
import { detailText } from './audit-detail.js';
import { instantOf } from './local-time.js';
import { usePanelsText } from './text.js';

interface Query {
  readonly actor?: string;
  readonly action?: AuditAction;
  readonly from?: string;
  readonly to?: string;
}
type Page = Pick<Reply<'/v1/audit', 'get'>, 'events' | 'next'>;

/** Number of events that one request reads. */
const PAGE = 50;

/** Shows the audit trail, newest first, with filters. */
export function Audit() {
  const admin = useAdminText();
  const { audit: text } = usePanelsText();
  const [query, setQuery] = useState<Query>({});
  const [older, setOlder] = useState<readonly Page[]>([]);
  const { reply, fault } = useList(
    (api) => api.get('/v1/audit', { query: { ...query, limit: PAGE } }),
    query,
  );
  const { run, isBusy, fault: moreFault } = useAction();
  const pages = reply === undefined ? [] : [reply, ...older];
  const next = pages.at(-1)?.next ?? null;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const filter = (event: SubmitEvent) => {
    const { from = '', to = '', ...others } = formValues(event);
    const startOf = (day: string) => day && instantOf(`${day}T00:00`, zone);
    const entered = Object.entries({ ...others, from: startOf(from), to: startOf(to) });
    setOlder([]);
    setQuery(Object.fromEntries(entered.filter(([, value]) => value !== '')));
  };
  const more = (cursor: string) =>
    run(async () => {
      const page = await adminRequest((api) =>
        api.get('/v1/audit', { query: { ...query, limit: PAGE, cursor } }),
      );
      setOlder([...older, page]);
    });
  const events = pages.flatMap((page) => page.events);
  return (
    <>
      <form method="get" class="editor" onSubmit={filter}>
        <div class="row">
          <FormField name="actor" label={text.fields.actor} autocapitalize="none" />
          <FormField
            name="action"
            label={text.fields.action}
            choices={[
              ['', text.anyAction],
              ...AUDIT_ACTIONS.map((action) => [action, text.actions[action] ?? action] as const),
            ]}
          />
          <FormField name="from" type="date" label={text.fields.from} />
          <FormField name="to" type="date" label={text.fields.to} />
        </div>
        <p class="quiet">{text.zone(zone)}</p>
        <button type="submit" class="main">
          {text.filter}
        </button>
      </form>
      {fault}
      <FormFault>{moreFault}</FormFault>
      <Table
        label={admin.sections.audit}
        heads={text.columns}
        rows={reply && events}
        none={next === null ? text.none : undefined}
      >
        {(event) => (
          <tr key={event.number}>
            <td>
              <Time at={event.time} />
            </td>
            <td>{event.actor ?? '–'}</td>
            <td>{text.actions[event.action] ?? event.action}</td>
            <td class={event.outcome === 'done' ? undefined : 'state failed'}>
              {text.outcomes[event.outcome] ?? event.outcome} {event.count > 1 && `× ${event.count}`}
            </td>
            <td class="text">{event.subject ?? '–'}</td>
            <td>{event.address ?? '–'}</td>
            <td class="text">{detailText(event.detail)}</td>
          </tr>
        )}
      </Table>
      {next !== null && (
        <button type="button" disabled={isBusy} onClick={() => void more(next)}>
          {admin.more}
        </button>
      )}
    </>
  );
}
