import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A modal dialog. The browser keeps the focus inside; the element with the focus before gets it back afterwards. */
export function Dialog({
  title,
  name,
  onClose,
  children,
}: {
  readonly title: string;
  /** A class of the element. */
  readonly name?: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect, because Preact runs the cleanup of other effects after the element was removed, and the browser gives the
  // focus back only while the dialog is in the document.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={name}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}
