// The same facts on every way out: thirteen recordings, each read back from what a screen shows, from the report (pdftotext), and
// from results in HL7 (python3-hl7), FHIR (against its schema), DICOM (pydicom) and GDT, from the status of /v3, and from files for
// other programs.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { taskDetail } from '../../main/bridge/handlers/task-row.ts';
import type { OutboxEntry } from '../../main/clinic/outbox/records.ts';
import { examinationResult } from '../../main/clinic/tasks/examination-result.ts';
import { packReading } from '../../main/connections/dicom/pack-reading.ts';
import { packFhir } from '../../main/connections/fhir/pack-fhir.ts';
import { packFiles } from '../../main/connections/folder/pack-files.ts';
import { packResult } from '../../main/connections/hl7/pack-result.ts';
import { EXPLICIT_LITTLE_ENDIAN } from '../../main/formats/dicom/dicom-uids.ts';
import { READING_STATUS_WORDS, type ReadingStatus } from '../../main/ground/reading-status.ts';
import { type RunningPool, startPool } from '../../main/pool/pool.ts';
import type { ExportFormat } from '../../shared/export-formats.ts';
import { STANDARD_LEADS } from '../../shared/signal/lead.ts';
import type { PatientFacts, Recording, Warning } from '../../shared/signal/recording.ts';
import { warning, warningText } from '../../shared/warnings/warning.ts';
import { faultsOf } from '../support/fhir-schema.ts';
import { inTransaction } from '../support/in-transaction.ts';
import { makeFrame } from '../support/make-frames.ts';
import { openTestClinic, type TestClinic } from '../support/open-clinic.ts';
import { RECORDED_DEVICE } from '../support/recorded-device.ts';
import { eventually } from '../support/running-workstation.ts';
import { toRecording, twelveLeads } from '../support/synthetic-recording.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { dataFolder } from '../support/test-data.ts';
import { write } from '../support/written-records.ts';

const PYTHON = '/usr/bin/python3';
const has = (module: string): boolean => spawnSync(PYTHON, ['-c', `import ${module}`]).status === 0;
const [hasHl7, hasPydicom] = [has('hl7'), has('pydicom')];
const hasPdfText = spawnSync('pdftotext', ['-v']).error === undefined;
/** The head of a DICOM file whose dataset is in explicit little endian. */
const HEAD = (() => {
  const uid = Buffer.from(
    EXPLICIT_LITTLE_ENDIAN.padEnd(EXPLICIT_LITTLE_ENDIAN.length + (EXPLICIT_LITTLE_ENDIAN.length % 2), '\0'),
  );
  const element = Buffer.alloc(8);
  element.writeUInt16LE(0x0002, 0);
  element.writeUInt16LE(0x0010, 2);
  element.write('UI', 4);
  element.writeUInt16LE(uid.length, 6);
  const length = Buffer.from([2, 0, 0, 0, 0x55, 0x4c, 4, 0, 0, 0, 0, 0]);
  length.writeUInt32LE(element.length + uid.length, 8);
  return Buffer.concat([Buffer.alloc(128), Buffer.from('DICM'), length, element, uid]);
})();
const python = (script: string, file: string): string =>
  spawnSync(PYTHON, ['-c', script, file], { encoding: 'utf8' }).stdout;

const LIND = { name: 'Dr. Lind', actor: 'user:3' };
const EVA: PatientFacts = { id: '4817', lastName: 'Hoffmann', firstName: 'Eva', birthDate: '1951-03-04' };

interface Case {
  readonly status: ReadingStatus | 'rejected';
  readonly patient?: PatientFacts;
  readonly bytes?: () => Uint8Array;
  readonly leads?: number;
  /** By a device on the desk that has no patient. */
  readonly isSimulated?: boolean;
  readonly warnings?: readonly Warning[];
  readonly isEmergency?: boolean;
  /** All numbers of the patient, as the order says them. */
  readonly patientIds?: readonly { readonly id: string; readonly issuer: string; readonly kind: string }[];
}

/** An ECG of its own for each case. */
function edf(n: number, leads = 8): Uint8Array {
  const ecg = twelveLeads({ leads: STANDARD_LEADS.slice(0, leads), durationSeconds: 10, seed: n });
  const recording: Recording = {
    ...toRecording(ecg),
    startTime: { utcMs: Date.UTC(2026, 0, 2, 8), isZoneKnown: true },
  };
  const { source } = write(recording, 'edf', 'a.edf').files[0]!;
  return source.read(0, source.sizeBytes);
}
const WRONG_RATE = warning('rate_corrected', { measured: 240, declared: 250 });

const CASES: Readonly<Record<string, Case>> = {
  unread: { status: 'unread' },
  approved: { status: 'approved' },
  amended: { status: 'amended' },
  rejected: { status: 'rejected' },
  'of one lead': { status: 'approved', leads: 1 },
  'of twelve leads': { status: 'approved', leads: 12 },
  'with gaps': {
    status: 'approved',
    bytes: () => readFileSync(join(dataFolder, 'edf', 'made_plusD_gaps.edf')),
    warnings: [warning('signal_lost', { stored: 10, lost: 26, longest: 5.5 })],
  },
  'of a wrong rate': { status: 'approved', warnings: [WRONG_RATE] },
  simulated: { status: 'approved', isSimulated: true },
  'of a child': { status: 'approved', patient: { ...EVA, firstName: 'Mia', birthDate: '2020-05-06' } },
  'of an emergency': { status: 'unread', isEmergency: true },
  'of two numbers': {
    status: 'approved',
    patientIds: [
      { id: '4817', issuer: 'KIS', kind: 'MR' },
      { id: '99', issuer: 'REG', kind: 'SS' },
    ],
  },
  'of a name beyond Latin-1': {
    status: 'approved',
    patient: { ...EVA, lastName: 'Łukaszewicz', firstName: 'Žofia' },
  },
};

let folder: TempFolder;
let open: TestClinic;
let pool: RunningPool;
const tasks = new Map<string, number>();

const SECONDS = 12;
async function simulate(patient: PatientFacts): Promise<number> {
  const { desk } = open.clinic;
  const leadCodes = [...STANDARD_LEADS.slice(0, 2)];
  const id = await desk.begin({
    parameters: { sampleRateHz: 500, leadCodes },
    device: { ...RECORDED_DEVICE, isSimulated: true },
    startedMs: Date.now(),
    entry: { fields: { patient }, isAutoComplete: false, identity: { name: 'said', birth: 'said' } },
  });
  for (let n = 0; n < SECONDS; n++)
    await desk.append(id, n * 1e6, makeFrame({ leads: 2, from: n * 500, samples: 500 }), []);
  await desk.finish(id, { events: [], warnings: [] });
  return id;
}

async function make(name: string, n: number): Promise<number> {
  const { clinic, store, organizationId } = open;
  const { status, patient = EVA, bytes, leads = 8, warnings = [], ...more } = CASES[name] as Case;
  if (more.isSimulated === true) return simulate(patient);
  const content = bytes?.() ?? edf(n, leads);
  const sha256 = await clinic.context.files.put(content);
  const described = await pool.describe([{ name: 'a.edf', path: clinic.context.files.path(sha256) }]);
  const outcome = described.records[0]?.outcome;
  if (outcome?.ok !== true) throw new Error('the recording cannot be read');
  const isNobody = more.isEmergency === true;
  const { taskId } = inTransaction(store, (tx) =>
    clinic.tasks.addRecorded(tx, {
      organizationId,
      fields: { patient: isNobody ? {} : patient },
      isAutoComplete: status === 'unread',
      origin: 'v3',
      files: [{ name: 'a.edf', sha256, sizeBytes: content.length }],
      facts: { ...outcome.facts, patient: {} },
      warnings,
      actor: 'test',
      ...(isNobody && { identity: {} }),
    }),
  );
  if (more.patientIds !== undefined)
    store.transaction(() => {
      const orders = [
        {
          format: 'hl7' as const,
          patient,
          orderNumber: 'B1',
          indications: [],
          warnings: [],
          asked: { patientIds: [...(more.patientIds ?? [])], orderIssuer: 'KIS' },
        },
      ];
      store.orders.add({ key: name, name, orders }, organizationId, Date.now());
      const [order] = store.orders.since(0);
      store.orders.link(order!.id, taskId);
    });
  return taskId;
}

async function read(name: string, taskId: number): Promise<void> {
  const { approvals, corrections, queue } = open.clinic;
  queue.wake();
  const { status } = CASES[name] as Case;
  const wanted = status === 'unread' ? 'COMPLETED' : 'AWAITING_APPROVAL';
  await eventually(
    async () => (open.store.tasks.byId(taskId)?.state === wanted ? true : undefined),
    `${name}: ${wanted}`,
  );
  if (status === 'rejected') await approvals.reject(taskId, 'Electrodes exchanged', LIND);
  if (status !== 'approved' && status !== 'amended') return;
  await approvals.approve(taskId, { revision: 1, version: 0 }, LIND);
  if (status === 'approved') return;
  const caller = { actor: LIND.actor, session: 'page', person: undefined };
  const change = { kind: 'severity', severity: 'LOW', reason: 'Seen before' } as const;
  const version = await corrections.correct(taskId, change, caller as never);
  await approvals.approve(taskId, { revision: 1, version }, LIND, 'Severity set again');
}

beforeAll(async () => {
  folder = await tempFolder();
  pool = startPool({ workers: 2, timeLimitSeconds: 60, log: () => undefined });
  open = await openTestClinic(folder.path, pool, Date.now);
  let n = 0;
  for (const name of Object.keys(CASES)) tasks.set(name, await make(name, ++n));
  for (const [name, taskId] of tasks) await read(name, taskId);
}, 300_000);
afterAll(async () => {
  await open?.close();
  await pool?.close();
  await folder?.remove();
});

/** What every way out has to say. */
function factsOf(name: string) {
  const { status, patient = EVA, isEmergency = false } = CASES[name] as Case;
  const taskId = tasks.get(name) as number;
  const looked = open.clinic.worklist.lookAt(taskId);
  const detail = taskDetail(looked);
  return {
    taskId,
    status,
    detail,
    lastName: isEmergency ? '' : (patient.lastName ?? ''),
    isSimulated: detail.isSimulated === true,
    rateBpm: detail.measurements?.heartRateBpm,
    statements: detail.statements.map(({ text }) => text),
    warnings: detail.warnings.map((each) => (typeof each === 'string' ? each : warningText(each, 'en'))),
    entry: { taskId } as OutboxEntry,
  };
}
const plain = (text: string): string => text.replace(/\s+/g, ' ');
const leaving = Object.keys(CASES).filter((name) => CASES[name]?.status !== 'rejected');

describe.each(leaving)('a recording %s', (name) => {
  test('on the worklist and the review', () => {
    const { detail, lastName, isSimulated } = factsOf(name);
    expect(detail.patient.lastName ?? '').toBe(lastName);
    expect(detail.isSimulated === true).toBe(isSimulated);
    for (const each of (CASES[name] as Case).warnings ?? [])
      expect(detail.warnings.map((one) => (typeof one === 'string' ? one : one.name))).toContain(each.name);
  });

  test.skipIf(!hasPdfText)('on paper (left out where pdftotext is missing)', async () => {
    const { taskId, lastName, status, isSimulated, rateBpm, warnings } = factsOf(name);
    const { pdf } = await open.clinic.reports.read(taskId);
    const path = join(folder.path, `${taskId}.pdf`);
    writeFileSync(path, pdf);
    const text = plain(spawnSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' }).stdout);
    expect(text).toContain(lastName.toUpperCase());
    expect(text.includes('Dr. Lind')).toBe(status !== 'unread');
    expect(/simulated/i.test(text)).toBe(isSimulated);
    if (rateBpm !== undefined) expect(text).toContain(String(Math.round(rateBpm)));
    if (warnings.length > 0) expect(text).toContain('About the recording:');
    for (const each of (CASES[name] as Case).warnings ?? [])
      expect(text).toContain(plain(warningText(each, 'en')).slice(0, 40));
  });

  test.skipIf(!hasHl7)('in HL7 (left out where python3-hl7 is missing)', async () => {
    const { entry, lastName, status, isSimulated, rateBpm, statements, warnings } = factsOf(name);
    await using parcel = await packResult(open.clinic, entry, { application: 'KIS', facility: 'X' } as never);
    const path = join(folder.path, `${entry.taskId}.hl7`);
    writeFileSync(path, parcel.message);
    const found = JSON.parse(
      python(
        `
import hl7, json, sys
m = hl7.parse(open(sys.argv[1], encoding='utf-8', newline='').read())
obx = m.segments('OBX')
print(json.dumps({
  'name': str(m.segment('PID')(5)), 'ids': str(m.segment('PID')(3)), 'training': str(m.segment('MSH')(11)),
  'statuses': sorted({str(m.segment('OBR')(25))} | {str(o(11)) for o in obx}),
  'numbers': [str(o(5)) for o in obx if str(o(2)) == 'NM'], 'texts': [str(o(5)) for o in obx if str(o(2)) == 'TX']}))
`,
        path,
      ),
    ) as Record<'name' | 'ids' | 'training', string> & Record<'statuses' | 'numbers' | 'texts', string[]>;
    expect(found.name.split('^')[0]).toBe(lastName);
    for (const { id, issuer } of (CASES[name] as Case).patientIds ?? [])
      expect(found.ids).toContain(`${id}^^^${issuer}`);
    expect(found.statuses).toEqual([READING_STATUS_WORDS[status as ReadingStatus].hl7]);
    expect(found.training).toBe(isSimulated ? 'T' : 'P');
    if (rateBpm !== undefined) expect(found.numbers).toContain(String(Math.round(rateBpm)));
    const said = found.texts.join('\n').replaceAll('\\T\\', '&');
    for (const text of [...statements, ...warnings]) expect(said).toContain(text);
    expect(said.includes('Not read by a physician')).toBe(status === 'unread');
  });

  test('in a folder', async () => {
    const { entry, lastName, status, isSimulated, rateBpm, statements, warnings } = factsOf(name);
    await using parcel = await packFiles(open.clinic, entry);
    expect(Buffer.from(parcel.pdf.subarray(0, 5)).toString()).toBe('%PDF-');
    const said = JSON.parse(Buffer.from(parcel.json).toString('utf8')) as {
      readonly patient: { readonly lastName?: string };
      readonly measurements: { readonly heartRateBpm?: number };
    } & Record<string, unknown>;
    expect(said).toMatchObject({ status, isSimulated, statements, warnings, report: `${parcel.name}.pdf` });
    expect(said.patient.lastName ?? '').toBe(lastName);
    expect(said.approval).toMatchObject({ isByPhysician: status !== 'unread' });
    if (rateBpm !== undefined)
      expect(Math.round(said.measurements.heartRateBpm ?? 0)).toBe(Math.round(rateBpm));
  });

  test('in FHIR', async () => {
    const { entry, lastName, status, rateBpm, statements, warnings } = factsOf(name);
    const url = 'http://127.0.0.1/fhir';
    await using parcel = await packFhir(open.clinic, entry, 'urn:x', url);
    const bundle = JSON.parse(Buffer.from(parcel.bundle).toString('utf8')) as {
      resourceType: string;
      entry: { resource: Record<string, unknown> & { resourceType: string } }[];
    };
    expect(faultsOf(bundle)).toEqual([]);
    const of = (type: string) =>
      bundle.entry.map(({ resource }) => resource).filter(({ resourceType }) => resourceType === type);
    const { fhir } = READING_STATUS_WORDS[status as ReadingStatus];
    const [report] = of('DiagnosticReport');
    expect(report?.status).toBe(fhir);
    const conclusion = String(report?.conclusion ?? '');
    for (const text of [...statements, ...warnings]) expect(conclusion).toContain(text);
    expect(conclusion.includes('Not read by a physician')).toBe(status === 'unread');
    const text = JSON.stringify(bundle);
    if (lastName !== '') expect(text).toContain(lastName);
    if (rateBpm !== undefined) expect(text).toContain(`"value":${Math.round(rateBpm)}`);
  });

  test.skipIf(!hasPydicom)('in DICOM (left out where python3-pydicom is missing)', async () => {
    const { entry, lastName, status, statements, warnings } = factsOf(name);
    await using parcel = await packReading(open.clinic, entry, AbortSignal.timeout(60_000));
    for (const [i, object] of parcel.objects.entries()) {
      const path = join(folder.path, `${entry.taskId}-${i}.dcm`);
      const dataset = await parcel.read(object.offsetBytes, object.lengthBytes);
      writeFileSync(path, Buffer.concat([HEAD, dataset]));
      const found = JSON.parse(
        python(
          `
import json, pydicom, sys
d = pydicom.dcmread(sys.argv[1])
def texts(items):
    for i in items:
        if 'TextValue' in i: yield str(i.TextValue)
        yield from texts(i.get('ContentSequence', []))
print(json.dumps({'name': str(d.PatientName.family_name), 'verified': str(d.get('VerificationFlag', '')),
  'texts': list(texts(d.get('ContentSequence', [])))}))
`,
          path,
        ),
      ) as { name: string; verified: string; texts: string[] };
      if (lastName !== '') expect(found.name).toBe(lastName);
      if (found.verified !== '') expect(found.verified).toBe(status === 'unread' ? 'UNVERIFIED' : 'VERIFIED');
      if (found.texts.length > 0)
        for (const text of [...statements, ...warnings]) expect(found.texts.join('\n')).toContain(text);
    }
  });

  test('in GDT', async () => {
    const { taskId, status, statements, warnings, isSimulated } = factsOf(name);
    const { patient, approval } = await open.clinic.reports.read(taskId);
    const result = examinationResult(open.clinic.worklist.lookAt(taskId), patient, approval, undefined);
    const lines = Buffer.from(await pool.writeGdt(result, 'utf-8'))
      .toString('utf8')
      .split('\r\n');
    const said = lines
      .filter((line) => line.slice(3, 7) === '6228')
      .map((line) => line.slice(7))
      .join('\n');
    for (const text of [...statements, ...warnings]) expect(said).toContain(text.slice(0, 200));
    expect(said.includes('Not read by a physician')).toBe(status === 'unread');
    expect(/SIMULATED/.test(said)).toBe(isSimulated);
  });
});

/** Longer, or higher, than the format can hold: it is refused in a sentence that names another one. */
const TOO_MUCH_FOR_SCP = ['with gaps', 'simulated'];

describe.each(leaving)('a recording %s, given to other programs', (name) => {
  const bytesOf = async (format: ExportFormat) => {
    const file = await open.clinic.exports.export(tasks.get(name) as number, format, 'test');
    const path = join(folder.path, file.name);
    writeFileSync(path, file.bytes);
    return { ...file, path, text: Buffer.from(file.bytes).toString('utf8') };
  };

  test('by /v3: whether it is there, and how grave it is', () => {
    const { taskId, detail } = factsOf(name);
    const status = open.clinic.tasks.status(open.organizationId, taskId);
    expect(status).toMatchObject({ isProcessed: true, isReportAvailable: true });
    expect(status.severity).toBe(detail.severity);
  });

  test('as JSON', async () => {
    const { statements } = factsOf(name);
    const result = JSON.parse((await bytesOf('json')).text) as { statements: { text: string }[] };
    expect(result.statements.map(({ text }) => text).sort()).toEqual([...statements].sort());
  });

  test('as CSV', async () => {
    const { detail, isSimulated } = factsOf(name);
    const { text, name: fileName } = await bytesOf('csv');
    const heads = text.slice(0, text.indexOf('\r\n')).split(',');
    expect(heads.length).toBe((CASES[name] as Case).leads ?? detail.leadCount);
    expect(fileName.startsWith('SIMULATED-')).toBe(isSimulated);
    expect(fileName).toMatch(/^(SIMULATED-)?ecg-\d+\.csv$/);
  });

  test('as aECG, read by an XML parser', async () => {
    const { lastName, detail, isSimulated } = factsOf(name);
    const { path, text } = await bytesOf('aecg');
    const found = JSON.parse(
      python(
        `
import json, sys, xml.etree.ElementTree as E
root = E.parse(sys.argv[1]).getroot()
local = lambda e: e.tag.split('}')[1]
of = lambda name: [e for e in root.iter() if local(e) == name]
print(json.dumps({'family': [e.text for e in of('family')], 'given': [e.text for e in of('given')],
  'ids': [e.get('extension') for e in of('id') if e.get('extension')]}))
`,
        path,
      ),
    ) as Record<'family' | 'given' | 'ids', string[]>;
    expect(found.family.join('')).toBe(lastName);
    expect(found.given.join('')).toBe(detail.patient.firstName ?? '');
    expect(/SIMULATED/i.test(text)).toBe(isSimulated);
  });

  test('as SCP-ECG', async () => {
    const { lastName, detail, isSimulated } = factsOf(name);
    if (TOO_MUCH_FOR_SCP.includes(name))
      return void (await expect(bytesOf('scp')).rejects.toMatchObject({ reason: 'format_unsuitable' }));
    const { path, text } = await bytesOf('scp');
    const { records } = await pool.describe([{ name: 'a.scp', path }]);
    const outcome = records[0]?.outcome;
    if (outcome?.ok !== true) throw new Error('the file cannot be read');
    expect(outcome.facts.patient.lastName ?? '').toBe(lastName);
    expect(outcome.facts.patient.birthDate).toBe(detail.patient.birthDate);
    expect(/SIMULATED/i.test(text)).toBe(isSimulated);
  });
});

test('what was rejected leaves on no way', async () => {
  const { taskId, entry } = factsOf('rejected');
  expect(open.store.tasks.byId(taskId)?.state).not.toBe('COMPLETED');
  const receiver = { application: 'KIS', facility: 'X' } as never;
  for (const way of [
    packResult(open.clinic, entry, receiver),
    packFhir(open.clinic, entry, 'urn:x', 'http://127.0.0.1'),
    packReading(open.clinic, entry, AbortSignal.timeout(60_000)),
    open.clinic.reports.fetch(open.organizationId, taskId),
  ])
    await expect(way).rejects.toMatchObject({
      reason: expect.stringMatching(/state_conflict|not_available/),
    });
});
