// The report of a job. Apart from the other jobs, as the libraries that draw it take longer to load than all the
// others together.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnalysisResult } from '../../shared/analysis-result.ts';
import { IsolineError } from '../../shared/errors.ts';
import { NOT_IN_OLD_VERSIONS } from '../../shared/findings/codes.ts';
import { given } from '../../shared/given.ts';
import { leadsNamed } from '../../shared/signal/lead.ts';
import type { ReportJob } from '../clinic/ports.ts';
import { projectRoot, resourcePath } from '../product/product.ts';
import { makeReport } from '../report/report.ts';
import type { ReportResources } from '../report/report-pdf.ts';
import { carriedFiles } from './carried-files.ts';
import { openAll, readJob } from './job-files.ts';
import { scriptFonts } from './script-fonts.ts';

let resources: ReportResources | undefined;

function loadResources(): ReportResources {
  resources ??= {
    regular: readFileSync(resourcePath('report/fonts/Inter-Regular.otf')),
    semiBold: readFileSync(resourcePath('report/fonts/Inter-SemiBold.otf')),
    bold: readFileSync(resourcePath('report/fonts/Inter-Bold.otf')),
    scripts: scriptFonts(join(projectRoot, 'node_modules')),
    sRgb: readFileSync(resourcePath('report/colour/sRGB.icc')),
  };
  return resources;
}

/** @throws IsolineError `report_damaged`: without it the report would not be what it was */
function readLogo(path: string, sha256: string): Uint8Array {
  const bytes = readFileSync(path);
  if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
  throw new IsolineError(
    'report_damaged',
    'The logo of the report is damaged. Choose it again in the settings.',
  );
}

export async function runReport({
  files,
  startMs,
  resultJson,
  look,
  logoPath,
  ...job
}: ReportJob): Promise<Uint8Array> {
  using open = openAll(files);
  // Results of older versions do not list what they did not assess.
  const stored = JSON.parse(Buffer.from(resultJson).toString('utf8')) as AnalysisResult;
  const result: AnalysisResult = { ...stored, notAssessed: stored.notAssessed ?? [...NOT_IN_OLD_VERSIONS] };
  const { patient, corrections, timeZone, indications, taskId, revision, isEveryBeat } = job;
  const recording = readJob(open.files, given({ channels: job.channels, startMs }));
  const { carriesRecording, logo: sha256, rhythmLeads, ...shown } = look;
  const logo = logoPath === undefined || sha256 === undefined ? undefined : readLogo(logoPath, sha256);
  const carried =
    carriesRecording === true
      ? carriedFiles({ recording: { ...recording, patient }, resultJson, taskId, revision })
      : [];
  const pdf = await makeReport(
    {
      recording,
      result,
      corrections,
      patient,
      ...shown,
      files: carried,
      ...given({ timeZone, indications, taskId, revision, isEveryBeat, logo }),
      ...(rhythmLeads !== undefined && { rhythmLeads: leadsNamed(rhythmLeads) }),
    },
    loadResources(),
  );
  return Uint8Array.from(pdf);
}
