import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Options, type PathOf, targetOf } from '../api.js';
import { bearerToken } from '../session.js';
import { useSite } from '../site-context.js';
import { faultText } from './fault.js';
import { saveBlob } from './save-blob.js';

/** A link to a file of the API. See `SavedLink`. */
export function FileLink<P extends PathOf<'get'>>({
  file,
  name,
  opens = false,
  children,
}: {
  readonly file: readonly [path: P, ...options: Options<P, 'get'>];
  /** Name of the saved file. */
  readonly name: string;
  /** Whether the browser opens the file instead of saving it, for visitors who are not signed in. */
  readonly opens?: boolean;
  readonly children: ComponentChildren;
}) {
  const { api } = useSite();
  return (
    <SavedLink
      class={opens ? undefined : 'button'}
      href={targetOf(...file)}
      name={name}
      opens={opens}
      request={() => api.response?.(...file)}
    >
      {children}
    </SavedLink>
  );
}

/**
 * A link to a file. Browsers send no token with a link. For a signed-in user, who may see hidden stations, the page therefore
 * requests the file itself and saves it.
 */
export function SavedLink({
  href,
  name,
  opens = false,
  request,
  class: look,
  children,
}: {
  readonly href: string;
  readonly name: string;
  readonly opens?: boolean;
  /** Requests the file with the token of the user. */
  readonly request: () => Promise<Response> | undefined;
  readonly class?: string | undefined;
  readonly children: ComponentChildren;
}) {
  const { text } = useSite();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const onClick = (event: Event) => {
    if (bearerToken() === undefined) return;
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFault(undefined);
    request()
      ?.then((response) => response.blob())
      .then(
        (blob) => saveBlob(blob, name),
        (error: unknown) => setFault(faultText(error, text)),
      )
      .finally(() => setBusy(false));
  };
  return (
    <>
      <a class={look} href={href} download={opens ? undefined : name} aria-busy={isBusy} onClick={onClick}>
        {children}
      </a>
      {isBusy && <span role="status">{text.charts.loading}</span>}
      {fault !== undefined && (
        <span class="fault" role="alert">
          {fault}
        </span>
      )}
    </>
  );
}
