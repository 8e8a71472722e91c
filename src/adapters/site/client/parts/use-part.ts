import { useState } from 'preact/hooks';
import { loadPart, loadPartAgain } from './load-part.js';

/** A module of the page that is loaded later than the page. */
export interface LaterPart<Module> {
  /** Undefined until the module is loaded. */
  readonly module?: Module;
  readonly isLoading: boolean;
  /** The error of the last attempt. */
  readonly fault?: unknown;
  readonly begin: () => void;
  /** Tries again after the visitor has asked for it. */
  readonly retry: () => void;
}

/** Loads a part of the page when the component calls `begin`. @param load imports the module */
export function usePart<Module>(load: () => Promise<Module>): LaterPart<Module> {
  const [state, setState] = useState<Omit<LaterPart<Module>, 'begin' | 'retry'>>({ isLoading: false });
  const start = (loader: typeof loadPart) => () => {
    setState({ isLoading: true });
    loader(load).then(
      (module) => setState({ isLoading: false, module }),
      (fault: unknown) => setState({ isLoading: false, fault }),
    );
  };
  return { ...state, begin: start(loadPart), retry: start(loadPartAgain) };
}
