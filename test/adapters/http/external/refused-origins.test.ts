import { expect } from 'chai';
import fc from 'fast-check';
import { RefusedOrigins } from '#adapters/http/external/refused-origins.js';
import { CODE_POINT } from '../../../support/code-point.js';

describe('RefusedOrigins', () => {
  const reportedOf = (origins: readonly string[]): string[] => {
    const reported: string[] = [];
    const refused = new RefusedOrigins((origin) => void reported.push(origin));
    for (const origin of origins) refused.add(origin, 'weather.example');
    return reported;
  };

  it('reports printable text of limited length, each once, and no more than 100', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: CODE_POINT, maxLength: 320 }), { maxLength: 12 }), (origins) => {
        const reported = reportedOf([...origins, ...origins]);
        expect(reported.length).to.be.at.most(100);
        expect(new Set(reported).size).to.equal(reported.length);
        for (const text of reported) expect(text).to.match(/^[ -~]{0,303}$/);
        const plain = origins.filter((origin) => /^[ -~]{1,300}$/.test(origin));
        if (new Set(origins).size <= 100) expect(reported).to.include.members(plain);
      }),
    );
    const many = Array.from({ length: 1000 }, (_, index) => `https://${index}.example`);
    expect(reportedOf(many)).to.deep.equal(many.slice(0, 100));
    expect(reportedOf(['https://x.example/\u001b[31m\u0085', 'x'.repeat(301)])).to.deep.equal([
      'https://x.example/?[31m?',
      `${'x'.repeat(300)}...`,
    ]);
  });

  it('reports no page of the service itself', () => {
    expect(reportedOf(['https://weather.example', 'http://weather.example'])).to.deep.equal([]);
    expect(reportedOf(['https://weather.example:8443'])).to.deep.equal(['https://weather.example:8443']);
  });
});
