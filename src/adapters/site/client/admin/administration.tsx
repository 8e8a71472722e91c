import type { FunctionComponent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSignal } from '../live/use-signal.js';
import { SignIn } from '../parts/sign-in.js';
import { hasExpired, type Session, session } from '../session.js';
import { useSite } from '../site-context.js';
import { elevate } from './elevated.js';
import { PasswordDialog } from './password-dialog.js';
import { Connect } from './connect/connect.js';
import { HealthPanel } from './health.js';
import { lazyPanel } from './lazy-panel.js';
import { Keys } from './uploads/keys.js';
import { StationsPanel } from './stations.js';
import { useAdminText } from './text.js';
import { Uploads } from './uploads/uploads.js';
import { Users } from './users.js';

type Role = 'user' | 'administrator';
const EVERYBODY: readonly Role[] = ['user', 'administrator'];
const ADMINISTRATORS: readonly Role[] = ['administrator'];

// One file for all of them is a third smaller than a file for each.
const panels = () => import('./panels/all.js');
const Quality = lazyPanel(async () => (await panels()).Quality);
const Retention = lazyPanel(async () => (await panels()).Retention);
const Sessions = lazyPanel(async () => (await panels()).Sessions);
const Audit = lazyPanel(async () => (await panels()).Audit);
const Alarms = lazyPanel(async () => (await panels()).Alarms);
const Forecasts = lazyPanel(async () => (await panels()).Forecasts);
const Mappings = lazyPanel(async () => (await panels()).Mappings);
const Hooks = lazyPanel(async () => (await panels()).Hooks);
const Imports = lazyPanel(async () => (await import('./imports/imports.js')).Imports);
const Sources = lazyPanel(async () => (await panels()).Sources);
const Sensors = lazyPanel(async () => (await panels()).Sensors);
const Backups = lazyPanel(async () => (await panels()).Backups);

/** The groups of the sections, in the order of the navigation. */
const GROUPS = ['data', 'receiving', 'sending', 'people', 'service'] as const;

interface SectionDefinition {
  readonly View: FunctionComponent;
  /** The roles that see the section. The section sends no request that the API refuses to one of them. */
  readonly roles: readonly Role[];
  readonly group: (typeof GROUPS)[number];
}

const SECTIONS = {
  stations: { View: StationsPanel, roles: EVERYBODY, group: 'data' },
  imports: { View: Imports, roles: ADMINISTRATORS, group: 'data' },
  quality: { View: Quality, roles: ADMINISTRATORS, group: 'data' },
  retention: { View: Retention, roles: ADMINISTRATORS, group: 'data' },
  connect: { View: Connect, roles: ADMINISTRATORS, group: 'receiving' },
  sources: { View: Sources, roles: ADMINISTRATORS, group: 'receiving' },
  forecasts: { View: Forecasts, roles: ADMINISTRATORS, group: 'receiving' },
  keys: { View: Keys, roles: ADMINISTRATORS, group: 'receiving' },
  uploads: { View: Uploads, roles: ADMINISTRATORS, group: 'receiving' },
  sensors: { View: Sensors, roles: ADMINISTRATORS, group: 'receiving' },
  mappings: { View: Mappings, roles: ADMINISTRATORS, group: 'receiving' },
  alarms: { View: Alarms, roles: ADMINISTRATORS, group: 'sending' },
  hooks: { View: Hooks, roles: ADMINISTRATORS, group: 'sending' },
  users: { View: Users, roles: ADMINISTRATORS, group: 'people' },
  sessions: { View: Sessions, roles: EVERYBODY, group: 'people' },
  audit: { View: Audit, roles: ADMINISTRATORS, group: 'people' },
  health: { View: HealthPanel, roles: ADMINISTRATORS, group: 'service' },
  backups: { View: Backups, roles: ADMINISTRATORS, group: 'service' },
} as const satisfies Readonly<Record<string, SectionDefinition>>;
type Section = keyof typeof SECTIONS;
const NAMES = Object.keys(SECTIONS) as Section[];

/**
 * The administration page, which uses the routes of the API. A user who is no administrator sees what belongs to the user. After a
 * session has expired or was ended elsewhere, the panels are kept but hidden until the same user has typed the password again, so
 * that what was typed in a form is not lost.
 */
export function Administration() {
  const text = useAdminText();
  const user = useSignal(session);
  const kept = useRef<Session | undefined>(undefined);
  const [, setLeft] = useState({});
  if (user !== undefined || !hasExpired.peek()) kept.current = user;
  const shown = kept.current;
  if (shown === undefined) return <SignIn reason={text.signIn} prepare={elevate} />;
  const leave = () => {
    kept.current = undefined;
    setLeft({});
  };
  return (
    <>
      <Panels user={shown} isHidden={user === undefined} />
      <PasswordDialog user={shown} isSignedOut={user === undefined} onLeave={leave} />
    </>
  );
}

function Panels({ user, isHidden }: { readonly user: Session; readonly isHidden: boolean }) {
  const text = useAdminText();
  const { text: site } = useSite();
  const hash = useHash();
  const names = NAMES.filter((name) =>
    SECTIONS[name].roles.includes(user.administrator ? 'administrator' : 'user'),
  );
  const section = names.find((name) => name === hash.split('/')[0]) ?? 'stations';
  const Chosen: FunctionComponent = SECTIONS[section].View;
  const title = user.administrator ? text.title : site.session.account;
  return (
    <div class="admin" hidden={isHidden}>
      <h1>{title}</h1>
      {!user.administrator && <p>{text.notAdministrator(user.user)}</p>}
      <nav class="tabs" aria-label={title}>
        {GROUPS.map((group) => [group, names.filter((name) => SECTIONS[name].group === group)] as const)
          .filter(([, own]) => own.length > 0)
          .map(([group, own]) => (
            <div key={group} role="group" aria-labelledby={`group-${group}`}>
              <span id={`group-${group}`} class="quiet">
                {text.groups[group]}
              </span>
              {own.map((name) => (
                <a key={name} href={`#${name}`} aria-current={name === section ? 'page' : undefined}>
                  {text.sections[name]}
                </a>
              ))}
            </div>
          ))}
      </nav>
      <section>
        <h2>{text.sections[section]}</h2>
        <Chosen key={section} />
      </section>
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
