import { useEffect, useState } from 'preact/hooks';
import { WeatherdError } from '../api.js';
import { elevate } from '../admin/elevated.js';
import { FormFault, FormField, InputFault, useAction } from '../admin/form.js';
import { browserClient } from '../browser-client.js';
import { signIn } from '../session.js';
import { useSite } from '../site-context.js';
import { useSetupText } from './text.js';

/** The names of fields in the messages of the API. */
const FIELDS = ['code', 'username', 'user_name', 'password', 'repeated'];
/** Errors after which no attempt with the same code can succeed. */
const ENDS = ['SETUP_ENDED', 'ADMINISTRATOR_EXISTS', 'SETUP_NOT_LOCAL'] as const;

/** The page on which the first administrator is created. */
export function Setup() {
  const { setup } = useSite();
  const [ended, setEnded] = useState<string>();
  const code = useCode();
  if (!setup || ended !== undefined) return <Ended reason={ended} />;
  return <SetupForm key={code} code={code} onEnded={setEnded} />;
}

/** The form. @param code the code of the address; undefined if the address has none, and the visitor types it */
function SetupForm({
  code,
  onEnded,
}: {
  readonly code: string | undefined;
  readonly onEnded: (error: string) => void;
}) {
  const { go } = useSite();
  const text = useSetupText();
  const { run, isBusy, fault, faults } = useAction(FIELDS);
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const field = (name: string) => (form.elements.namedItem(name) as HTMLInputElement | null)?.value ?? '';
    const [username, password] = [field('username').trim(), field('password')];
    const body = { code: code ?? field('code'), username, password };
    void run(async () => {
      if (password !== field('repeated')) throw new InputFault(`body.repeated: ${text.different}`);
      try {
        await browserClient(undefined).post('/v1/setup', { body });
      } catch (error) {
        if (!(error instanceof WeatherdError)) throw error;
        const { code: name } = error;
        if (ENDS.some((end) => end === name)) return onEnded(name);
        if (name === 'SETUP_CODE_INVALID' || name === 'RATE_LIMITED') throw new InputFault(text.wrong);
        throw error;
      }
      // If the sign-in fails, the administrator exists nevertheless, and the page of the administration asks for the password.
      await signIn(username, password, elevate).catch(() => undefined);
      go('/admin#connect');
    });
  };
  return (
    <section class="notice sign-in setup">
      <h1>{text.title}</h1>
      <p>{text.lead}</p>
      {/* Without JavaScript the button stays disabled, so that the browser never submits the password itself. */}
      <form method="post" onSubmit={submit}>
        {code === undefined && (
          <FormField
            name="code"
            label={text.code}
            hint={text.codeHint}
            fault={faults['code']}
            required
            maxLength={64}
            autocapitalize="none"
          />
        )}
        <FormField
          name="username"
          label={text.name}
          fault={faults['username'] ?? faults['user_name']}
          required
          maxLength={128}
          autocapitalize="none"
          autocomplete="username"
        />
        <FormField
          name="password"
          type="password"
          label={text.password}
          hint={text.passwordHint}
          fault={faults['password']}
          required
          autocomplete="new-password"
        />
        <FormField
          name="repeated"
          type="password"
          label={text.repeat}
          fault={faults['repeated']}
          required
          autocomplete="new-password"
        />
        <FormFault>{fault}</FormFault>
        <button type="submit" class="main" disabled={!isReady || isBusy}>
          {text.submit}
        </button>
      </form>
    </section>
  );
}

/** What to do if no administrator can be created here. @param reason code of the error; undefined if the page was opened so */
function Ended({ reason }: { readonly reason: string | undefined }) {
  const { signIn: maySignIn } = useSite();
  const text = useSetupText();
  const { ended } = text;
  return (
    <section class="notice">
      <h1>{text.title}</h1>
      {reason === 'ADMINISTRATOR_EXISTS' && <p role="alert">{ended.exists}</p>}
      {reason === 'SETUP_ENDED' && <p role="alert">{ended.over}</p>}
      {reason !== 'ADMINISTRATOR_EXISTS' && reason !== 'SETUP_ENDED' && (
        <>
          <p>{ended.closed}</p>
          <ul>
            <li>{ended.exists}</li>
            <li>{ended.over}</li>
            <li>{ended.elsewhere}</li>
          </ul>
        </>
      )}
      {maySignIn && reason !== 'SETUP_ENDED' && (
        <p>
          <a href="/admin">{ended.signIn}</a>
        </p>
      )}
    </section>
  );
}

/** The code in the fragment of the address, `#code=…`, which the page then removes from the address. */
function useCode(): string | undefined {
  const { replace } = useSite();
  const [given, setGiven] = useState<string>();
  useEffect(() => {
    const read = () => {
      const [, found] = /^#code=([\w-]{1,64})$/.exec(location.hash) ?? [];
      if (found === undefined) return;
      setGiven(found);
      replace(location.pathname);
    };
    read();
    // An address with another code, pasted while the page is open, changes only the fragment.
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return given;
}
