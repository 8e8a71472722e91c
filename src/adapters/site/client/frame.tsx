import type { ComponentChildren } from 'preact';
import { Failed } from './parts/failed.js';
import { ConnectionState } from './parts/connection-state.js';
import { Settings } from './parts/settings.js';
import { Account } from './parts/account.js';
import { SignIn } from './parts/sign-in.js';
import { useSite } from './site-context.js';
import type { Visit } from './visit.js';

/** A page with the header of the site. Without data, the page shows a sign-in form or a notice. */
export function Frame(visit: Visit) {
  const content = <Content {...visit} />;
  if (visit.route?.isBare === true) return <main class="bare">{content}</main>;
  return <SiteLayout>{content}</SiteLayout>;
}

function SiteLayout({ children }: { readonly children: ComponentChildren }) {
  const { text, signIn } = useSite();
  return (
    <>
      <a class="skip" href="#content">
        {text.site.skip}
      </a>
      <header class="site-header">
        <nav aria-label={text.site.name}>
          <a class="brand" href="/">
            {text.site.name}
          </a>
          <a href="/">{text.site.stations}</a>
          <a href="/docs" hreflang="en">
            {text.site.api}
          </a>
          {signIn && <a href="/admin">{text.site.administration}</a>}
          <Account />
        </nav>
        <ConnectionState />
        <Settings />
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

function Content({ route, page, pageLocation, outcome }: Visit) {
  const { text } = useSite();
  // The key resets the state of the page when the visitor opens another station.
  if (outcome.state === 'loaded' && page !== undefined)
    return (
      <page.View
        key={`${route?.path} ${Object.values(pageLocation.params).join()}`}
        data={outcome.data}
        pageLocation={pageLocation}
      />
    );
  // A frame never shows a password form, because such a form would train users to type passwords into pages of other sites.
  if (outcome.state === 'sign-in' && route?.mayBeFramed === true)
    return <FramedNotice id={pageLocation.params['id']} />;
  if (outcome.state === 'sign-in') return <SignIn reason={text.errors.signIn.text} />;
  if (outcome.state === 'failed') return <Failed code={outcome.code} message={outcome.message} />;
  const { title, text: reason, back } = text.errors.notFound;
  return (
    <section class="notice">
      <h1>{title}</h1>
      <p>{reason}</p>
      <p>
        <a href="/">{back}</a>
      </p>
    </section>
  );
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
