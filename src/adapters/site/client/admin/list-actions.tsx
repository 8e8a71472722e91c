import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { adminRequest, type SendRequest } from './admin-request.js';
import { useAction } from './form.js';
import { Time } from './time.js';

/** A button that sends a request and shows its reply. */
export function TestButton<T>({
  name,
  label,
  send,
  children,
}: {
  readonly name: string;
  readonly label: string;
  readonly send: SendRequest<T>;
  /** Returns what is shown of the reply. */
  readonly children: (reply: T) => ComponentChildren;
}) {
  const [reply, setReply] = useState<T>();
  const { run, isBusy, fault } = useAction();
  const test = () =>
    run(async () => {
      setReply(undefined);
      setReply(await adminRequest(send));
    });
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => void test()} aria-label={`${label}: ${name}`}>
        {label}
      </button>
      <div role="status">
        {fault}
        {reply !== undefined && children(reply)}
      </div>
    </>
  );
}

/** The button that pauses or resumes a source or a hook. */
export function PauseButton({
  of: { name, paused },
  text,
  pause,
}: {
  readonly of: { readonly name: string; readonly paused: boolean };
  readonly text: { readonly pause: string; readonly resume: string };
  readonly pause: () => Promise<void>;
}) {
  const label = paused ? text.resume : text.pause;
  return (
    <button type="button" onClick={() => void pause()} aria-label={`${label}: ${name}`}>
      {label}
    </button>
  );
}

/** When a source or a hook last worked, and since when and why it does not. */
export function WorkState({
  paused,
  failing,
  since,
  reason,
  last,
  at,
  never,
}: {
  /** The text of a pause, which is shown if there is one. */
  readonly paused: string | false;
  readonly failing: string;
  readonly since: string | null;
  readonly reason: string | null;
  readonly last: string;
  readonly at: string | null;
  /** The text without a last time; false if there is none. */
  readonly never: string | false;
}) {
  return (
    <>
      {paused !== false && <p class="state degraded">{paused}</p>}
      {since !== null && (
        <p class="fault">
          {failing} <Time at={since} />
          {reason !== null && `: ${reason}`}
        </p>
      )}
      {at === null ? (
        never !== false && <p>{never}</p>
      ) : (
        <p>
          {last} <Time at={at} />
        </p>
      )}
    </>
  );
}
