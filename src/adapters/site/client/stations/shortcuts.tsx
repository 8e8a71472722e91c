import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.js';
import { useSite } from '../site-context.js';
import { unlessRefused } from '../unless-refused.js';

const STORAGE_KEY = 'weatherd-shortcuts';

/**
 * The keyboard shortcuts of the page, and a dialog with their list. Shortcuts without Ctrl or Alt can be turned off (WCAG 2.1.4),
 * because speech input can trigger such shortcuts by accident.
 */
export function Shortcuts({ filter }: { readonly filter: RefObject<HTMLInputElement | null> }) {
  const { text } = useSite();
  const { shortcuts } = text.home;
  const [isOpen, setOpen] = useState(false);
  const [isOn, setOn] = useState(true);
  useEffect(() => setOn(unlessRefused(() => localStorage.getItem(STORAGE_KEY)) !== 'off'), []);
  useEffect(() => {
    if (!isOn) return undefined;
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '/') filter.current?.focus();
      else if (event.key === '?') setOpen(true);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isOn]);
  const choose = (on: boolean): void => {
    setOn(on);
    unlessRefused(() => localStorage.setItem(STORAGE_KEY, on ? 'on' : 'off'));
  };
  return (
    <>
      <button type="button" class="needs-script shortcuts-button" onClick={() => setOpen(true)}>
        {shortcuts.open}
      </button>
      {isOpen && (
        <Dialog title={shortcuts.title} name="shortcuts" onClose={() => setOpen(false)}>
          <dl>
            {shortcuts.keys.map(([key, meaning]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
          <p>
            <label>
              <input
                type="checkbox"
                checked={isOn}
                onChange={({ currentTarget }) => choose(currentTarget.checked)}
              />{' '}
              {shortcuts.on}
            </label>
          </p>
          <button type="button" onClick={() => setOpen(false)}>
            {shortcuts.close}
          </button>
        </Dialog>
      )}
    </>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.matches('input:not([type=checkbox]), select, textarea, [contenteditable]')
  );
}
