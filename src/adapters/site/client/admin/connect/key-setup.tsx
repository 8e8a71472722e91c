import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Reply } from '../../api.js';
import { CopyField } from '../../share/copy-field.js';
import { FormFault } from '../form.js';
import type { ListedStation } from '../station-select.js';
import { useAdminText } from '../text.js';
import { FirstPicture } from './first-picture.js';
import { type WatchedKey, withoutCommands } from './light.js';
import { endpointsOf, type Endpoint, fieldsOf, type Make, MAKES } from './makes.js';
import { Step } from './step.js';
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
  const [isChoosing, setChoosing] = useState(false);
  const [isConnected, setConnected] = useState(false);
  /** Whether the fields are shown although the console is connected. */
  const [isReading, setReading] = useState(false);
  useEffect(() => {
    setWatched(created && watchedKeyOf(created));
    setConnected(false);
    setReading(false);
  }, [created]);
  const isReady = station !== undefined && make !== undefined;
  return (
    <div class="connect">
      <div class="steps">
        {children}
        <Step
          number={firstNumber}
          title={text.make.title}
          done={
            isChoosing || make === undefined || make.needsNoKey === true ? undefined : nameOf(make, text.make)
          }
          onChange={() => setChoosing(true)}
        >
          <MakeButtons
            chosen={make}
            onChosen={(chosen) => {
              setMake(chosen);
              setChoosing(false);
            }}
          />
        </Step>
        {make?.needsNoKey !== true && (
          <Step
            number={firstNumber + 1}
            title={text.fields.title}
            done={isConnected && !isReading ? text.fields.done : undefined}
            onChange={() => setReading(true)}
          >
            {make?.name === 'Davis' && <p>{text.make.davis}</p>}
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
        {isConnected && station !== undefined && <FirstPicture key={station.id} station={station} />}
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
                secret={watched.number === created?.upload_key.number ? created.key : undefined}
                onApproved={setWatched}
                onConnected={setConnected}
              />
            )}
            {created !== undefined && (
              <button type="button" onClick={onAnother}>
                {text.light.another}
              </button>
            )}
          </Step>
        </div>
      )}
    </div>
  );
}

function nameOf({ name }: Make, { other }: { readonly other: string }): string {
  return name === 'other' ? other : name;
}

function watchedKeyOf({ upload_key: key }: CreatedKey): WatchedKey {
  return { number: key.number, since: Date.parse(key.rotated_at ?? key.created_at) };
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
            {nameOf(make, text)}
          </button>
        ))}
      </div>
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
