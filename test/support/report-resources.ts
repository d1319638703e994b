// The fonts and the colour space of reports, as a worker loads them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptFonts } from '../../main/pool/script-fonts.ts';
import type { ReportResources } from '../../main/report/report-pdf.ts';
import { projectRoot } from './test-data.ts';

const read = (...parts: string[]) => readFileSync(join(projectRoot, 'main', 'report', ...parts));

export const reportResources: ReportResources = {
  regular: read('fonts', 'Inter-Regular.otf'),
  semiBold: read('fonts', 'Inter-SemiBold.otf'),
  bold: read('fonts', 'Inter-Bold.otf'),
  scripts: scriptFonts(join(projectRoot, 'node_modules')),
  sRgb: read('colour', 'sRGB.icc'),
};
