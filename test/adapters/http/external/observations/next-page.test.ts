import { expect } from 'chai';
import { nextPageLink } from '#adapters/http/external/observations/next-page.js';

describe('nextPageLink', () => {
  it('keeps the query, replaces the cursor and escapes characters that would end the reference', () => {
    expect(nextPageLink('a=1&cursor=5&b=%20x', 7)).to.deep.equal({
      link: '<?a=1&b=%20x&cursor=7>; rel="next"',
    });
    expect(nextPageLink('', -7)).to.deep.equal({ link: '<?cursor=-7>; rel="next"' });
    expect(nextPageLink('a=>;"<&cur%73or=1&cursor', 7)).to.deep.equal({
      link: '<?a=%3E;%22%3C&cursor=7>; rel="next"',
    });
    expect(nextPageLink('a=1', null)).to.deep.equal({});
  });
});
