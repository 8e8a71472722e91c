import { useState } from 'preact/hooks';
import type { Schemas } from '../../api.js';
import type { SendRequest } from '../admin-request.js';
import { FormField } from '../form.js';
import { TestButton } from '../list-actions.js';
import { SettingFields } from '../setting-fields.js';
import { useSourcesText } from '../sources/text.js';
import type { StoredTarget } from './target-draft.js';
import { usePanelsText } from './text.js';

/** The choice of a target, and the settings of the chosen kind. */
export function TargetFields({
  kinds,
  stored,
  isAlarm = false,
  faults,
}: {
  readonly kinds: readonly Schemas['TargetKind'][];
  readonly stored: StoredTarget | undefined;
  /** An alarm may have no target, and its messages a template. */
  readonly isAlarm?: boolean;
  readonly faults: Readonly<Record<string, string>>;
}) {
  const { target: text } = usePanelsText();
  const { fields } = useSourcesText();
  const [target, setTarget] = useState(stored ? 'keep' : isAlarm ? 'none' : 'post');
  const kept = target === stored?.kind;
  const chosen = kinds.find(({ name }) => name === target);
  return (
    <>
      <FormField
        name="target"
        label={text.label}
        defaultValue={target}
        choices={[
          ...(isAlarm ? [['none', text.none] as const] : []),
          ...(stored ? [['keep', text.keep(stored.shown)] as const] : []),
          ['post', text.post],
          ...kinds.map(({ name, title }) => [name, title] as const),
        ]}
        onChange={setTarget}
      />
      {target === 'post' && (
        <>
          <UrlFields kept={kept} fault={faults['url']} />
          {isAlarm && (
            <SettingFields
              settings={[{ name: 'body', lines: 3, label: text.body, hint: text.bodyHint, required: false }]}
              kept={kept}
              faults={faults}
            />
          )}
        </>
      )}
      {chosen && (
        <SettingFields
          key={target}
          settings={chosen.settings.map(({ name, required }) => ({
            name,
            required,
            isSecret: name === 'secret',
            label: name === 'url' ? (required ? text.url : fields.url) : text.fields[name],
            hint: name === 'url' && required ? text.topicHint : undefined,
          }))}
          kept={kept}
          faults={faults}
        />
      )}
    </>
  );
}

/** The fields for a URL and the secret that signs the messages to it. The button fills in a random secret. */
function UrlFields({ kept, fault }: { readonly kept: boolean; readonly fault: string | undefined }) {
  const { target: text } = usePanelsText();
  const { kept: keptText } = useSourcesText();
  const [secret, setSecret] = useState('');
  return (
    <div class="fields">
      <FormField
        name="url"
        type="text"
        label={text.url}
        hint={kept ? keptText : text.urlHint}
        fault={fault}
        required={!kept}
      />
      <FormField
        key={secret}
        name="secret"
        label={text.secret}
        hint={secret !== '' ? text.secretOnce : kept ? keptText : text.secretHint}
        defaultValue={secret}
        autocomplete="off"
      />
      <button type="button" onClick={() => setSecret(randomSecret())}>
        {text.makeSecret}
      </button>
    </div>
  );
}

/** 32 random bytes as hexadecimal digits. */
function randomSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

interface TestReply {
  readonly delivered: boolean;
  readonly reason: string | null;
  readonly exchanges: readonly Schemas['TargetExchange'][];
}

/** Sends a test message, and shows whether the target has accepted it, each request and its reply. */
export function TargetTest({ name, send }: { readonly name: string; readonly send: SendRequest<TestReply> }) {
  const { target: text } = usePanelsText();
  return (
    <TestButton name={name} label={text.test} send={send}>
      {({ delivered, reason, exchanges }) => (
        <>
          <p class={delivered ? '' : 'fault'}>
            {delivered ? text.delivered : text.notDelivered(reason ?? '')}
          </p>
          {exchanges.map(({ sent, received }, index) => (
            <details key={index} open={!delivered}>
              <summary>{text.exchange}</summary>
              <pre>{sent}</pre>
              <pre>{received}</pre>
            </details>
          ))}
        </>
      )}
    </TestButton>
  );
}
