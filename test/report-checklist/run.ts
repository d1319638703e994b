// Makes the twelve reports, answers their points, and writes docs/report-checklist.md: node test/report-checklist/run.ts

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, shelfFolder } from '../support/test-data.ts';
import { type CheckedReport, checkReport, POINTS } from './check-report.ts';
import { SAMPLE_REPORTS } from './reports.ts';

function documentOf(reports: readonly CheckedReport[]): string {
  const cell = (fault: string | undefined): string => (fault === undefined ? 'yes' : `**no**: ${fault}`);
  const head = reports.map((_, i) => String(i + 1)).join(' | ');
  const rows = POINTS.map(
    (point, i) => `| ${i + 1} | ${point} | ${reports.map(({ faults }) => cell(faults[i])).join(' | ')} |`,
  );
  const list = reports.map(
    ({ name, origin, pages, kib, ms }, i) => `| ${i + 1} | ${name} | ${origin} | ${pages} | ${kib} | ${ms} |`,
  );
  return `# Report checklist

Twelve reports, twenty points each. \`npm run report:checklist\` makes the reports, reads the files back and writes this page; it needs the labelled recordings, which lie beside the project and not in it.

| | Report of | Origin | Pages | KiB | ms, warm |
| --- | --- | --- | --- | --- | --- |
${list.join('\n')}

| | Point | ${head} |
| --- | --- |${' --- |'.repeat(reports.length)}
${rows.join('\n')}
`;
}

if (shelfFolder('corpus') === undefined) {
  process.stdout.write(
    'The labelled recordings are not on this machine: the report checklist was left out.\n',
  );
} else {
  const folder = join(projectRoot, 'out', 'report-checklist');
  mkdirSync(folder, { recursive: true });
  const reports: CheckedReport[] = [];
  for (const sample of SAMPLE_REPORTS) {
    const checked = await checkReport(sample, folder);
    reports.push(checked);
    const wrong = checked.faults.flatMap((fault, i) => (fault === undefined ? [] : [`${i + 1} ${fault}`]));
    process.stdout.write(
      `${checked.name}: ${checked.pages} pages, ${checked.kib} KiB, ${checked.ms} ms, ${wrong.length === 0 ? 'all points hold' : wrong.join('; ')}\n`,
    );
  }
  writeFileSync(join(projectRoot, 'docs', 'report-checklist.md'), documentOf(reports));
  process.exitCode = reports.some(({ faults }) => faults.some((fault) => fault !== undefined)) ? 1 : 0;
}
