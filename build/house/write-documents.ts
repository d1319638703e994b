// Writes what the documents take from the sources: the drawing in docs/architecture.md, docs/bridge.md, and the
// schema of an analysis.
// `npm run house`

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnalysisResultSchema } from '../../shared/analysis-result.ts';
import { bridgePage } from './bridge-page.ts';
import { drawHouse } from './draw-house.ts';
import { readSources } from './read-sources.ts';

const BEGIN = '<!-- drawn: npm run house -->';
const END = '<!-- end of the drawing -->';

const root = join(import.meta.dirname, '..', '..');
const path = join(root, 'docs', 'architecture.md');
const page = readFileSync(path, 'utf8');
const drawing = drawHouse(
  readSources(root, ['main', 'shared', 'preload', 'renderer']),
  readSources(root, ['test']),
);
const [before, after] = [page.slice(0, page.indexOf(BEGIN)), page.slice(page.indexOf(END))];
writeFileSync(join(root, 'docs', 'bridge.md'), `${bridgePage()}\n`);
writeFileSync(path, `${before}${BEGIN}\n\n${drawing}\n\n${after}`);
writeFileSync(
  join(root, 'docs', 'analysis-result.schema.json'),
  `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...AnalysisResultSchema }, undefined, 2)}\n`,
);
