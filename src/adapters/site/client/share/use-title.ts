import { useEffect } from 'preact/hooks';

/** Keeps the title of the document up to date while a page shows new values. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
