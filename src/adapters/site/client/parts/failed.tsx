import { useEffect, useState } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import { isUnreachable } from '../api.js';
import { useSite } from '../site-context.js';

/** Pauses in ms before the automatic attempts to load the data again. The last pause repeats. */
const PAUSES = [5, 10, 30, 60].map((seconds) => seconds * MILLISECONDS.second);

/** Shows the error instead of a page whose data could not be read. Loads the data again automatically. */
export function Failed({ code, message }: { readonly code: string; readonly message: string }) {
  const { text, reload } = useSite();
  const { failed, unreachable } = text.errors;
  const [attempt, setAttempt] = useState(0);
  const away = isUnreachable({ code });
  const retry = (): void => {
    void reload().then(() => setAttempt((number) => number + 1));
  };
  useEffect(() => {
    const timer = setTimeout(retry, PAUSES[Math.min(attempt, PAUSES.length - 1)]);
    addEventListener('online', retry);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', retry);
    };
  }, [attempt]);
  const { title, text: reason } = away ? unreachable : failed;
  return (
    <section class="notice" role="alert">
      <h1>{title}</h1>
      <p>{reason}</p>
      {!away && <p class="quiet">{message}</p>}
      <p>
        <button type="button" class="needs-script" onClick={retry}>
          {text.errors.again}
        </button>{' '}
        <a href="/">{text.errors.notFound.back}</a>
      </p>
    </section>
  );
}
