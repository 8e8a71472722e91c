import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useAdminText } from '../text.js';

/**
 * A numbered step. A step that is done is one line with what was chosen.
 *
 * @param done what was chosen, if the step is done
 * @param onChange opens a step that is done; absent if the choice can no longer be changed
 */
export function Step({
  number,
  title,
  done,
  onChange,
  children,
}: {
  readonly number: number;
  readonly title: string;
  readonly done?: string | undefined;
  readonly onChange?: (() => void) | undefined;
  readonly children: ComponentChildren;
}) {
  const { connect: text } = useAdminText();
  const section = useRef<HTMLElement>(null);
  const isDone = done !== undefined;
  // The control with the focus goes when the step is folded or opened.
  const hadFocus = section.current?.contains(document.activeElement) === true;
  useEffect(() => {
    if (!hadFocus) return;
    section.current?.querySelector<HTMLElement>('button:not(:disabled), select, input')?.focus();
  }, [isDone]);
  return (
    <section class="step" ref={section}>
      <div class="step-head">
        <h3>
          {isDone ? (
            <svg class="number" viewBox="-12 -12 24 24" width="24" height="24" aria-hidden="true">
              <circle r="11" />
              <path d="M-5 0-1.5 4 5-4" />
            </svg>
          ) : (
            <span class="number" aria-hidden="true">
              {number}
            </span>
          )}
          {title}
          {isDone && <span class="quiet">{done}</span>}
        </h3>
        {isDone && onChange !== undefined && (
          <button type="button" aria-label={`${text.change}: ${title}`} onClick={onChange}>
            {text.change}
          </button>
        )}
      </div>
      {!isDone && children}
    </section>
  );
}
