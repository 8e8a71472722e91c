import { expect } from 'chai';
import { formatNumber } from '#adapters/site/client/format/numbers.js';
import { displayUnit, type UnitChoice } from '#adapters/site/client/format/units.js';
import { findingText } from '#adapters/site/client/sections/notices/finding.js';
import { CATALOGS_OF_NOTICES } from '#adapters/site/client/text/notices-catalogs.js';
import { NOTICE_KINDS } from '#domain/weather/quality/notices/notice.js';
import { NOTICE_EXAMPLES, type NoticeExample } from '../../../support/notice-examples.js';

type Language = keyof typeof CATALOGS_OF_NOTICES;

function sentence(
  example: NoticeExample,
  language: Language,
  units: UnitChoice = 'metric',
  sign = 1,
): string {
  const { kind, variable, unit, facts } = example;
  const signed = Object.fromEntries(Object.entries(facts).map(([fact, value]) => [fact, sign * value]));
  return findingText(
    { kind, facts: signed },
    displayUnit(variable, unit, units),
    (value, decimals) => formatNumber(value, decimals, language),
    CATALOGS_OF_NOTICES[language],
  );
}

describe('the sentences of notices', () => {
  it('have an example of each kind', () => {
    expect(new Set(NOTICE_EXAMPLES.map(({ kind }) => kind))).to.deep.equal(new Set(NOTICE_KINDS));
  });

  for (const language of Object.keys(CATALOGS_OF_NOTICES) as Language[])
    for (const example of NOTICE_EXAMPLES)
      it(`say the facts of ${example.kind} (${Object.keys(example.facts).join(', ')}) in ${language}`, () => {
        const text = sentence(example, language);
        expect(text).not.to.match(/undefined|null|NaN|[{}$_]|\s\s|^\s|\s$|\.$/);
        for (const fact of example.said)
          expect(text).to.contain(language === 'en' ? fact : fact.replace('.', ','));
      });

  it('are different in each language, and each has an example', () => {
    const words = Object.entries(CATALOGS_OF_NOTICES).flatMap(([language, { sentences }]) => {
      const said = NOTICE_EXAMPLES.map((example) =>
        sentence(example, language as Language).replaceAll(/[\d−.,]+/g, '#'),
      );
      expect(new Set(said).size, language).to.be.at.least(Object.keys(sentences).length);
      return [...new Set(said)];
    });
    expect(new Set(words).size).to.equal(words.length);
  });

  it('say with a word whether a level is higher or lower, and a clock fast or slow', () => {
    const signed = NOTICE_EXAMPLES.filter(({ kind }) => kind === 'clock' || kind === 'level');
    expect(signed.length).to.equal(4);
    const withoutSigns = (text: string) => text.replaceAll('−', '');
    for (const example of signed)
      for (const language of Object.keys(CATALOGS_OF_NOTICES) as Language[]) {
        const [one, other] = [1, -1].map((sign) => withoutSigns(sentence(example, language, 'metric', sign)));
        expect(one, `${language} ${example.kind}`).not.to.equal(other);
      }
    const [slow] = NOTICE_EXAMPLES.filter(({ kind }) => kind === 'clock') as [NoticeExample];
    expect(sentence(slow, 'en')).to.contain('57 minutes slow');
    expect(sentence(slow, 'en', 'metric', -1)).to.contain('57 minutes fast');
    const [lower] = NOTICE_EXAMPLES.filter(({ kind }) => kind === 'level') as [NoticeExample];
    expect(sentence(lower, 'en')).to.match(/^2\.5 °C lower/);
    expect(sentence(lower, 'en', 'metric', -1)).to.match(/^2\.5 °C higher/);
  });

  it('convert values with the offset of a unit, and differences without it', () => {
    const text = (kind: string, fact: string) => {
      const example = NOTICE_EXAMPLES.find((one) => one.kind === kind && fact in one.facts);
      return sentence(example as NoticeExample, 'en', 'imperial');
    };
    expect(text('unusual_day', 'usual')).to.contain('2.8 °F, while 41.2 °F');
    expect(text('low_variability', 'deviation')).to.contain('0.07 °F').and.contain('4.27 °F');
    expect(text('rain_missing', 'amount')).to.contain('0.01 in').and.contain('1.90 in');
    expect(text('stuck_calm', 'mean_of_neighbors')).to.contain('7 mph');
  });
});
