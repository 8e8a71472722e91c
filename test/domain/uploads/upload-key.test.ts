import { expect } from 'chai';
import { acceptNote, acceptSettings, DEFAULT_SETTINGS, isGuessable } from '#domain/uploads/upload-key.js';

describe('secrets of upload keys', () => {
  it('can be guessed if somebody has chosen them', () => {
    const secret = '1'.repeat(26);
    const found = [{}, { password: 'summer' }, { password: secret }, { key: 'x' }, { identity: 'x' }].map(
      isGuessable,
    );
    expect(found).to.deep.equal([true, true, false, false, true]);
  });

  it('have a note and settings', () => {
    expect(acceptNote(` ${'x'.repeat(198)} `)).to.have.length(198);
    for (const note of ['x'.repeat(201), 'a\u0000', 'a\ud800'])
      expect(() => acceptNote(note)).to.throw('A note has');
    expect(acceptSettings({})).to.deep.equal(DEFAULT_SETTINGS);
    const all = { windUnit: 'm/s', gauge: 'piezo', rain: false } as const;
    expect(acceptSettings(all)).to.deep.equal(all);
    expect(acceptSettings({ rain: true }, all)).to.deep.equal({ ...all, rain: true });
    expect(acceptSettings({ gauge: null, windUnit: 'km/h' }, all)).to.deep.equal({
      ...all,
      gauge: null,
      windUnit: 'km/h',
    });
    expect(() => acceptSettings({ windUnit: 'mph' as never })).to.throw('The unit of wind speeds');
    expect(() => acceptSettings({ gauge: 'odd' as never })).to.throw('A gauge is one of');
  });
});
