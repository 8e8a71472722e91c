import { expect } from 'chai';
import { MILLISECONDS } from '#domain/time.js';
import {
  MAX_OF_NETWORK,
  MAX_PENDING,
  MAX_PUBLIC,
  mergedSenders,
  PENDING_AGE,
  type PendingSender,
  seenSender,
} from '#domain/uploads/pending-sender.js';

const { second, minute, hour } = MILLISECONDS;
const NOW = Date.UTC(2024, 0, 2);
type Seen = Parameters<typeof seenSender>[1];

const seen = (id: string, network = id, address = '192.168.0.9'): Seen => ({
  id,
  digest: id,
  sentId: null,
  dialect: 'ecowitt',
  model: null,
  address,
  network,
  readings: [],
});
const sender = (id: string, changes: Partial<PendingSender> = {}): PendingSender => ({
  ...seen(id),
  firstSeen: NOW,
  lastSeen: NOW,
  count: 1,
  ...changes,
});
const ids = (senders: readonly PendingSender[]) => senders.map(({ id }) => id).join(' ');
const many = (count: number, of: (index: number) => Partial<PendingSender> = () => ({})) =>
  Array.from({ length: count }, (_, index) => sender(`s${index}`, of(index)));

describe('the list of pending senders', () => {
  it('counts a sender that is seen again, with what it sent last', () => {
    const first = seenSender([sender('a')], seen('b'), NOW + 5);
    expect(first[1]).to.deep.equal(sender('b', { firstSeen: NOW + 5, lastSeen: NOW + 5 }));
    const again = seenSender(first, { ...seen('b'), model: 'X' }, NOW + 9);
    expect(again).to.deep.equal([
      sender('a'),
      sender('b', { firstSeen: NOW + 5, lastSeen: NOW + 9, count: 2, model: 'X' }),
    ]);
  });

  it('forgets those that are silent for a day, when another one comes', () => {
    const old = sender('old', { lastSeen: NOW - PENDING_AGE });
    const older = sender('older', { lastSeen: NOW - PENDING_AGE - 1 });
    expect(ids(seenSender([older, old], seen('new'), NOW))).to.equal('old new');
    expect(ids(mergedSenders([older, old], [], NOW))).to.equal('old');
  });

  it('has room for some of all, of public networks, and of each network', () => {
    const room = (full: readonly PendingSender[], next: Seen) =>
      seenSender(full, next, NOW + 1).length > full.length;
    const isPublic = { address: '203.0.113.5' };
    const ofOne = { network: 'one' };
    const cases = [
      [many(MAX_PENDING - 1), seen('x'), true],
      [many(MAX_PENDING), seen('x'), false],
      [many(MAX_PUBLIC - 1, () => isPublic), seen('x', 'x', '203.0.113.9'), true],
      [many(MAX_PUBLIC, () => isPublic), seen('x', 'x', '203.0.113.9'), false],
      [many(MAX_PUBLIC, () => isPublic), seen('x', 'x', '10.0.0.9'), true],
      [many(MAX_OF_NETWORK - 1, () => ofOne), seen('x', 'one'), true],
      [many(MAX_OF_NETWORK, () => ofOne), seen('x', 'one'), false],
      [many(MAX_OF_NETWORK, () => ofOne), seen('x', 'two'), true],
    ] as const;
    for (const [index, [full, next, expected]] of cases.entries())
      expect(room(full, next), `case ${index}`).to.equal(expected);
    for (const local of [
      '10.1.1.1',
      '127.0.0.1',
      '169.254.1.1',
      '172.16.0.1',
      '172.31.9.9',
      '192.168.1.1',
      'fd00::1',
      'fe80::1',
      '::1',
    ])
      expect(
        room(
          many(MAX_PUBLIC, () => isPublic),
          seen('x', 'x', local),
        ),
        local,
      ).to.equal(true);
    for (const open of ['11.1.1.1', '172.15.0.1', '172.32.0.1', '192.169.1.1', '2001:db8::1'])
      expect(
        room(
          many(MAX_PUBLIC, () => isPublic),
          seen('x', 'x', open),
        ),
        open,
      ).to.equal(false);
  });

  it('replaces the one that is silent for longest, otherwise the one that came last, and none that waits', () => {
    const waiting = { count: 3, firstSeen: NOW - minute, lastSeen: NOW };
    const replaced = (changes: (index: number) => Partial<PendingSender>) => {
      const full = many(MAX_OF_NETWORK, (index) => ({ network: 'one', ...changes(index) }));
      const after = seenSender(full, seen('x', 'one'), NOW);
      return full.find((one) => !after.includes(one))?.id;
    };
    expect(replaced((index) => ({ firstSeen: NOW - 100 + (index === 3 ? 50 : index) }))).to.equal('s3');
    const silent = (index: number) => ({
      lastSeen: NOW - 10 * minute - (index === 2 ? 5 : index === 4 ? 9 : -index),
    });
    expect(replaced(silent)).to.equal('s4');
    expect(
      replaced((index) => ({
        lastSeen: NOW - 10 * minute,
        firstSeen: NOW - 10 * minute - (index === 5 ? 0 : 9),
      })),
    ).to.equal('s5');
    expect(replaced((index) => (index === 6 ? {} : waiting))).to.equal('s6');
    expect(replaced(() => waiting)).to.equal(undefined);
    // Those that were seen too rarely, too shortly or too long ago do not wait.
    for (const changes of [
      { count: 2 },
      { firstSeen: NOW - minute + 1 },
      { firstSeen: NOW - 3 * hour, lastSeen: NOW - hour - 1 },
    ])
      expect(
        replaced((index) => (index === 1 ? { ...waiting, ...changes } : waiting)),
        JSON.stringify(changes),
      ).to.equal('s1');
    expect(replaced(() => ({ ...waiting, firstSeen: NOW - 3 * hour, lastSeen: NOW - hour }))).to.equal(
      undefined,
    );
  });

  it('is one list of two, in which a sender has its first and its last time', () => {
    const early = sender('a', { firstSeen: 1, lastSeen: NOW, count: 2, model: 'old' });
    const late = sender('a', { firstSeen: 9, lastSeen: NOW + second, count: 5, model: 'new' });
    const expected = { ...late, firstSeen: 1 };
    expect(mergedSenders([early], [late], NOW)).to.deep.equal([expected]);
    expect(mergedSenders([late], [early, sender('b')], NOW)).to.deep.equal([expected, sender('b')]);
    expect(mergedSenders([early], [{ ...late, count: 1 }], NOW)[0]?.count).to.equal(2);
    expect(mergedSenders([early], [{ ...late, lastSeen: NOW }], NOW)[0]?.model).to.equal('old');
  });
});
