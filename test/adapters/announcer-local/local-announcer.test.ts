import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { LocalAnnouncer } from '#adapters/announcer-local/local-announcer.js';
import type { Announcement } from '#application/ports/announcer.js';
import { ChangedRows } from '#domain/weather/changed-rows.js';

const BOTH = ['observations', 'stations'] as const;

/** A change of this station. */
function change(station: number): Announcement {
  const rows = new ChangedRows();
  rows.add(station, 1, 2, station);
  return { kind: 'observations', changes: rows.changes };
}

describe('LocalAnnouncer', () => {
  it('calls every subscriber in order, after the caller has continued', async () => {
    const announcer = new LocalAnnouncer();
    const [one, other]: [Announcement[], Announcement[]] = [[], []];
    announcer.subscribe(BOTH, (announcement) => one.push(announcement));
    announcer.subscribe(BOTH, (announcement) => other.push(announcement));
    const sent = [change(1), { kind: 'stations' } as const, change(2)];
    for (const announcement of sent) announcer.announce(announcement);
    expect([one, other]).to.deep.equal([[], []]);
    await setImmediate();
    expect([one, other]).to.deep.equal([sent, sent]);
  });

  it('calls neither former subscribers nor, about earlier announcements, new ones', async () => {
    const announcer = new LocalAnnouncer();
    const heard: Announcement[] = [];
    announcer.announce(change(1));
    const end = announcer.subscribe(BOTH, (announcement) => heard.push(announcement));
    await setImmediate();
    announcer.announce(change(2));
    end();
    await setImmediate();
    expect(heard).to.deep.equal([]);
  });

  it('calls each subscriber for its kinds only, and stores no announcement without a subscriber', async () => {
    const announcer = new LocalAnnouncer(2);
    const kinds: string[] = [];
    announcer.subscribe(['stations'], ({ kind }) => kinds.push(kind));
    // More than the limit. The subscriber to stations does not get them, so none of them waits.
    for (let station = 1; station <= 5; station += 1) announcer.announce(change(station));
    announcer.announce({ kind: 'stations' });
    await setImmediate();
    expect(kinds).to.deep.equal(['stations']);
  });

  it('continues when a subscriber throws or rejects', async () => {
    const announcer = new LocalAnnouncer();
    const heard: Announcement[] = [];
    announcer.subscribe(BOTH, () => {
      throw new Error('thrown');
    });
    announcer.subscribe(BOTH, () => Promise.reject(new Error('rejected')));
    announcer.subscribe(BOTH, (announcement) => heard.push(announcement));
    announcer.announce(change(1));
    await setImmediate();
    announcer.announce(change(2));
    await setImmediate();
    expect(heard).to.have.length(2);
  });

  it('limits the waiting announcements, and reports when some were dropped', async () => {
    const announcer = new LocalAnnouncer(3);
    const kinds: string[] = [];
    announcer.subscribe(BOTH, ({ kind }) => kinds.push(kind));
    for (let station = 1; station <= 4; station += 1) announcer.announce(change(station));
    announcer.announce({ kind: 'stations' });
    await setImmediate();
    expect(kinds).to.deep.equal(['missed', 'stations']);
  });
});
