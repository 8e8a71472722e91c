import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useSignal } from '../live/use-signal.js';
import { SignIn } from '../parts/sign-in.js';
import { session } from '../session.js';
import { elevate } from './elevated.js';
import { ElevationDialog } from './elevation.js';
import { HealthPanel } from './health.js';
import { Keys } from './uploads/keys.js';
import { StationsPanel } from './stations.js';
import { useAdminText } from './text.js';
import { Uploads } from './uploads/uploads.js';
import { Users } from './users.js';

const SECTIONS = {
  stations: StationsPanel,
  users: Users,
  keys: Keys,
  uploads: Uploads,
  health: HealthPanel,
} as const;
type Section = keyof typeof SECTIONS;
const NAMES = Object.keys(SECTIONS) as Section[];

/** The administration page. It uses the routes of the API. */
export function Administration() {
  const text = useAdminText();
  const section = useHash();
  if (useSignal(session) === undefined) return <SignIn reason={text.signIn} prepare={elevate} />;
  const Chosen: FunctionComponent = SECTIONS[section];
  return (
    <div class="admin">
      <h1>{text.title}</h1>
      <nav class="tabs" aria-label={text.title}>
        {NAMES.map((name) => (
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

/** The section that the URL names after `#`. A change of the section does not reload the page, so the session continues. */
function useHash(): Section {
  const [section, setSection] = useState<Section>('stations');
  useEffect(() => {
    const read = () => setSection(NAMES.find((name) => location.hash === `#${name}`) ?? 'stations');
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return section;
}
