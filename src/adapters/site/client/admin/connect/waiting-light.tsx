import { useEffect, useRef, useState } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import { WeatherdError, type Reply } from '../../api.js';
import { browserClient } from '../../browser-client.js';
import { currentTime } from '../../live/server-clock.js';
import { follow } from '../../live/follow.js';
import { displayUnit } from '../../format/units.js';
import { useNumbers, useSite } from '../../site-context.js';
import { adminRequest } from '../admin-request.js';
import { ConfirmedButton } from '../dialog.js';
import { dropElevation, elevatedToken } from '../elevated.js';
import { FormFault, FormField, formValues, InputFault, useAction } from '../form.js';
import type { ListedStation } from '../station-select.js';
import { useAdminText } from '../text.js';
import { Time } from '../time.js';
import {
  arrivedValues,
  type Light,
  type LightState,
  lightOf,
  lowBatteries,
  oddities,
  type Sender,
  strangers,
  type UploadStatus,
  waitParts,
  type WatchedKey,
} from './light.js';

/** Milliseconds between two requests for what events do not carry: refused uploads, and senders without a key. */
const POLLING = 2 * MILLISECONDS.second;

type Latest = Reply<'/v1/stations/{id}/observations/latest', 'get'>;

interface Heard {
  /** Undefined while the rights to read it have expired. */
  readonly status?: UploadStatus;
  readonly pending: readonly Sender[];
  readonly latest?: Latest;
}

/** The light of a key: waits for the first upload, and names what arrived. */
export function WaitingLight({
  station,
  watched,
  secret,
  onApproved,
  onConnected,
}: {
  readonly station: ListedStation;
  readonly watched: WatchedKey;
  /** The secret of the key, if the page knows it. */
  readonly secret: string | undefined;
  readonly onApproved: (key: WatchedKey) => void;
  readonly onConnected: (isConnected: boolean) => void;
}) {
  const { connect } = useAdminText();
  const { light: text } = connect;
  const heard = useHeard(station.id, watched);
  const light = lightOf(watched, heard?.status, heard?.latest?.latest);
  const isDone = light.state === 'connected' || light.state === 'arrived';
  useEffect(() => onConnected(isDone), [isDone]);
  return (
    <>
      <article class={`card waiting-light ${light.state}`}>
        <header>
          <LightMark state={light.state} />
          <div>
            {/* Screen readers read the state when it changes, and not each second. */}
            <div role="status">
              <h4>{text.states[light.state]}</h4>
            </div>
            <p class="quiet">
              {isDone ? <Sight light={light} status={heard?.status} /> : <Wait since={watched.since} />}
            </p>
          </div>
        </header>
        {light.state === 'refused' && (
          <p class="fault">
            {text.refused} {light.reason}
          </p>
        )}
        {isDone && heard?.latest !== undefined && <Arrived latest={heard.latest} watched={watched} />}
        {isDone && heard?.status !== undefined && <ToKnow status={heard.status} />}
        {!isDone && heard !== undefined && (
          <Waiting heard={heard} station={station} watched={watched} onApproved={onApproved} />
        )}
        {!isDone && secret !== undefined && <TryFromHere station={station} secret={secret} />}
        {heard !== undefined && heard.status === undefined && <Resume watched={watched} />}
      </article>
      {!isDone && <p class="quiet">{text.close}</p>}
    </>
  );
}

/** A ring while nothing was heard; a disc with a tick after an upload; a cross after a refusal. */
export function LightMark({ state }: { readonly state: LightState }) {
  const drawing = { waiting: 'M0 0H0', refused: 'M-5-5 5 5M5-5-5 5', arrived: TICK, connected: TICK }[state];
  return (
    <svg class={`light-mark ${state}`} viewBox="-16 -16 32 32" width="40" height="40" aria-hidden="true">
      <circle r="14" />
      <path d={drawing} />
    </svg>
  );
}

const TICK = 'M-7 0-2 6 7-6';

function Wait({ since }: { readonly since: number }) {
  const { light: text } = useAdminText().connect;
  const [now, setNow] = useState(currentTime());
  useEffect(() => {
    const timer = setInterval(() => setNow(currentTime()), MILLISECONDS.second);
    return () => clearInterval(timer);
  }, []);
  return <>{text.since(text.wait(...waitParts(now - since)))}</>;
}

/** When the upload arrived, and from which console. */
function Sight({ light, status }: { readonly light: Light; readonly status: UploadStatus | undefined }) {
  const { light: text } = useAdminText().connect;
  const { model, firmware, address } = status ?? {};
  const facts = [model, firmware && text.firmware(firmware), address];
  return (
    <>
      <Time at={light.at === undefined ? null : new Date(light.at).toISOString()} />
      {facts.map((fact) => (fact ? ` · ${fact}` : ''))}
    </>
  );
}

function Arrived({ latest, watched }: { readonly latest: Latest; readonly watched: WatchedKey }) {
  const { text: site, preferences } = useSite();
  const { light: text } = useAdminText().connect;
  const number = useNumbers();
  const format = (variable: string, metric: string, value: number) => {
    const { unit, decimals, convert } = displayUnit(variable, metric, preferences.units);
    // Numbers without a unit, such as the UV index, have the unit `1`.
    const separator = unit === '°' ? '' : ' ';
    return `${number(convert(value), decimals)}${separator}${unit === '1' ? '' : unit}`.trim();
  };
  const values = arrivedValues(latest.latest, watched);
  const units: Readonly<Record<string, string>> = latest.units;
  if (values.length === 0) return <p>{text.nothingStored}</p>;
  return (
    <>
      <h5>{text.arrived(values.length)}</h5>
      <dl class="arrived">
        {values.map(([variable, { value }]) => (
          <div key={variable}>
            <dt>{site.variables[variable] ?? site.charts.variables[variable] ?? variable}</dt>
            <dd>{format(variable, units[variable] ?? '', value)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** What was left out and what is odd. */
function ToKnow({ status }: { readonly status: UploadStatus }) {
  const { connect, uploads } = useAdminText();
  const { light: text } = connect;
  const fields = status.unmapped.map(({ field, value }) => `${field} = ${value}`).join(', ');
  const batteries = lowBatteries(status).join(', ');
  const skew = status.clock_skew ?? 0;
  const sentences = [
    ...(batteries === '' ? [] : [text.batteries(batteries)]),
    ...(status.dialect === 'api' ? [text.fromScript] : []),
    ...(skew === 0 ? [] : [uploads.clock(skew)]),
    ...oddities(status),
  ];
  if (sentences.length === 0 && fields === '') return null;
  return (
    <>
      <h5>{text.toKnow}</h5>
      <ul>
        {fields !== '' && (
          <li>
            {text.leftOut(fields)} <a href="#mappings">{text.keep}</a>
          </li>
        )}
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  );
}

/** What was heard although nothing has arrived, and what to try. */
function Waiting({
  heard,
  station,
  watched,
  onApproved,
}: {
  readonly heard: Heard;
  readonly station: ListedStation;
  readonly watched: WatchedKey;
  readonly onApproved: (key: WatchedKey) => void;
}) {
  const { connect, uploads, pending } = useAdminText();
  const { light: text } = connect;
  const approve = async (id: string) => {
    const options = { path: { id }, body: { station: station.id } };
    const { upload_key: key } = await adminRequest((api) =>
      api.post('/v1/uploads/pending/{id}/approve', options),
    );
    onApproved({ number: key.number, since: Date.parse(key.created_at) });
  };
  const others = strangers(heard.pending, watched);
  return (
    <>
      {heard.status !== undefined && (
        <>
          <h5>{text.heard}</h5>
          {heard.status.uses_previous && <p class="fault">{uploads.usesPrevious}</p>}
          {others.length === 0 && !heard.status.uses_previous && <p class="quiet">{text.nothing}</p>}
          {others.map((sender) => {
            const { id, model, address, count, readings, sent_id: sentId, approvable: isApprovable } = sender;
            const name = model === null ? address : `${model}, ${address}`;
            if (sender.wrong_key) return <p key={id}>{text.wrongKey(count, name)}</p>;
            return (
              <p key={id}>
                {sentId === null ? text.stranger(count, name) : text.unknownId(count, name, sentId)}{' '}
                {isApprovable && (
                  <ConfirmedButton
                    label={text.mine}
                    confirm={pending.approve}
                    question={`${[name, ...readings].join(' · ')}. ${pending.weak}`}
                    act={() => approve(id)}
                  />
                )}
              </p>
            );
          })}
        </>
      )}
      <h5>{text.hintsTitle}</h5>
      <ul>
        {text.hints.map((hint) => (
          <li key={hint}>{hint}</li>
        ))}
      </ul>
    </>
  );
}

/** Sends a value with the key from this browser, for an owner who has no console at hand. */
function TryFromHere({ station, secret }: { readonly station: ListedStation; readonly secret: string }) {
  const { preferences } = useSite();
  const { light: text } = useAdminText().connect;
  const { run, isBusy, fault, faults } = useAction(['air_temperature']);
  const { unit } = displayUnit('air_temperature', '°C', preferences.units);
  const send = (event: SubmitEvent) => {
    const { air_temperature: typed = '' } = formValues(event);
    const body = {
      time: [new Date(currentTime()).toISOString()],
      air_temperature: [Number(typed)],
      units: { air_temperature: unit },
    };
    void run(async () => {
      const { rejections } = await browserClient(secret).post('/v1/stations/{id}/observations', {
        path: { id: station.id },
        body,
      });
      for (const { reason } of rejections) throw new InputFault(`body.air_temperature: ${reason}`);
    });
  };
  return (
    <details>
      <summary>{text.tryTitle}</summary>
      <form method="post" class="try-send" onSubmit={send}>
        <FormField
          name="air_temperature"
          type="number"
          step="any"
          inputMode="decimal"
          label={`${text.tryLabel} (${unit})`}
          hint={text.tryLead}
          fault={faults['air_temperature']}
          required
        />
        <FormFault>{fault}</FormFault>
        <button type="submit" disabled={isBusy}>
          {text.trySend}
        </button>
      </form>
    </details>
  );
}

/** Asks for the password again, which shows what was heard. */
function Resume({ watched }: { readonly watched: WatchedKey }) {
  const { light: text } = useAdminText().connect;
  const { run, isBusy, fault } = useAction();
  const resume = () =>
    run(() => adminRequest((api) => api.get('/v1/uploads', { query: { key: watched.number } })));
  return (
    <>
      <p class="quiet">{text.lapsed}</p>
      {fault !== '' && <p class="fault">{fault}</p>}
      <button type="button" disabled={isBusy} onClick={() => void resume()}>
        {text.resume}
      </button>
    </>
  );
}

/**
 * What the service has heard, read again after each event of the station and every two seconds, until the first upload has
 * arrived. It never asks for the password: without the rights of an administrator, only the newest values of the station are read.
 */
function useHeard(station: string, watched: WatchedKey): Heard | undefined {
  const { api } = useSite();
  const [heard, setHeard] = useState<Heard>();
  const isDone = useRef(false);
  useEffect(() => {
    let isShown = true;
    let timer: number | undefined;
    let isLooking = false;
    const look = async (): Promise<void> => {
      if (isLooking) return;
      isLooking = true;
      try {
        const status = await readStatus(watched.number);
        const [pending, latest] = await Promise.all([
          status === undefined ? [] : readPending(),
          api.get('/v1/stations/{id}/observations/latest', { path: { id: station } }),
        ]);
        if (!isShown) return;
        setHeard({ ...(status && { status }), pending, latest });
        isDone.current = lightOf(watched, status, latest.latest).state === 'connected';
      } catch (error) {
        // The service may be away for a moment.
        if (!(error instanceof WeatherdError)) throw error;
      } finally {
        isLooking = false;
      }
    };
    const tick = async (): Promise<void> => {
      if (!document.hidden && !isDone.current) await look();
      if (isShown) timer = window.setTimeout(() => void tick(), POLLING);
    };
    void tick();
    const end = follow(api, { stations: station }, { changed: () => void look(), reread: look });
    return () => {
      isShown = false;
      clearTimeout(timer);
      end();
    };
  }, [station, watched]);
  return heard;
}

/** The status of a key; undefined if the rights to read it have expired. @throws WeatherdError */
async function readStatus(key: number): Promise<UploadStatus | undefined> {
  return withElevation(async (token) => {
    const { uploads } = await browserClient(token).get('/v1/uploads', { query: { key } });
    return uploads[0];
  });
}

async function readPending(): Promise<readonly Sender[]> {
  const read = async (token: string) => (await browserClient(token).get('/v1/uploads/pending')).pending;
  return (await withElevation(read)) ?? [];
}

/** Calls `read` with the elevated token. @returns undefined without a valid one @throws WeatherdError */
async function withElevation<T>(read: (token: string) => Promise<T>): Promise<T | undefined> {
  const token = elevatedToken();
  if (token === undefined) return undefined;
  try {
    return await read(token);
  } catch (error) {
    if (!(error instanceof WeatherdError) || !error.code.startsWith('AUTH_')) throw error;
    dropElevation(token);
    return undefined;
  }
}
