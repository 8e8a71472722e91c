import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { languageFor, languageName, LANGUAGES, loadText } from '#adapters/site/client/text/languages.js';
import { ELEMENTS, RECORDED } from '#adapters/site/client/sections/climate/elements.js';
import { CATALOGS_OF_ADMIN } from '#adapters/site/client/text/admin-catalogs.js';
import { CATALOGS_OF_CLIMATE } from '#adapters/site/client/text/climate-catalogs.js';
import { CATALOGS_OF_PANELS } from '#adapters/site/client/text/panels-catalogs.js';
import { CATALOGS_OF_USUAL } from '#adapters/site/client/text/usual-catalogs.js';
import { AUDIT_ACTIONS, AUDIT_OUTCOMES } from '#domain/accounts/audit-actions.js';
import { missingTexts, translated } from '#adapters/site/client/text/translated.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const TEXTS = join(ROOT, 'src/adapters/site/client/text/');
const { languageLists } = (await import(pathToFileURL(join(ROOT, 'scripts/languages.mjs')).href)) as {
  languageLists: (folder?: string) => Readonly<Record<string, string>>;
};

describe('the languages of the site', () => {
  it('are those of the folder of the texts', () => {
    for (const [name, list] of Object.entries(languageLists()))
      expect(readFileSync(join(TEXTS, name), 'utf8'), `run "node scripts/languages.mjs"`).to.equal(list);
    const files = readdirSync(TEXTS).filter((name) =>
      existsSync(join(TEXTS, name.replace('.ts', ''), 'README.md')),
    );
    expect(LANGUAGES).to.include.members(files.filter((name) => /^[a-z]{2}$/.test(name)));
  });

  it('have conditions of alarms without a full stop, because a time follows', async () => {
    for (const language of LANGUAGES) {
      const { alarms } = await loadText(language);
      const conditions = [alarms.silent(3), alarms.failed(''), alarms.failed('x'), alarms.notice('x')];
      for (const condition of [
        ...conditions,
        alarms.battery(),
        alarms.above('x', '1'),
        alarms.below('x', '1'),
      ])
        expect(condition).to.not.match(/\.$/);
    }
  });

  it('are found by the name of a file alone, with a region too', () => {
    const folder = `${mkdtempSync(join(tmpdir(), 'weatherd-languages-'))}/`;
    try {
      for (const name of ['en.ts', 'pt-BR.ts', 'languages.ts', 'translated.ts', 'README.md'])
        writeFileSync(join(folder, name), '');
      mkdirSync(join(folder, 'pt-BR'));
      writeFileSync(join(folder, 'pt-BR/admin.ts'), '');
      const { 'catalogs.ts': catalogs = '', 'admin-catalogs.ts': admin = '' } = languageLists(folder);
      expect(catalogs.match(/import\('.*'\)/g)).to.deep.equal(["import('./en.js')", "import('./pt-BR.js')"]);
      expect(catalogs).to.contain("'pt-BR': async () => (await import('./pt-BR.js')).ptBR,");
      expect(admin).to.contain("import { admin as ptBR } from './pt-BR/admin.js';").and.not.contain('./en/');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('have every text, or English in its place', async () => {
    const english = await loadText('en');
    for (const language of LANGUAGES) {
      const text = await loadText(language);
      expect(missingTexts(english, text), language).to.deep.equal([]);
      const same = sameTexts(english, text);
      if (language !== 'en' && same.length > 0)
        console.info(`      as in English in "${language}": ${same.join(', ')}`);
    }
  });

  it('keep the translated texts, the functions and the lists, and take the others from English', () => {
    const english = {
      a: 'one',
      list: ['x', 'y'],
      deep: { say: (n: number) => `${n} days`, more: { b: 'two', c: 'three' } },
    };
    const text = translated(english, { list: ['z'], deep: { more: { b: 'twee' } } });
    expect([text.a, text.list, text.deep.say(2), text.deep.more]).to.deep.equal([
      'one',
      ['z'],
      '2 days',
      { b: 'twee', c: 'three' },
    ]);
    expect(translated(english, {})).to.deep.equal(english);
    expect(missingTexts(english, { a: '', deep: { more: { c: '' } } })).to.deep.equal([
      'list',
      'deep.say',
      'deep.more.b',
    ]);
  });

  it('begin sentences with a capital, also with the name of a month, and write the period of a date once', async () => {
    for (const language of LANGUAGES) {
      const month = new Intl.DateTimeFormat(language, { month: 'long' }).format(Date.UTC(2026, 10, 15));
      const { below, above, same } = CATALOGS_OF_USUAL[language].month;
      for (const sentence of [below(month, '1'), above(month, '1'), same(month)])
        expect(sentence, language).to.match(/^\p{Lu}/u);
      const date = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' }).format(0);
      const { charts } = await loadText(language);
      expect(charts.openDay(date), language).not.to.contain('..');
    }
  });

  it('have a heading for each column of the climate', () => {
    for (const { months, records } of Object.values(CATALOGS_OF_CLIMATE)) {
      expect(months.columns).to.have.length(ELEMENTS.length);
      expect(records.columns).to.have.length(RECORDED.length);
    }
  });

  it('have a German name for each check of health, action and outcome that the administration shows', () => {
    // The page lists all checks, by a test of the docs.
    const page = readFileSync(join(ROOT, 'docs/operating/health.md'), 'utf8');
    const lists = [...page.matchAll(/^- ((?:`[a-z ]+`(?:, | and )?)+)/gm)].map(([, list = '']) => list);
    const checks = lists.flatMap((list) => [...list.matchAll(/`(.*?)`/g)].map(([, name]) => name));
    expect(Object.keys(CATALOGS_OF_ADMIN.de.health.checks)).to.have.members([...new Set(checks)]);
    const { actions, outcomes } = CATALOGS_OF_PANELS.de.audit;
    expect(Object.keys(actions)).to.have.members(AUDIT_ACTIONS);
    expect(Object.keys(outcomes)).to.have.members(AUDIT_OUTCOMES);
  });

  it('are found for a tag of a browser, with or without a region', () => {
    for (const tag of ['de', 'DE', 'de-AT', 'de-CH-1996']) expect(languageFor(tag), tag).to.equal('de');
    for (const tag of ['xx', 'den', '', '*']) expect(languageFor(tag), tag).to.equal(undefined);
  });

  it('have names in themselves', () => {
    expect((['en', 'de', 'nl'] as const).map(languageName)).to.deep.equal([
      'English',
      'Deutsch',
      'Nederlands',
    ]);
  });
});

/** The paths of texts with letters that are equal in English and in a translation. Many of them are not translated. */
function sameTexts(english: object, translation: object, path = ''): string[] {
  return Object.entries(english).flatMap(([key, text]: [string, unknown]) => {
    const own: unknown = translation[key as keyof typeof translation];
    if (typeof text === 'string') return text === own && / [a-z]{3}/.test(text) ? [`${path}${key}`] : [];
    if (typeof text === 'function') return text === own ? [`${path}${key}`] : [];
    return typeof text === 'object' && text !== null ? sameTexts(text, own as object, `${path}${key}.`) : [];
  });
}
