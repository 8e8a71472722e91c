import { expect } from 'chai';
import fc from 'fast-check';
import { ReadAudit } from '#application/accounts/read-audit.js';
import type { AuditStore } from '#application/ports/audit-store.js';
import type { RecordedEvent } from '#domain/accounts/audit-event.js';

type Listed = Pick<RecordedEvent, 'number' | 'actor'>;

/** An audit trail with these events, newest first. */
function trailOf(events: readonly Listed[]): AuditStore {
  const list: AuditStore['list'] = (limit, before = Infinity, { actor, since } = { since: 0 }) =>
    Promise.resolve(
      events
        .filter((event) => event.number < before && event.number >= since)
        .filter((event) => actor === undefined || event.actor === actor)
        .slice(0, limit) as RecordedEvent[],
    );
  return { list } as AuditStore;
}

describe('ReadAudit', () => {
  it('finds each event once, and needs no pages for events that were removed', async () => {
    const trails = fc.uniqueArray(
      fc.record({
        number: fc.integer({ min: 1, max: 3_000_000 }),
        actor: fc.constantFrom('ada', 'bob'),
      }),
      { selector: ({ number }) => number, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(trails, fc.constantFrom('ada', undefined), async (trail, actor) => {
        const events = trail.toSorted((a, b) => b.number - a.number);
        const readAudit = new ReadAudit(trailOf(events));
        const found: Listed[] = [];
        let pages = 0;
        for (let cursor: number | null | undefined; cursor !== null; pages += 1) {
          const page = await readAudit.execute({ limit: 3, cursor, actor });
          found.push(...page.events);
          ({ cursor } = page);
        }
        expect(found).to.deep.equal(events.filter((event) => actor === undefined || event.actor === actor));
        expect(pages).to.be.at.most(events.length + 1);
      }),
    );
  });
});
