import { expect } from 'chai';
import {
  NEEDS,
  QUESTIONS,
  REJECTIONS,
  type SentenceCode,
  textOf,
} from '#adapters/formats/files/sentences.js';
import type { ReasonCode } from '#adapters/site/client/admin/imports/import-model.js';
import { sentenceOf } from '#adapters/site/client/admin/imports/sentence.js';
import { CATALOGS_OF_IMPORTS } from '#adapters/site/client/text/imports-catalogs.js';

describe('the sentences about files on the site', () => {
  const templates = { ...REJECTIONS, ...QUESTIONS, ...NEEDS };
  const values = new Proxy<Record<string, string>>({}, { get: (_, name) => `<${String(name)}>` });

  for (const [language, text] of Object.entries(CATALOGS_OF_IMPORTS))
    it(`name controls in place of fields and options, and only values that there are (${language})`, () => {
      if (text.reasons !== null) expect(Object.keys(text.reasons)).to.have.members(Object.keys(templates));
      for (const [code, template] of Object.entries(templates)) {
        const english = textOf({ code: code as SentenceCode, values }, 'request');
        const said = sentenceOf(english, [{ code: code as ReasonCode, values }], text, ' ');
        expect(said, code).not.to.match(/`|--|weatherd|undefined|\{|\}/);
        const known = JSON.stringify(template);
        for (const [, name] of said.matchAll(/<(\w+)>/g)) expect(known, code).to.contain(`{${name}}`);
        if (/`/.test(english)) expect(said, code).to.contain(text.quoted('X').slice(0, 1));
      }
    });

  it('keep what a file contains as it is, and say a quantity in the language', () => {
    const { de, en } = CATALOGS_OF_IMPORTS;
    const reasons = [{ code: 'cell-number', values: { text: '"`x` {y}"' } }] as const;
    expect(sentenceOf('', reasons, de, ', ')).to.equal('"`x` {y}" ist keine Zahl');
    const unit = [{ code: 'unit', values: { quantity: 'wind', units: 'm/s' } }] as const;
    expect(sentenceOf('In which unit is wind (m/s)?', unit, en, ' ')).to.equal(
      'In which unit is wind (m/s)?',
    );
    expect(sentenceOf('In which unit is wind (m/s)?', unit, de, ' ')).to.equal(
      'In welcher Einheit ist der Wind?',
    );
    expect(sentenceOf('The disk is full.', [], de, ' ')).to.equal('The disk is full.');
  });
});
