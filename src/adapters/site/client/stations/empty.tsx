import { useEffect } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import { useSignal } from '../live/use-signal.js';
import { session } from '../session.js';
import { useSite } from '../site-context.js';

const POLLING = 10 * MILLISECONDS.second;

/** The home page of a service without stations. The page is reloaded as soon as the first station exists. */
export function Empty() {
  const { text, api, command, signIn, setup, reload } = useSite();
  // A visitor who has just created the administrator is signed in, and the page still has the facts of before.
  const isSignedIn = useSignal(session) !== undefined;
  const isSetupOpen = setup && !isSignedIn;
  const { empty } = text.home;
  useEffect(() => {
    const look = async (): Promise<void> => {
      if (document.hidden) return;
      const { stations } = await api.get('/v1/observations/latest', { query: { limit: 1 } });
      if (stations.length > 0) await reload();
    };
    // Errors are ignored, because the service can be unreachable for a moment, for example during a restart.
    const timer = setInterval(() => void look().catch(() => undefined), POLLING);
    return () => clearInterval(timer);
  }, []);
  const station = `${command} station add garden --latitude 59.91 --longitude 10.75 --time-zone Europe/Oslo`;
  return (
    <section class="empty">
      <h2>{empty.title}</h2>
      <p>{empty.lead}</p>
      {signIn && <InBrowser {...(isSetupOpen ? empty.setup : empty.browser)} isSetupOpen={isSetupOpen} />}
      <details open={!signIn}>
        <summary>{empty.terminal}</summary>
        <ol>
          <GettingStartedStep title={empty.demo} commands={[`${command} demo`]} />
          <GettingStartedStep
            title={empty.import}
            commands={[station, `${command} import --station garden FILE`]}
          />
          <GettingStartedStep
            title={empty.connect}
            commands={[station, `${command} upload-key add --station garden`]}
          />
        </ol>
        {signIn && (
          <>
            <p>{empty.administrator}</p>
            <Command lines={[`${command} user add ada --administrator`]} />
          </>
        )}
      </details>
      <p class="waiting">{empty.waiting}</p>
    </section>
  );
}

/** How to begin in the browser. */
function InBrowser(props: {
  readonly title: string;
  readonly text: string;
  readonly open: string;
  readonly isSetupOpen: boolean;
}) {
  const { text } = useSite();
  return (
    <div class="card">
      <h3>{props.title}</h3>
      <p>{props.text}</p>
      <a class="button main" href={props.isSetupOpen ? '/setup' : '/admin#connect'}>
        {props.open}
      </a>{' '}
      {!props.isSetupOpen && (
        <a class="button" href="/admin#imports">
          {text.home.empty.import}
        </a>
      )}
    </div>
  );
}

function GettingStartedStep(props: { readonly title: string; readonly commands: readonly string[] }) {
  return (
    <li class="card">
      <h3>{props.title}</h3>
      <Command lines={props.commands} />
    </li>
  );
}

function Command({ lines }: { readonly lines: readonly string[] }) {
  return (
    <div class="commands">
      {lines.map((line) => (
        <pre key={line}>
          <code>{line}</code>
        </pre>
      ))}
    </div>
  );
}
