// Writes what was learned as a module of the program: its text is the same whenever the model is.

import { createHash } from 'node:crypto';
import type { TreeModel } from '../main/analysis/decisions/trees.ts';

/** A text of several lines of at most so many characters. */
const LINE = 1000;
const linesOf = (text: string): string[] => text.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [];

/**
 * @param name of the constant @param what was learned, as the first line says it
 * @param script that made it
 */
export function treeModule(
  name: string,
  what: string,
  script: string,
  { nodes, ...model }: TreeModel,
): string {
  const json = JSON.stringify(model);
  const sha256 = createHash('sha256').update(json).update(nodes).digest('hex');
  return [
    `// What was learned of ${what} (training/README.md).`,
    `// SHA-256 ${sha256}. Made by training/${script}.`,
    '',
    "import { bytesOf } from '../waves/base64.ts';",
    "import { type TreeModel, treeModel } from './trees.ts';",
    '',
    `export const ${name}: TreeModel = treeModel(`,
    '  `',
    ...linesOf(json),
    '`,',
    '  bytesOf(`',
    ...linesOf(Buffer.from(nodes).toString('base64')),
    '`),',
    ');',
    '',
  ].join('\n');
}
