import type { ComponentChildren } from 'preact';
import { useSignal } from './live/use-signal.js';
import { NotFound } from './not-found/not-found.js';
import { Failed } from './parts/failed.js';
import { ConnectionState, OfflineBanner } from './parts/connection-state.js';
import { Menu } from './parts/menu.js';
import { DegreeSwitch, Settings } from './parts/settings.js';
import { Account } from './parts/account.js';
import { SignIn, SignInDialog } from './parts/sign-in.js';
import { session } from './session.js';
import { useSite } from './site-context.js';
import type { Visit } from './visit.js';

/** A page with the header of the site. Without data, the page shows a sign-in form or a notice. */
export function Frame(visit: Visit) {
  const content = <Content {...visit} />;
  if (visit.route?.isBare === true) return <main class="bare">{content}</main>;
  return <SiteLayout path={visit.route?.path}>{content}</SiteLayout>;
}

function SiteLayout({
  path,
  children,
}: {
  /** Path of the route of the page. */
  readonly path: string | undefined;
  readonly children: ComponentChildren;
}) {
  return (
    <>
      <SiteHeader path={path} />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <OfflineBanner />
    </>
  );
}

/** The header of all pages. */
export function SiteHeader({ path }: { readonly path: string | undefined }) {
  const { text, signIn } = useSite();
  const user = useSignal(session);
  const links = (
    <>
      <a href="/" aria-current={path === '/' ? 'page' : undefined}>
        {text.site.stations}
      </a>
      <a href="/docs" hreflang="en" aria-current={path === '/docs' ? 'page' : undefined}>
        {text.site.api}
      </a>
      {signIn && (
        <a href="/admin" aria-current={path === '/admin' ? 'page' : undefined}>
          {user?.administrator === false ? text.session.account : text.site.administration}
        </a>
      )}
    </>
  );
  return (
    <>
      <a class="skip" href="#content">
        {text.site.skip}
      </a>
      <header class="site-header">
        <div class="site-bar">
          <nav aria-label={text.site.name}>
            <a class="brand" href="/">
              {text.site.name}
            </a>
            <span class="links">{links}</span>
          </nav>
          <ConnectionState />
          <DegreeSwitch />
          <Menu name="site-menu" label={<MenuLabel />}>
            <nav class="links" aria-label={text.site.menu}>
              {links}
            </nav>
            <Settings />
            <Account />
          </Menu>
          <Account />
        </div>
      </header>
      <SignInDialog />
    </>
  );
}

/** The word of the menu; in narrow windows, where the menu also has the links, three lines. */
function MenuLabel() {
  const { text } = useSite();
  return (
    <>
      <span>{text.site.settings}</span>
      <svg viewBox="0 0 16 16" width="20" height="20" role="img" aria-label={text.site.menu}>
        <path d="M1 3H15M1 8H15M1 13H15" />
      </svg>
    </>
  );
}

function Content({ route, page, pageLocation, outcome }: Visit) {
  const { text, preferences } = useSite();
  // The key resets the state of the page when the visitor opens another station, or chooses other preferences. Pages without data
  // keep what was typed in their forms.
  if (outcome.state === 'loaded' && page !== undefined)
    return (
      <page.View
        key={`${route?.path} ${Object.values(pageLocation.params).join()} ${route?.hasNoData || Object.values(preferences).join()}`}
        data={outcome.data}
        pageLocation={pageLocation}
      />
    );
  // A frame never shows a password form, because such a form would train users to type passwords into pages of other sites.
  if (outcome.state === 'sign-in' && route?.mayBeFramed === true)
    return <FramedNotice id={pageLocation.params['id']} />;
  if (outcome.state === 'sign-in') return <SignIn reason={text.errors.signIn.text} />;
  if (outcome.state === 'failed') return <Failed code={outcome.code} message={outcome.message} />;
  if (route?.isBare === true)
    return (
      <section class="notice">
        <p>{text.errors.notFound.text}</p>
      </section>
    );
  return <NotFound nearest={outcome.state === 'not-found' ? outcome.nearest : []} />;
}

/** The notice in a frame on another site if only signed-in users may see the data. */
function FramedNotice({ id = '' }: { readonly id: string | undefined }) {
  const { text } = useSite();
  return (
    <section class="notice">
      <p>{text.errors.signIn.text}</p>
      <p>
        <a href={`/stations/${encodeURIComponent(id)}`} target="_blank" rel="noopener">
          {text.embed.open}
        </a>
      </p>
    </section>
  );
}
