import { listedGaps, type SourceGap } from '#domain/sources/source.js';
import type { Span } from '../ports/source-kind.js';
import type { SourceRecords } from './source-records.js';

/** Lists the spans in which values of a station are missing, because none of its sources could give them later. */
export class ListGaps {
  readonly #records: SourceRecords;

  constructor(records: SourceRecords) {
    this.#records = records;
  }

  /**
   * @param station `Station.number`
   * @returns the spans that touch `within`, the newest first. Gaps of several sources that touch each other are one span.
   * @throws DomainError STORE_UNAVAILABLE
   */
  async execute(station: number, within: Span): Promise<readonly Span[]> {
    const sources = (await this.#records.list()).filter((source) => source.station === station);
    const gaps = await Promise.all(
      sources.map(async (source) =>
        listedGaps(source, await this.#records.state(source.name)).filter(isOpen),
      ),
    );
    return merged(gaps.flat())
      .filter(({ from, to }) => from < within.to && to > within.from)
      .toReversed();
  }
}

/** Whether the gap could not be filled. Otherwise its values may follow within seconds. */
function isOpen({ reason, problem }: SourceGap): boolean {
  return reason !== null || problem !== undefined;
}

/** The union of spans, as spans that do not touch each other, the oldest first. */
function merged(spans: readonly Span[]): readonly Span[] {
  const all: Span[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last === undefined || from > last.to) all.push({ from, to });
    else all[all.length - 1] = { from: last.from, to: Math.max(last.to, to) };
  }
  return all;
}
