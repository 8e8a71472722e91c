import { expect } from 'chai';
import { logFailure } from '#composition/background/periodic-work.js';
import { DomainError } from '#domain/domain-error.js';

describe('a round of periodic work that fails', () => {
  for (const [level, locked] of [
    ['warn', true],
    ['error', false],
  ] as const)
    it(`is logged with level ${level} if another user of the store holds a lock: ${locked}`, () => {
      const lines: unknown[] = [];
      const logger = Object.fromEntries(
        ['warn', 'error'].map((name) => [
          name,
          (fields: object, text: string) => lines.push([name, fields, text]),
        ]),
      );
      logFailure(
        { logger } as never,
        'it has failed',
      )(new DomainError('STORE_UNAVAILABLE', 'no lock', { locked }));
      expect(lines).to.deep.equal([[level, { reason: 'no lock' }, 'it has failed']]);
    });
});
