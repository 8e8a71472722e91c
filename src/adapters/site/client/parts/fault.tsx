import { useEffect, useRef } from 'preact/hooks';
import { isUnreachable, WeatherdError } from '../api.js';
import { connection } from '../live/connection.js';
import { onReconnect } from '../live/on-reconnect.js';
import { useSignal } from '../live/use-signal.js';
import { useSite } from '../site-context.js';
import type { Text } from '../text/en.js';
import { PartLoadError } from './load-part.js';

/** Shows an error. Calls `retry` when the visitor presses the button, or when the service can be reached again. */
export function Fault({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const { text } = useSite();
  const newest = useRef(retry);
  newest.current = retry;
  useEffect(() => onReconnect(() => newest.current()), []);
  const { state } = useSignal(connection);
  // The banner of the page already says it, and the data are read again by themselves.
  const isAway = isUnreachable(error) || error instanceof PartLoadError;
  if (state === 'offline' && isAway) return null;
  return (
    <p class="fault" role="alert">
      {faultText(error, text)}{' '}
      <button type="button" onClick={retry}>
        {text.errors.again}
      </button>
    </p>
  );
}

/** The text of an error in the language of the visitor. The messages of the API are in English and for developers. */
export function faultText(error: unknown, { errors }: Text): string {
  if (error instanceof PartLoadError) return errors.part;
  if (isUnreachable(error)) return `${errors.unreachable.title}.`;
  const codeText = error instanceof WeatherdError ? errors.codes[error.code] : undefined;
  return codeText ?? `${errors.failed.title}.`;
}
