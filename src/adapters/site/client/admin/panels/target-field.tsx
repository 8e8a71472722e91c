import { useState } from 'preact/hooks';
import { adminRequest, type SendRequest } from '../admin-request.js';
import { FormField, useAction } from '../form.js';
import { usePanelsText } from './text.js';

/** The fields for a URL and the secret that signs the messages to it. The button fills in a random secret. */
export function UrlFields({ fault }: { readonly fault?: string | undefined }) {
  const { target: text } = usePanelsText();
  const [secret, setSecret] = useState('');
  return (
    <div class="fields">
      <FormField name="url" type="text" label={text.url} hint={text.urlHint} fault={fault} required />
      <FormField
        key={secret}
        name="secret"
        label={text.secret}
        hint={secret === '' ? text.secretHint : text.secretOnce}
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

/** Sends a test message, and shows whether the target has accepted it. */
export function TestButton({
  name,
  send,
}: {
  readonly name: string;
  readonly send: SendRequest<{ readonly delivered: boolean; readonly reason: string | null }>;
}) {
  const { target: text } = usePanelsText();
  const [outcome, setOutcome] = useState('');
  const { run, isBusy, fault } = useAction();
  const test = () =>
    run(async () => {
      setOutcome('');
      const { delivered, reason } = await adminRequest(send);
      setOutcome(delivered ? text.delivered : text.notDelivered(reason ?? ''));
    });
  return (
    <>
      <button
        type="button"
        disabled={isBusy}
        onClick={() => void test()}
        aria-label={`${text.test}: ${name}`}
      >
        {text.test}
      </button>
      <span role="status">{outcome === '' ? fault : outcome}</span>
    </>
  );
}
