import { signal } from '@preact/signals-core';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Inventory, type Schemas, WeatherdError } from '../api.js';
import { browserClient } from '../browser-client.js';
import { useSignal } from '../live/use-signal.js';
import { bearerToken, session, signIn, signOut } from '../session.js';
import { Plot } from './plot.js';
import {
  type Choice,
  type Interval,
  INTERVALS,
  type Kind,
  KINDS,
  requestOf,
  type Span,
  SPANS,
  UNITS,
} from './requests.js';
import { type Series, seriesOf } from './series.js';
import { clientCallOf, curlOf, formatJson, targetOfRequest } from './snippets.js';

/** Number of characters of a reply that the panel shows. */
const MAX_SHOWN = 10_000;
/** Largest number of stations in the list. With more stations, the visitor types the id. */
const MAX_STATIONS = 1000;

type Station = Schemas['Station'];

interface Shown {
  readonly status: number;
  /** The beginning of the reply. */
  readonly text: string;
  /** Length of the formatted reply in characters, and size of the reply in bytes. */
  readonly length: number;
  readonly bytes: number;
  readonly series: readonly Series[];
  readonly kind: Kind;
}

/** What the panel could read before the visitor has sent anything. */
type Start =
  | { readonly state: 'loading' | 'sign-in' | 'empty' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly stations: readonly Station[]; readonly isComplete: boolean };

const api = browserClient(bearerToken);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the visitor has asked for the sign-in form. */
export const wantsSignIn = signal(false);

interface TryOptions {
  readonly isImperial: boolean;
  /** Called with the id of the chosen station. */
  readonly onStation: (id: string) => void;
}

/** The panel in which visitors try requests. */
export function Try(options: TryOptions) {
  const [start, setStart] = useState<Start>({ state: 'loading' });
  const user = useSignal(session)?.user;
  const isWanted = useSignal(wantsSignIn) && user === undefined;
  useEffect(() => void readStart().then(setStart), [user]);
  return (
    <>
      {user !== undefined && (
        <p class="quiet">
          Signed in as {user}.{' '}
          <button type="button" onClick={() => void signOut()}>
            Sign out
          </button>
        </p>
      )}
      {start.state === 'loading' && <p class="quiet">Reading the stations of this service …</p>}
      {start.state === 'empty' && (
        <p>
          This service has no stations yet. <code>weatherd demo</code> makes three of them.
        </p>
      )}
      {start.state === 'failed' && <p class="fault">The stations could not be read: {start.message}</p>}
      {(start.state === 'sign-in' || isWanted) && (
        <SignIn key={String(isWanted)} isRequired={start.state === 'sign-in'} hasFocus={isWanted} />
      )}
      {start.state === 'ready' && <Panel {...start} {...options} />}
    </>
  );
}

async function readStart(): Promise<Start> {
  try {
    const { stations, next } = await api.get('/v1/stations', { query: { limit: MAX_STATIONS } });
    return stations.length === 0
      ? { state: 'empty' }
      : { state: 'ready', stations, isComplete: next === null };
  } catch (error) {
    if (!(error instanceof WeatherdError)) throw error;
    return error.status === 401 ? { state: 'sign-in' } : { state: 'failed', message: error.message };
  }
}

function SignIn({ isRequired, hasFocus }: { readonly isRequired: boolean; readonly hasFocus: boolean }) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (hasFocus) form.current?.querySelector('input')?.focus();
  }, []);
  const [fault, setFault] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const field = (name: string) => data.get(name) as string;
    setBusy(true);
    setFault('');
    signIn(field('user').trim(), field('password'))
      .catch((error: unknown) => setFault((error as Error).message))
      .finally(() => setBusy(false));
  };
  return (
    <form method="post" ref={form} class="try-sign-in" onSubmit={submit}>
      <p>
        {isRequired
          ? 'This service shows its data to signed-in users.'
          : 'After the sign-in, the requests of this page show what you may see. Leaving the page ends the session.'}
      </p>
      <label>
        <span>Name or email</span>
        <input name="user" autocomplete="username" required maxLength={320} autocapitalize="none" />
      </label>
      <label>
        <span>Password</span>
        <input name="password" type="password" autocomplete="current-password" required />
      </label>
      <button type="submit" class="main" disabled={isBusy}>
        Sign in
      </button>
      <p class="fault" role="alert">
        {fault}
      </p>
    </form>
  );
}

const DEFAULT_VARIABLES = ['air_temperature', 'precipitation_amount'];

function Panel({
  stations,
  isComplete,
  isImperial,
  onStation,
}: TryOptions & { readonly stations: readonly Station[]; readonly isComplete: boolean }) {
  const [choice, setChoice] = useState<Choice>({
    kind: 'observations',
    station: stations[0]?.id ?? '',
    variables: [],
    span: '24h',
    interval: 'day',
    units: isImperial ? 'imperial' : '',
  });
  const [known, setKnown] = useState<{ readonly station: string; readonly inventory: Partial<Inventory> }>();
  const [shown, setShown] = useState<Shown | string>();
  const [isBusy, setBusy] = useState(false);
  const { kind, station, variables: chosen, span, interval, units } = choice;
  const zone = stations.find(({ id }) => id === station)?.time_zone ?? 'UTC';
  useEffect(() => {
    onStation(station);
    let isCurrent = true;
    void readInventory(station).then((found) => {
      if (!isCurrent) return;
      setKnown({ station, inventory: found });
      const measured = found.variables ?? [];
      const usual = DEFAULT_VARIABLES.filter((name) => measured.includes(name));
      setChoice((now) => {
        const kept = now.variables.filter((name) => measured.includes(name));
        return {
          ...now,
          variables: kept.length > 0 ? kept : usual.length > 0 ? usual : measured.slice(0, 1),
        };
      });
    });
    return () => {
      isCurrent = false;
    };
  }, [station]);
  // Until the inventory of the station is there, its span and its variables are not known.
  const isKnown = known?.station === station;
  const inventory = isKnown ? known.inventory : {};
  const newest = typeof inventory.last === 'string' ? Date.parse(inventory.last) : undefined;
  const request = requestOf(choice, newest, Date.now());
  const target = targetOfRequest(request);
  const address = location.origin + target;
  const change = (part: Partial<Choice>): void => setChoice((now) => ({ ...now, ...part }));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setBusy(true);
    void ask(kind, target, zone).then((found) => {
      setShown(found);
      setBusy(false);
    });
  };
  const hasStation = kind !== 'stations';
  const hasVariables = hasStation && kind !== 'latest';
  return (
    <div class="api-columns">
      <form class="try-form" onSubmit={submit}>
        <Choose
          label="Request"
          value={kind}
          options={Object.entries(KINDS)}
          onChoose={(value) => change({ kind: value as Kind })}
        />
        {hasStation &&
          (isComplete ? (
            <Choose
              label="Station"
              value={station}
              options={stations.map(({ id, name }) => [id, name === id ? id : `${name} (${id})`])}
              onChoose={(value) => change({ station: value })}
            />
          ) : (
            <label>
              <span>Id of the station</span>
              <input
                value={station}
                onChange={({ currentTarget }) => change({ station: currentTarget.value })}
              />
            </label>
          ))}
        {(kind === 'observations' || kind === 'summaries') && (
          <Choose
            label="Span"
            value={span}
            options={Object.entries(SPANS).map(([id, [label]]) => [id, label])}
            onChoose={(value) => change({ span: value as Span })}
          />
        )}
        {kind === 'summaries' && (
          <Choose
            label="Interval"
            value={interval}
            options={INTERVALS.map((id) => [id, id])}
            onChoose={(value) => change({ interval: value as Interval })}
          />
        )}
        {hasStation && (
          <Choose
            label="Units"
            value={units}
            options={Object.entries(UNITS)}
            onChoose={(value) => change({ units: value as Choice['units'] })}
          />
        )}
        {hasVariables && (
          <fieldset>
            <legend>Variables</legend>
            {(inventory.variables ?? []).map((name) => (
              <label key={name}>
                <input
                  type="checkbox"
                  checked={chosen.includes(name)}
                  onChange={({ currentTarget }) => {
                    const others = chosen.filter((other) => other !== name);
                    change({ variables: currentTarget.checked ? [...others, name] : others });
                  }}
                />{' '}
                {name}
              </label>
            ))}
          </fieldset>
        )}
        {newest !== undefined && target.includes('from=') && (
          <p class="quiet">The station has no newer values, so the span ends with its last one.</p>
        )}
        <button type="submit" class="main" disabled={isBusy || (hasStation && !isKnown)}>
          Send the request
        </button>
      </form>
      <div class="api-reply">
        <Snippet title="Address" id="try-address" text={address} />
        <details>
          <summary>As a command and in TypeScript</summary>
          <Snippet title="curl" id="try-curl" text={curlOf(address, bearerToken() !== undefined)} />
          <Snippet title="TypeScript client" id="try-client" text={clientCallOf(request)} />
        </details>
        <p role="status" class={typeof shown === 'string' ? 'fault' : 'quiet'}>
          {statusOf(shown)}
        </p>
        {typeof shown === 'object' && <ShownReply {...shown} />}
      </div>
    </div>
  );
}

function statusOf(shown: Shown | string | undefined): string {
  if (shown === undefined) return 'Send the request to see the reply and a chart.';
  if (typeof shown === 'string') return shown;
  const { status, text, length, bytes } = shown;
  const part = `, of which the first ${text.length.toLocaleString('en')} characters are shown`;
  return `Reply ${status}: ${bytes.toLocaleString('en')} bytes${length > text.length ? part : ''}.`;
}

function ShownReply({ status, text, series, kind }: Shown) {
  return (
    <div class="try-result">
      {series.map((one) => (
        <Plot key={one.variable} series={one} />
      ))}
      {status === 200 && series.length === 0 && (
        <p class="quiet">
          {kind === 'stations' || kind === 'latest'
            ? 'This reply has no values over time, so there is no chart.'
            : 'The reply has no values in this span, so there is no chart.'}
        </p>
      )}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  );
}

async function readInventory(id: string): Promise<Partial<Inventory>> {
  try {
    return (await api.get('/v1/stations/{id}', { path: { id } })).inventory ?? {};
  } catch {
    return {};
  }
}

/** Sends a request with the token of the signed-in user. @returns the reply, or a sentence that says why there is none */
async function ask(kind: Kind, target: string, zone: string): Promise<Shown | string> {
  try {
    const token = bearerToken();
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(target, { headers });
    const [{ status }, text] = [response, await response.text()];
    const reply = parse(text);
    const formatted = reply === undefined ? text : formatJson(reply);
    return {
      status,
      kind,
      text: formatted.slice(0, MAX_SHOWN),
      length: formatted.length,
      bytes: new TextEncoder().encode(text).length,
      series: status === 200 ? seriesOf(kind, reply, zone) : [],
    };
  } catch {
    return 'There was no reply from the service.';
  }
}

function Snippet({
  title,
  id,
  text,
}: {
  readonly title: string;
  readonly id: string;
  readonly text: string;
}) {
  return (
    <>
      <h3>
        {title}{' '}
        <button type="button" class="copy" aria-controls={id} aria-label={`Copy: ${title}`}>
          Copy
        </button>
      </h3>
      <pre>
        <code id={id}>{text}</code>
      </pre>
    </>
  );
}

function Choose({
  label,
  value,
  options,
  onChoose,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChoose: (value: string) => void;
}) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {options.map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
