import type { SourceKind } from '#application/ports/source-kind.js';

/** A kind of source whose devices always answer, without a report. */
export function answeringKind(name: string): SourceKind {
  return {
    name,
    title: 'A device',
    reach: 'local',
    shortestInterval: 10,
    settings: { address: true },
    ask: () => Promise.resolve([]),
  };
}
