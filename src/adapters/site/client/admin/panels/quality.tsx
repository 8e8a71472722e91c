import { useEffect, useRef, useState } from 'preact/hooks';
import type { Reply, Schemas } from '../../api.js';
import { useVariableNames } from '../../parts/variable-names.js';
import { Compared, Finding } from '../../sections/notices/notice-sentence.js';
import type { Notice } from '../../sections/notices/finding.js';
import { useNumbers } from '../../site-context.js';
import { adminRequest } from '../admin-request.js';
import { ConfirmedButton } from '../dialog.js';
import { FormFault, FormField, formValues, Table, useAction, useList } from '../form.js';
import { stationOfHash } from '../hash-station.js';
import { StationSelect } from '../station-select.js';
import { useAdminText } from '../text.js';
import { Time } from '../time.js';
import { useVariables, VariableField } from './fields.js';
import { instantOf, localOf } from './local-time.js';
import { RemoveValues } from './remove-values.js';
import { usePanelsText } from './text.js';

type Shift = Reply<'/v1/stations/{id}/lasting-steps', 'get'>['steps'][number];

/** Values to mark, as the form of a quality override shows them. */
interface Suggestion {
  readonly variable: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

/**
 * Quality overrides, notices and level shifts of a station, and the removal of its values. The station that the URL names, as in
 * `#quality/garden`, is chosen first.
 */
export function Quality() {
  const { quality: text, station: label } = usePanelsText();
  const [station, setStation] = useState(() => stationOfHash('quality') ?? '');
  return (
    <>
      <p class="quiet">{text.meaning}</p>
      <StationSelect label={label} initial={station} onChange={setStation} />
      {station !== '' && <OfStation key={station} station={station} />}
    </>
  );
}

function OfStation({ station }: { readonly station: string }) {
  const { quality: text } = usePanelsText();
  const about = useList((api) => api.get('/v1/stations/{id}', { path: { id: station } }));
  const overrides = useList((api) => api.get('/v1/stations/{id}/overrules', { path: { id: station } }));
  const [suggestion, setSuggestion] = useState<Suggestion>();
  const zone = about.reply?.station.time_zone;
  if (zone === undefined) return <>{about.fault}</>;
  const last = about.reply?.inventory?.last ?? null;
  const suggest = (variable: string, since: string, until: string | null, reason: string) => {
    // The end is not included, so the last value of the station needs a second more.
    const end = until ?? new Date(Date.parse(last ?? since) + 1000).toISOString();
    setSuggestion({ variable, from: localOf(since, zone), to: localOf(end, zone), reason });
  };
  return (
    <>
      <OverrideForm
        key={JSON.stringify(suggestion)}
        station={station}
        zone={zone}
        suggestion={suggestion}
        onSaved={() => {
          setSuggestion(undefined);
          void overrides.reload();
        }}
      />
      <h3>{text.overrides}</h3>
      {overrides.fault}
      {overrides.reply !== undefined && (
        <Overrides
          station={station}
          zone={zone}
          overrides={overrides.reply.overrules}
          reload={overrides.reload}
        />
      )}
      <h3>{text.notices}</h3>
      <Notices
        station={station}
        zone={zone}
        onMark={({ kind, variable, since, until }) => suggest(variable, since, until, kind)}
      />
      <h3>{text.shifts}</h3>
      <p class="quiet">{text.shiftsMeaning}</p>
      <Shifts
        zone={zone}
        station={station}
        onMark={({ variable, time, returned }) => suggest(variable, time, returned, text.shiftReason)}
      />
      <RemoveValues station={station} zone={zone} />
    </>
  );
}

/** The form that marks values as bad or as good. */
function OverrideForm({
  station,
  zone,
  suggestion,
  onSaved,
}: {
  readonly station: string;
  readonly zone: string;
  readonly suggestion: Suggestion | undefined;
  readonly onSaved: () => void;
}) {
  const { quality: text } = usePanelsText();
  const variables = useVariables();
  const { run, isBusy, fault, faults } = useAction(['variable', 'from', 'to', 'reason']);
  const submit = (event: SubmitEvent) => {
    const { variable = '', from = '', to = '', verdict, reason = '' } = formValues(event);
    const body = {
      variable,
      from: instantOf(from, zone),
      to: instantOf(to, zone),
      verdict: verdict === 'good' ? ('good' as const) : ('bad' as const),
      reason,
    };
    void run(async () => {
      await adminRequest((api) => api.post('/v1/stations/{id}/overrules', { path: { id: station }, body }));
      onSaved();
    });
  };
  const form = useRef<HTMLFormElement>(null);
  // The button that fills in the form may be far below it.
  useEffect(() => {
    if (suggestion !== undefined) form.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const time = { type: 'datetime-local', step: '1', required: true } as const;
  return (
    <form method="post" class="editor" onSubmit={submit} ref={form}>
      <h3>{text.add}</h3>
      <div class="row">
        <VariableField variables={variables} value={suggestion?.variable ?? 'air_temperature'} />
        <FormField
          name="verdict"
          label={text.verdict}
          choices={(['bad', 'good'] as const).map((verdict) => [verdict, text.verdicts[verdict]])}
        />
      </div>
      <div class="row">
        <FormField
          {...time}
          name="from"
          label={text.from}
          hint={text.zone(zone)}
          fault={faults['from']}
          defaultValue={suggestion?.from ?? ''}
        />
        <FormField
          {...time}
          name="to"
          label={text.to}
          hint={text.toHint}
          fault={faults['to']}
          defaultValue={suggestion?.to ?? ''}
        />
      </div>
      <FormField
        name="reason"
        label={text.reason}
        fault={faults['reason']}
        defaultValue={suggestion?.reason ?? ''}
        required
      />
      <FormFault>{fault}</FormFault>
      <button type="submit" class="main" disabled={isBusy}>
        {text.add}
      </button>
    </form>
  );
}

/** Number of overrides that are shown at first. An import of a century may have thousands. */
const MAX_SHOWN = 100;
/** Overrides with such ids are of imports. Those of persons are shown first. */
const isOfImport = ({ id }: Schemas['Overrule']) => id.startsWith('import-');

function Overrides({
  station,
  zone,
  overrides,
  reload,
}: {
  readonly station: string;
  readonly zone: string;
  readonly overrides: readonly Schemas['Overrule'][];
  readonly reload: () => Promise<void>;
}) {
  const admin = useAdminText();
  const { quality: text } = usePanelsText();
  const nameOf = useVariableNames();
  const [shown, setShown] = useState(MAX_SHOWN);
  const remove = async (overrule: string) => {
    await adminRequest((api) =>
      api.delete('/v1/stations/{id}/overrules/{overrule}', { path: { id: station, overrule } }),
    );
    await reload();
  };
  if (overrides.length === 0) return <p>{text.none}</p>;
  const all = overrides.toSorted((a, b) => Number(isOfImport(a)) - Number(isOfImport(b)));
  return (
    <>
      <Table label={text.overrides} heads={text.columns} rows={all.slice(0, shown)}>
        {(override) => (
          <tr key={override.id}>
            <th scope="row">{nameOf(override.variable)}</th>
            <td>
              <Time at={override.from} zone={zone} />
            </td>
            <td>
              <Time at={override.to} zone={zone} />
            </td>
            <td>{text.verdicts[override.verdict]}</td>
            <td class="text">{override.reason}</td>
            <td>
              {override.made_by ?? '–'}, <Time at={override.made_at} zone={zone} />
            </td>
            <td class="buttons">
              <ConfirmedButton
                label={admin.remove}
                question={text.removeQuestion}
                act={() => remove(override.id)}
              />
            </td>
          </tr>
        )}
      </Table>
      {all.length > shown && (
        <button type="button" onClick={() => setShown(2 * shown)}>
          {admin.more}
        </button>
      )}
    </>
  );
}

/** All notices of a station, with a button that fills in the form of a quality override. */
function Notices({
  station,
  zone,
  onMark,
}: {
  readonly station: string;
  readonly zone: string;
  readonly onMark: (notice: Notice) => void;
}) {
  const { quality: text } = usePanelsText();
  const nameOf = useVariableNames();
  const { reply, fault } = useList((api) => api.get('/v1/stations/{id}/notices', { path: { id: station } }));
  if (reply === undefined) return <>{fault}</>;
  const { searched_at: searchedAt, notices } = reply;
  const { variable, actions } = text.columns;
  return (
    <>
      <p>
        {text.searched} {searchedAt === null ? '–' : <Time at={searchedAt} />}
      </p>
      <Table
        label={text.notices}
        heads={[variable, text.from, text.to, text.notices, actions]}
        rows={notices}
      >
        {(notice) => (
          <tr key={`${notice.kind} ${notice.variable} ${notice.since}`}>
            <th scope="row">{nameOf(notice.variable)}</th>
            <td>
              <Time at={notice.since} zone={zone} />
            </td>
            <td>{notice.until === null ? text.lasts : <Time at={notice.until} zone={zone} />}</td>
            <td class="text">
              <Finding notice={notice} />
              <Compared notice={notice} />
            </td>
            <td class="buttons">
              <button type="button" onClick={() => onMark(notice)}>
                {text.mark}
              </button>
            </td>
          </tr>
        )}
      </Table>
    </>
  );
}

/** The level shifts of a station, with a button that fills in the form of a quality override. */
function Shifts({
  station,
  zone,
  onMark,
}: {
  readonly station: string;
  readonly zone: string;
  readonly onMark: (shift: Shift) => void;
}) {
  const admin = useAdminText();
  const { quality: text } = usePanelsText();
  const nameOf = useVariableNames();
  const number = useNumbers();
  const [page, setPage] = useState<{ readonly cursor?: string }>({});
  const { reply, fault } = useList(
    (api) =>
      api.get('/v1/stations/{id}/lasting-steps', {
        path: { id: station },
        query: { limit: SEARCHED_ROWS, ...page },
      }),
    page,
  );
  return (
    <>
      {fault}
      {reply !== undefined && (
        <p>
          {text.searched} <Time at={reply.from} zone={zone} /> – <Time at={reply.to} zone={zone} />.{' '}
          {text.found(reply.steps.length)}
        </p>
      )}
      <Table label={text.shifts} heads={text.shiftColumns} rows={reply?.steps}>
        {(shift) => (
          <tr key={`${shift.variable} ${shift.time}`}>
            <th scope="row">{nameOf(shift.variable)}</th>
            <td>
              <Time at={shift.time} zone={zone} />
            </td>
            <td>
              {shift.change > 0 ? '+' : ''}
              {number(shift.change, 1)} {shift.unit}
            </td>
            <td>{shift.returned === null ? text.lasts : <Time at={shift.returned} zone={zone} />}</td>
            <td class="buttons">
              <button type="button" onClick={() => onMark(shift)}>
                {text.mark}
              </button>
            </td>
          </tr>
        )}
      </Table>
      {typeof reply?.next === 'string' && (
        <button type="button" onClick={() => setPage({ cursor: reply.next as string })}>
          {admin.more}
        </button>
      )}
    </>
  );
}

/** Number of rows that one request searches. */
const SEARCHED_ROWS = 50_000;
