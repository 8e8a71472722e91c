import { useSignal } from '../live/use-signal.js';
import { SignInLink } from '../parts/sign-in.js';
import { session } from '../session.js';
import { useSite } from '../site-context.js';
import type { NearStation } from './nearest-stations.js';

/** The page for an unknown address or station: similar stations, a search, and a sign-in for hidden stations. */
export function NotFound({ nearest }: { readonly nearest: readonly NearStation[] }) {
  const { text, signIn } = useSite();
  const user = useSignal(session);
  const { title, text: reason, back } = text.errors.notFound;
  const { didYouMean, search, find, hidden } = text.share.notFound;
  return (
    <section class="notice not-found">
      <h1>{title}</h1>
      <p>{reason}</p>
      {nearest.length > 0 && (
        <>
          <p id="did-you-mean">{didYouMean}</p>
          <ul aria-labelledby="did-you-mean">
            {nearest.map(({ id, name }) => (
              <li key={id}>
                <a href={`/stations/${encodeURIComponent(id)}`}>{name}</a>
                {name !== id && <span class="quiet"> {id}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
      <form method="get" action="/" role="search">
        <label>
          <span>{search}</span>
          <input name="q" type="search" maxLength={100} />
        </label>
        <button type="submit">{find}</button>
      </form>
      <p>
        <a href="/">{back}</a>
      </p>
      {signIn && user === undefined && (
        <p>
          {hidden} <SignInLink />
        </p>
      )}
    </section>
  );
}
