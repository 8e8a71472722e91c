import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Reply } from '../../api.js';
import { CopyField } from '../../share/copy-field.js';
import { FormFault } from '../form.js';
import type { ListedStation } from '../station-select.js';
import { useAdminText } from '../text.js';
import { type WatchedKey, withoutCommands } from './light.js';
import { endpointsOf, type Endpoint, fieldsOf, type Make, MAKES } from './makes.js';
import { WaitingLight } from './waiting-light.js';

/** A new upload key with its secret, as the API returns it, and what to type into each kind of console or program. */
export type CreatedKey = Pick<
  Reply<'/v1/upload-keys', 'post'>,
  'upload_key' | 'key' | 'endpoints' | 'warnings'
>;

/** The console, the fields to type, and the light that waits for the first upload with a key. */
export function KeySetup({
  station,
  created,
  create,
  onAnother,
  firstNumber = 1,
  children,
}: {
  readonly station: ListedStation | undefined;
  readonly created: CreatedKey | undefined;
  /** Creates the key; absent if the key exists. */
  readonly create?: { readonly run: () => void; readonly isBusy: boolean; readonly fault: string };
  readonly onAnother: () => void;
  /** Number of the first step. */
  readonly firstNumber?: number;
  /** Steps before the console. */
  readonly children?: ComponentChildren;
}) {
  const { connect: text } = useAdminText();
  const [make, setMake] = useState<Make>();
  const [watched, setWatched] = useState<WatchedKey>();
  useEffect(() => setWatched(created && watchedKeyOf(created)), [created]);
  const isReady = station !== undefined && make !== undefined;
  return (
    <div class="connect">
      <div class="steps">
        {children}
        <Step number={firstNumber} title={text.make.title}>
          <MakeButtons chosen={make} onChosen={setMake} />
        </Step>
        {make?.needsNoKey !== true && (
          <Step number={firstNumber + 1} title={text.fields.title}>
            {created !== undefined && station !== undefined && make !== undefined && (
              <Fields key={make.name} created={created} make={make} station={station} />
            )}
            {created === undefined && !isReady && <p class="quiet">{text.fields.needsStation}</p>}
            {created === undefined && isReady && (
              <>
                <p>{text.fields.lead(station.name)}</p>
                <FormFault>{create?.fault}</FormFault>
                <button type="button" class="main" disabled={create?.isBusy} onClick={create?.run}>
                  {text.fields.create}
                </button>
              </>
            )}
          </Step>
        )}
      </div>
      {make?.needsNoKey !== true && (
        <div class="steps">
          <Step number={firstNumber + 2} title={text.light.title}>
            {watched === undefined || station === undefined ? (
              <p class="quiet">{text.light.before}</p>
            ) : (
              <WaitingLight
                key={watched.number}
                station={station}
                watched={watched}
                onApproved={setWatched}
                onAnother={onAnother}
              />
            )}
          </Step>
        </div>
      )}
    </div>
  );
}

function watchedKeyOf({ upload_key: key }: CreatedKey): WatchedKey {
  return { number: key.number, since: Date.parse(key.rotated_at ?? key.created_at) };
}

/** A numbered step. @param done what was chosen, if the step is done */
export function Step({
  number,
  title,
  done,
  children,
}: {
  readonly number: number;
  readonly title: string;
  readonly done?: string | undefined;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="step">
      <h3>
        <span class="number" aria-hidden="true">
          {number}
        </span>
        {title}
        {done !== undefined && <span class="quiet">{done}</span>}
      </h3>
      {children}
    </section>
  );
}

function MakeButtons({
  chosen,
  onChosen,
}: {
  readonly chosen: Make | undefined;
  readonly onChosen: (make: Make) => void;
}) {
  const { make: text } = useAdminText().connect;
  return (
    <>
      <div class="makes" role="group" aria-label={text.question}>
        {MAKES.map((make) => (
          <button key={make.name} type="button" aria-pressed={make === chosen} onClick={() => onChosen(make)}>
            {make.name === 'other' ? text.other : make.name}
          </button>
        ))}
      </div>
      {chosen?.name === 'Davis' && <p>{text.davis}</p>}
      {chosen?.needsNoKey === true && <p>{text.mqtt}</p>}
    </>
  );
}

/** What to type into the console: the fields of its screen in their order, each with a button that copies the value. */
function Fields({
  created,
  make,
  station,
}: {
  readonly created: CreatedKey;
  readonly make: Make;
  readonly station: ListedStation;
}) {
  const { connect: text } = useAdminText();
  const endpoints = endpointsOf(make, created.endpoints);
  const [profile, setProfile] = useState(endpoints[0]?.profile);
  const start = useRef<HTMLDivElement>(null);
  useEffect(() => start.current?.focus(), []);
  const endpoint = endpoints.find((one) => one.profile === profile);
  return (
    <div class="console-fields" tabIndex={-1} ref={start}>
      {created.warnings.map((warning) => (
        <p class="fault" key={warning}>
          {withoutCommands(warning)}
        </p>
      ))}
      {endpoints.length > 1 && (
        <div class="variants" role="group" aria-label={text.make.variant}>
          {endpoints.map((one) => (
            <button
              key={one.profile}
              type="button"
              aria-pressed={one.profile === profile}
              onClick={() => setProfile(one.profile)}
            >
              {one.make}
            </button>
          ))}
        </div>
      )}
      {endpoint !== undefined && <Endpoints endpoint={endpoint} secret={created.key} station={station} />}
    </div>
  );
}

function Endpoints({
  endpoint,
  secret,
  station,
}: {
  readonly endpoint: Endpoint;
  readonly secret: string;
  readonly station: ListedStation;
}) {
  const { connect: text, keys } = useAdminText();
  const fields = fieldsOf(endpoint, secret);
  const { text: copied = '' } = endpoint;
  const once = <p class="quiet">{text.fields.once(station.name)}</p>;
  return (
    <>
      <p>{endpoint.where}</p>
      {endpoint.missing !== undefined && <p class="fault">{endpoint.missing}</p>}
      <ul>
        {fields.map(({ name, word, value, isTyped, isSecret }) => (
          <li key={`${endpoint.profile} ${name}`}>
            {isTyped ? (
              <CopyField label={word ?? keys.form[name]} value={value} />
            ) : (
              <p>
                <span class="quiet">{word ?? keys.form[name]}</span> <b>{value}</b>
              </p>
            )}
            {isSecret && once}
          </li>
        ))}
        {copied !== '' && (
          <li>
            <CopyField
              key={endpoint.profile}
              label={text.fields.text}
              value={copied}
              rows={Math.min(16, copied.split('\n').length + 2)}
            />
            {copied.includes(secret) && once}
          </li>
        )}
      </ul>
      {endpoint.note !== undefined && <p>{endpoint.note}</p>}
    </>
  );
}
