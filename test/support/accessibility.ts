import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOnly } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules of `WCAG` with the tag `cat.color`. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Checks a page with axe-core against the rules of WCAG 2.2 AA. The script runs through the debugging protocol, which the content
 * security policy of the page does not restrict.
 *
 * @returns the violations, one line each
 */
export const accessibilityFaults = (page: Page): Promise<string[]> =>
  violationsOf(page, { type: 'tag', values: WCAG });

/**
 * Checks only the rules whose result depends on colors. This is enough for a page that all rules have checked in the other color
 * scheme at the same width, because the styles of the site know the scheme only as colors; a test holds this.
 *
 * @returns the violations, one line each
 */
export const colorFaults = (page: Page): Promise<string[]> =>
  violationsOf(page, { type: 'rule', values: COLOR_RULES });

async function violationsOf(page: Page, runOnly: RunOnly): Promise<string[]> {
  // A page keeps the script until the browser loads another document.
  if (await page.evaluate("!('axe' in globalThis)")) await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    (only) =>
      (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
        runOnly: only,
        // Results for elements that pass are left out, because these results would take a third of the time.
        resultTypes: ['violations'],
      }),
    runOnly,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} (${failureSummary ?? ''})`,
    ),
  );
}

/** Expects no fault in both color schemes, at the width of a phone and of a desk, and that no hostile text became a script. @param section named by a failure */
export async function expectWellFormed(page: Page, section: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await accessibilityFaults(page), section).to.deep.equal([]);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await colorFaults(page), section).to.deep.equal([]);
  await page.setViewportSize({ width: 360, height: 800 });
  const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(beyond), section).to.equal(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await page.evaluate('globalThis.ran'), section).to.equal(undefined);
}
