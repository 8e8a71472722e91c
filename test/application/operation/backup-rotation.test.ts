import { expect } from 'chai';
import { isBackupDue, obsoleteBackups } from '#application/operation/backup-rotation.js';

const at = (...times: readonly number[]) => times.map((time) => ({ path: `/b/${time}`, time }));

describe('the rotation of backups', () => {
  for (const [what, times, now, due] of [
    ['without any backup', [], 1000, true],
    ['just after one', [1000], 1000, false],
    ['before the interval is over', [1000], 1099, false],
    ['when the interval is over', [1000], 1100, true],
    ['after the newest of several', [900, 1000, 1050], 1100, false],
    ['if the only ones are from a later time, because the clock was wrong', [5000, 9000], 1100, true],
    ['if one of them is recent and another from a later time', [1050, 9000], 1100, false],
  ] as const) {
    it(`${due ? 'has one due' : 'has none due'} ${what}`, () => {
      expect(isBackupDue(at(...times), now, 100)).to.equal(due);
    });
  }

  for (const [what, times, keep, now, removed] of [
    ['nothing while there are few', [1, 2], 3, 2, []],
    ['nothing when there are as many as it keeps', [1, 2, 3], 3, 3, []],
    ['the oldest', [3, 1, 2, 4], 3, 4, [1]],
    ['all but the new one', [1, 2, 3], 1, 3, [2, 1]],
    ['nothing of a later time, because the clock was wrong', [1, 7, 8, 9], 1, 1, []],
    ['as many as without those of a later time', [1, 2, 3, 8, 9], 2, 3, [1]],
  ] as const) {
    it(`removes ${what}`, () => {
      expect(obsoleteBackups(at(...times), keep, now)).to.deep.equal(at(...removed));
    });
  }
});
