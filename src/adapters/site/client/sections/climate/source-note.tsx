import { commonSource, MARKS, type Source, type Sources } from './sources.js';
import { useClimateText } from './text.js';
import type { Column } from './views.js';

/** The sentence that names the source of a table (`Source: observations.`), or the sources with their marks. */
export function SourceNote({
  sources,
  columns,
}: {
  readonly sources: Sources;
  readonly columns: readonly Pick<Column, 'element'>[];
}) {
  const { source: label, sources: names } = useClimateText();
  const common = commonSource(sources, columns);
  const all = (Object.keys(MARKS) as Source[]).map((name) => MARKS[name] + names[name]).join(', ');
  return <>{`${label}: ${common === undefined ? all : names[common]}.`}</>;
}
