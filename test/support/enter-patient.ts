// Enters a patient as a technician does: by keys, with name and date of birth confirmed.

import type { Page } from 'playwright-core';

export interface TypedPatient {
  readonly last: string;
  readonly first: string;
  readonly born: string;
  readonly number: string;
}
export const HOFFMANN: TypedPatient = {
  last: 'Hoffmann',
  first: 'Anneliese',
  born: '14.3.1951',
  number: '004 817',
};

export async function enterPatient(page: Page, { last, first, born, number }: TypedPatient): Promise<void> {
  const opened = page.getByRole('button', { name: /F7$/ });
  // A key is heard once the screen is there, and not while somebody is just signing in.
  for (let tries = 0; tries < 10; tries++) {
    await page.keyboard.press('F2');
    const isThere = await opened.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    );
    if (isThere) break;
  }
  await opened.waitFor();
  await page.keyboard.press('F7');
  await page.getByLabel('Last name').fill(last);
  await page.getByLabel('First name').fill(first);
  await page.getByRole('textbox', { name: 'Date of birth' }).fill(born);
  await page.getByLabel('Patient ID').fill(number);
  await page.getByRole('radio', { name: 'Female' }).check();
  await page.getByLabel('Name is correct').check();
  await page.getByLabel('Date of birth is correct').check();
}
