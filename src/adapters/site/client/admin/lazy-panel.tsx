import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { Fault } from '../parts/fault.js';
import { usePart } from '../parts/use-part.js';

/** A section whose code is loaded when the section is opened. @param load imports the component */
export function lazyPanel(load: () => Promise<FunctionComponent>): FunctionComponent {
  return function LazyPanel() {
    const { module, fault, begin, retry } = usePart(() => load().then((Panel) => ({ Panel })));
    useEffect(begin, []);
    return (
      <>
        {module && <module.Panel />}
        {fault !== undefined && <Fault error={fault} retry={retry} />}
      </>
    );
  };
}
