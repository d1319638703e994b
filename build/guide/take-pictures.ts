// `npm run pictures`, after the tests: the pictures of the guides and the README are those that the tests have just made.
// What nobody shows any more goes.

import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { madePictures, namedPictures, picturesNotMade, shownPictures } from './guide-pictures.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const missing = picturesNotMade(root);
if (missing.length > 0) {
  process.stderr.write(`Run the tests first: they have not made ${missing.join(', ')}.\n`);
  process.exitCode = 1;
} else {
  const names = namedPictures(root);
  mkdirSync(shownPictures(root), { recursive: true });
  for (const name of names) copyFileSync(join(madePictures(root), name), join(shownPictures(root), name));
  for (const name of readdirSync(shownPictures(root)))
    if (!names.includes(name)) rmSync(join(shownPictures(root), name));
  process.stdout.write(`${names.length} pictures\n`);
}
