import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * A button with a panel over the page. It works without scripts, because it is a `details` element. A click outside of the panel, a
 * move of the focus out of it, and Esc close it.
 */
export function Menu({
  name,
  label,
  children,
}: {
  /** A class of the element, in addition to `menu`. */
  readonly name: string;
  readonly label: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const closeOutside = ({ target }: Event): void => {
      if (menu.current?.open === true && !menu.current.contains(target as Node)) menu.current.open = false;
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
    };
  }, []);
  const closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || menu.current?.open !== true) return;
    event.preventDefault();
    menu.current.open = false;
    menu.current.querySelector('summary')?.focus();
  };
  return (
    <details ref={menu} class={`menu ${name}`} onKeyDown={closeOnEscape}>
      <summary>{label}</summary>
      <div class="menu-panel">{children}</div>
    </details>
  );
}
