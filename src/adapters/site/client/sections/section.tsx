import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Inventory, type PathOf, type Station, targetOf } from '../api.js';
import type { PageLocation } from '../page.js';
import { Fault } from '../parts/fault.js';
import { usePart } from '../parts/use-part.js';
import { useSite } from '../site-context.js';
import type { ReadState } from './use-read.js';

/** Properties of each section. */
export interface SectionProps {
  readonly station: Station;
  readonly inventory: Inventory;
  readonly pageLocation: PageLocation;
}

/** Distance from the visible part of the page at which a section is loaded. */
const NEAR = '256px';

/** A section of a page. Its code and data are loaded when the visitor scrolls near the section. */
export function Section<Name extends string>({
  id,
  title,
  route,
  load,
  part,
  staticContent,
  note,
  years,
  ...props
}: SectionProps & {
  readonly id: string;
  readonly title: string;
  /** Route of the API with the data of the section. Visitors without JavaScript see a link to this route. */
  readonly route: PathOf<'get'> & `/v1/stations/{id}/${string}`;
  readonly load: () => Promise<Readonly<Record<Name, ComponentType<SectionProps>>>>;
  /** Name of the component among the exports of the module that `load` imports. */
  readonly part: Name;
  /** Content for visitors without JavaScript. */
  readonly staticContent?: ComponentChildren;
  /** A line under the title. */
  readonly note?: ComponentChildren;
  /** Number of years that the section shows. The style sheet reserves space for them until they are loaded. */
  readonly years?: number;
}) {
  const { text } = useSite();
  const address = targetOf(route, { path: { id: props.station.id } });
  const element = useRef<HTMLElement>(null);
  const { module, isLoading, fault, begin, retry } = usePart(load);
  const Content: ComponentType<SectionProps> | undefined = module?.[part];
  useEffect(() => {
    const watched = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        watched.disconnect();
        begin();
      },
      { rootMargin: NEAR },
    );
    if (element.current !== null) watched.observe(element.current);
    return () => watched.disconnect();
  }, []);
  // The Content-Security-Policy forbids a style attribute in the HTML of the service.
  useEffect(() => {
    if (years !== undefined) element.current?.style.setProperty('--years', String(years));
  }, [years]);
  return (
    <section class="part needs-script" id={id} aria-labelledby={`${id}-title`} ref={element}>
      <h2 id={`${id}-title`}>{title}</h2>
      {note}
      {Content !== undefined && <Content {...props} />}
      {isLoading && <Loading />}
      {fault !== undefined && <Fault error={fault} retry={retry} />}
      <noscript>
        {staticContent}
        <p>
          {staticContent === undefined ? text.station.section.withoutScript : text.station.section.rest}{' '}
          <a href={address}>{address}</a>
        </p>
      </noscript>
    </section>
  );
}

function Loading() {
  const { text } = useSite();
  return (
    <p class="quiet loading" role="status">
      {text.station.section.loading}
    </p>
  );
}

/** Shows the data, or the reason why they are missing. While new data are read, the previous data stay visible. */
export function Loaded<Data>({
  reading: { data, isLoading, fault, retry },
  children,
}: {
  readonly reading: ReadState<Data>;
  readonly children: (data: Data) => ComponentChildren;
}) {
  if (fault !== undefined) return <Fault error={fault} retry={retry} />;
  if (data === undefined) return <Loading />;
  return <div aria-busy={isLoading}>{children(data)}</div>;
}
