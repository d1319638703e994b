// The twenty points of a report, each answered by what stands in its file.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyse } from '../../main/analysis/analyse.ts';
import { pt } from '../../main/report/paper-size.ts';
import { makeReport } from '../../main/report/report.ts';
import type { ReportInput } from '../../main/report/report-input.ts';
import { findingText, notAssessedText } from '../../shared/findings/finding-text.ts';
import { STRIP_SECONDS } from '../../shared/long/strips.ts';
import { displayName } from '../../shared/patient-text.ts';
import { type ReadPage, readPdf } from '../support/read-pdf.ts';
import { reportResources } from '../support/report-resources.ts';
import type { SampleReport } from './reports.ts';

export const POINTS = [
  'Two identifiers, or the number of the recording, on every page',
  'Birth date and age at the recording, or words that it is not known',
  'Sex, where it is known',
  'When it was recorded, with its zone or that none is known, on every page',
  'On every page whether somebody has approved it',
  'One overall line, and who says so',
  'Called normal only where that was stated',
  'Every statement is there',
  'On the first page the gravest statement stands first',
  'What was not assessed is said, with its reason',
  'Every measurement has a value or a reason',
  'Pulses of 10.0 ± 0.1 mm and 5.0 ± 0.1 mm before every row',
  '25 mm/s within 0.5 %',
  'No sample is cut off: it lies on the paper, or is marked at its edge with its value',
  'No text over another, none outside of the page',
  'Speed, gain and filter are named',
  'Device, rate and share of lost samples are named',
  'The same bytes again; the same content on Letter',
  'Tags, words for pictures, language; three fonts embedded; qpdf finds nothing wrong',
  'Page x of y, and a control line of 50.0 ± 0.1 mm',
] as const;

export interface CheckedReport {
  readonly name: string;
  readonly origin: string;
  readonly pages: number;
  readonly kib: number;
  readonly ms: number;
  /** One a point: undefined where it holds, else what is wrong. */
  readonly faults: readonly (string | undefined)[];
}

const textOf = (pages: readonly ReadPage[]): string => pages.map(({ text }) => text).join('\n');
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** Lines of six points that stand as a pulse does. */
const pulsesOf = ({ lines }: ReadPage) =>
  lines.filter(
    (points) => points.length === 6 && points[1]?.[0] === points[2]?.[0] && points[3]?.[0] === points[4]?.[0],
  );

function pulseFault(pages: readonly ReadPage[]): string | undefined {
  const pulses = pulsesOf(pages[0] as ReadPage);
  if (pulses.length === 0) return 'no pulse';
  const wrong = pulses.filter((points) => {
    const [foot, top, end] = [points[1], points[2], points[3]] as [
      readonly [number, number],
      readonly [number, number],
      readonly [number, number],
    ];
    const [high, wide] = [Math.abs(top[1] - foot[1]) / pt(1), (end[0] - top[0]) / pt(1)];
    return Math.abs(high - 10) > 0.1 || Math.abs(wide - 5) > 0.1;
  });
  return wrong.length === 0 ? undefined : `${wrong.length} of ${pulses.length} pulses`;
}

/** Traces of the first page by the steps between their points. */
function speedFault(pages: readonly ReadPage[], sampleRateHz: number): string | undefined {
  const [page] = pages as [ReadPage];
  const isStrip = page.heightPt > page.widthPt;
  const traces = page.lines.filter((points) =>
    isStrip ? points.length === Math.round(STRIP_SECONDS * sampleRateHz) : points.length > 300,
  );
  if (traces.length === 0) return 'no trace';
  for (const points of traces) {
    const [first, last] = [points[0], points.at(-1)] as [
      readonly [number, number],
      readonly [number, number],
    ];
    const mmPerS = ((last[0] - first[0]) / pt(1) / (points.length - 1)) * sampleRateHz;
    if (Math.abs(mmPerS / 25 - 1) > 0.005) return `${mmPerS.toFixed(2)} mm/s`;
  }
  return undefined;
}

/** Where a trace leaves the paper of the first page, its value must stand there. */
function edgeFault(pages: readonly ReadPage[]): string | undefined {
  const [page] = pages as [ReadPage];
  const isLandscape = page.widthPt > page.heightPt;
  if (!isLandscape) return undefined;
  const [top, bottom] = [pt(10 + 55), pt(10 + 190 - 10)];
  // Where rows are crowded, each trace has a white edge: it is there twice.
  const traces = new Map(
    page.lines.filter((points) => points.length > 300).map((points) => [String(points[0]), points]),
  );
  const leaving = [...traces.values()].filter((points) =>
    points.some(([, y]) => y < top - 0.5 || y > bottom + 0.5),
  );
  if (leaving.length === 0) return undefined;
  const values = page.boxes.filter(({ text }) => /^−?\d+[.,]\d mV$/.test(text)).length;
  return values >= leaving.length ? undefined : `${leaving.length} traces leave, ${values} values`;
}

function overlapFault(pages: readonly ReadPage[]): string | undefined {
  for (const { boxes, widthPt, heightPt } of pages) {
    const margin = pt(5);
    const outside = boxes.find(
      ({ left, right, bottom, top }) =>
        left < margin || right > widthPt - margin || bottom < margin || top > heightPt - margin,
    );
    if (outside !== undefined) return `outside: ${outside.text}`;
    for (const [i, a] of boxes.entries())
      for (const b of boxes.slice(i + 1))
        if (a.left < b.right && b.left < a.right && a.bottom < b.top && b.bottom < a.top)
          return `${a.text} / ${b.text}`;
  }
  return undefined;
}

function fileFault(path: string, pages: readonly ReadPage[]): string | undefined {
  for (const tag of ['Document', 'H1', 'P', 'TR', 'Figure'])
    if ((pages[0]?.tags.get(tag) ?? 0) === 0) return `no ${tag}`;
  if (pages.some(({ tags, alts }) => (tags.get('Figure') ?? 0) !== alts.length))
    return 'a picture without words';
  const fonts = spawnSync('pdffonts', [path], { encoding: 'utf8' });
  const lines = (fonts.stdout ?? '').trim().split('\n').slice(2);
  if (
    fonts.error === undefined &&
    (lines.length !== 3 || lines.some((line) => !/Inter.* yes yes yes/.test(line)))
  )
    return `fonts: ${lines.join(' ')}`;
  const qpdf = spawnSync('qpdf', ['--check', path], { encoding: 'utf8' });
  return qpdf.error !== undefined || qpdf.status === 0 ? undefined : qpdf.stderr.split('\n')[0];
}

const when = (isFine: boolean, fault: string): string | undefined => (isFine ? undefined : fault);

const OVERALL = /Normal ECG|Abnormal ECG|Not fully assessed|Not assessed: signal too poor/g;

export async function checkReport(sample: SampleReport, folder: string): Promise<CheckedReport> {
  const recording = sample.recording();
  const { patient } = sample;
  const createdMs = Date.UTC(2026, 10, 21);
  const result = analyse(recording, { patient, createdMs });
  const input: ReportInput = {
    recording,
    result,
    corrections: [],
    patient,
    approval: { kind: 'preliminary' },
    createdMs,
    paper: 'A4',
    taskId: 12,
    revision: 1,
    productVersion: '1.0.0',
  };
  await makeReport(input, reportResources);
  const startMs = performance.now();
  const pdf = await makeReport(input, reportResources);
  const ms = performance.now() - startMs;
  const path = join(folder, `${sample.name.replaceAll(' ', '-')}.pdf`);
  writeFileSync(path, pdf);
  const pages = await readPdf(pdf);
  const letter = await readPdf(await makeReport({ ...input, paper: 'Letter' }, reportResources));
  const again = await makeReport(input, reportResources);
  const all = flat(textOf(pages));
  const [first] = pages as [ReadPage];
  const everywhere = (test: (text: string) => boolean): boolean => pages.every(({ text }) => test(text));
  const name = displayName(patient);
  const statements = result.statements.map((statement) => findingText(statement, 'en'));
  const shown = first.text.split('\n');
  const listed = result.statements.filter(({ code }) => code !== 'SUM-NORMAL');
  const gravest = listed.toSorted(
    (a, b) => 'NLMIC'.indexOf(b.severity[0] as string) - 'NLMIC'.indexOf(a.severity[0] as string),
  )[0];
  const placeOf = (text: string): number => flat(first.text).indexOf(flat(text).slice(0, 40));
  const note = notAssessedText(result.notAssessed, 'en');
  const overall = [...first.text.matchAll(OVERALL)].length;
  const isNormal = result.statements.some(({ code }) => code === 'SUM-NORMAL');
  const dashes = shown.flatMap((text, i) => (text === '–' ? [shown[i + 1] ?? ''] : []));
  const faults = [
    when(
      everywhere((text) =>
        name === '' ? text.includes('Recording 12') : text.includes(name) && text.includes('ID'),
      ),
      'not on every page',
    ),
    when(
      patient.birthDate === undefined
        ? all.includes('Birth date not known')
        : / \d+ (y|months|days) · /.test(all),
      'no age',
    ),
    when(patient.gender === undefined || everywhere((text) => /· (fe)?male ·/.test(text)), 'no sex'),
    when(
      everywhere((text) =>
        /Start time not recorded|\d{2}:\d{2}:\d{2} (\(zone not recorded\)|[A-Z]{2,})/.test(text),
      ),
      'no time',
    ),
    when(
      everywhere((text) => text.includes('NOT APPROVED')),
      'not on every page',
    ),
    when(overall === 1 && all.includes('Suggested by the program'), `${overall} overall lines`),
    when(all.includes('Normal ECG') === isNormal, 'wrongly called normal'),
    when(
      statements.every((text) => all.includes(flat(text))),
      `missing: ${statements.find((text) => !all.includes(flat(text)))}`,
    ),
    when(
      gravest === undefined ||
        listed.every((statement) => {
          const own = placeOf(findingText(statement, 'en'));
          return own < 0 || own >= placeOf(findingText(gravest, 'en'));
        }),
      'another one before it',
    ),
    when(note === '' || all.includes(flat(note)), 'not as a whole'),
    when(
      first.widthPt < first.heightPt || dashes.every((text) => /[a-z]{3}|^–|none|QS|[+−0]/.test(text)),
      'a dash without a reason',
    ),
    pulseFault(pages),
    speedFault(pages, recording.channels[0] === undefined ? 1 : result.recording.sampleRateHz),
    edgeFault(pages),
    overlapFault(pages),
    when(
      everywhere((text) => /\d+ mm\/s · \d+ mm\/mV · .*unfiltered/.test(text)),
      'not on every page',
    ),
    when(
      everywhere((text) => / Hz · (sequential|simultaneous) · lost \d/.test(text)),
      'not on every page',
    ),
    when(Buffer.compare(pdf, again) === 0 && textOf(letter) === textOf(pages), 'bytes or content differ'),
    fileFault(path, pages),
    when(
      pages.every(
        ({ text, lines }, i) =>
          text.includes(`page ${i + 1} of ${pages.length}`) &&
          lines.some(
            (points) =>
              points.length === 2 &&
              Math.abs(((points[1]?.[0] ?? 0) - (points[0]?.[0] ?? 0)) / pt(1) - 50) <= 0.1,
          ),
      ),
      'not on every page',
    ),
  ];
  return {
    name: sample.name,
    origin: sample.origin,
    pages: pages.length,
    kib: Math.round(pdf.length / 1024),
    ms: Math.round(ms),
    faults,
  };
}
