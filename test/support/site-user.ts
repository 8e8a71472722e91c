import type { Page } from 'playwright-core';
import { AddUser } from '#application/accounts/users/add-user.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import type { Site } from './site.js';

export const PASSWORD = 'correct horse battery staple';

/** Adds the administrator `ada`. */
export async function addAda({ service }: Site): Promise<void> {
  const ada = { name: 'ada', email: null, password: PASSWORD, administrator: true };
  await service.application.useCase(AddUser).execute(ada, COMMAND_LINE);
}

/** Signs in with the form on the page. */
export async function signIn(page: Page, password = PASSWORD, user = 'ada'): Promise<void> {
  await page.fill('.sign-in [name=user]', user);
  await page.fill('.sign-in [name=password]', password);
  await page.click('.sign-in button[type=submit]');
}
