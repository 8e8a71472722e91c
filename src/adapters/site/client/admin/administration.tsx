import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useSignal } from '../live/use-signal.js';
import { SignIn } from '../parts/sign-in.js';
import { session } from '../session.js';
import { useSite } from '../site-context.js';
import { elevate } from './elevated.js';
import { ElevationDialog } from './elevation.js';
import { HealthPanel } from './health.js';
import { Keys } from './uploads/keys.js';
import { StationsPanel } from './stations.js';
import { useAdminText } from './text.js';
import { Uploads } from './uploads/uploads.js';
import { Users } from './users.js';

type Role = 'user' | 'administrator';
const EVERYBODY: readonly Role[] = ['user', 'administrator'];
const ADMINISTRATORS: readonly Role[] = ['administrator'];

/** The sections with the roles that see them. A section sends no request that the API refuses to one of its roles. */
const SECTIONS = {
  stations: { View: StationsPanel, roles: EVERYBODY },
  users: { View: Users, roles: ADMINISTRATORS },
  keys: { View: Keys, roles: ADMINISTRATORS },
  uploads: { View: Uploads, roles: ADMINISTRATORS },
  health: { View: HealthPanel, roles: ADMINISTRATORS },
} as const;
type Section = keyof typeof SECTIONS;
const NAMES = Object.keys(SECTIONS) as Section[];

/** The administration page, which uses the routes of the API. A user who is no administrator sees what belongs to the user. */
export function Administration() {
  const text = useAdminText();
  const { text: site } = useSite();
  const hash = useHash();
  const user = useSignal(session);
  if (user === undefined) return <SignIn reason={text.signIn} prepare={elevate} />;
  const names = NAMES.filter((name) =>
    SECTIONS[name].roles.includes(user.administrator ? 'administrator' : 'user'),
  );
  const section = names.find((name) => name === hash) ?? 'stations';
  const Chosen: FunctionComponent = SECTIONS[section].View;
  const title = user.administrator ? text.title : site.session.account;
  return (
    <div class="admin">
      <h1>{title}</h1>
      {!user.administrator && <p>{text.notAdministrator(user.user)}</p>}
      <nav class="tabs" aria-label={title}>
        {names.map((name) => (
          <a key={name} href={`#${name}`} aria-current={name === section ? 'page' : undefined}>
            {text.sections[name]}
          </a>
        ))}
      </nav>
      <section>
        <h2>{text.sections[section]}</h2>
        <Chosen key={section} />
      </section>
      <ElevationDialog />
    </div>
  );
}

/** What the URL names after `#`. A change of the section does not reload the page, so the session continues. */
function useHash(): string {
  const [hash, setHash] = useState('');
  useEffect(() => {
    const read = () => setHash(location.hash.slice(1));
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return hash;
}
