// Which channels of a recording are ECG, as people, pages and scripts say it: kept with the recording, analysed again, in the audit,
// remembered, and in what goes out.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Bridge } from '../../../shared/bridge/contract.ts';
import { importFiles } from '../../../shared/bridge/import-files.ts';
import { importTestFiles } from '../../support/import-test-files.ts';
import { plainEdf } from '../../support/plain-edf.ts';
import {
  eventually,
  FREE_OF_LIMITS,
  type RunningWorkstation,
  runWorkstation,
  whenAnalysed,
} from '../../support/running-workstation.ts';
import { type StrangeChannel, strangeEdf } from '../../support/strange-channels.ts';
import { V3Client } from '../../support/v3-client.ts';

const NUMBERED: readonly StrangeChannel[] = [
  { label: 'EKG1', is: 'I' },
  { label: 'EKG2', is: 'II', isTurned: true },
  { label: 'Chin', is: 'V5' },
];
const BRAIN: readonly StrangeChannel[] = [
  { label: 'C3', is: 'I' },
  { label: 'O2', is: 'II' },
];
const CHOSEN = [
  { label: 'EKG1', as: 'MDC_ECG_LEAD_I' as const },
  { label: 'EKG2', as: 'MDC_ECG_LEAD_II' as const, isTurned: true },
  { label: 'Chin' },
];

const leadsOf = async (bridge: Bridge, taskId: number) =>
  (await bridge.call('review.signal', { taskId, startSample: 0, sampleCount: 10 })).leads.map(
    ({ name }) => name,
  );

const source = (name: string, bytes: Uint8Array) => ({
  name,
  sizeBytes: bytes.length,
  read: async (offset: number, length: number) => Uint8Array.from(bytes.subarray(offset, offset + length)),
});
const start = (): Promise<RunningWorkstation> => runWorkstation({ overrides: FREE_OF_LIMITS });

describe('the channels of a recording', () => {
  test('are shown with what the program takes them for, and why', async () => {
    await using running = await start();
    const taskId = await importTestFiles(running.bridge, [{ name: 'a.edf', bytes: strangeEdf(NUMBERED) }]);
    const { channels, sameCount, choice } = await running.bridge.call('channels.of', { taskId });
    expect([sameCount, choice]).toEqual([0, undefined]);
    expect(channels).toMatchObject([
      { label: 'EKG1', kind: 'ecg', isUsed: true, isDownward: false, isFlat: false },
      { label: 'EKG2', kind: 'ecg', isUsed: true, isDownward: true },
      { label: 'Chin', kind: 'emg', isUsed: false },
    ]);
    expect(new Float32Array(Uint8Array.from(channels[0]!.columns).buffer).some(Number.isFinite)).toBe(true);
  });

  test('that a person has chosen are analysed, said in the warnings and the audit, and exported', async () => {
    await using running = await start();
    const { bridge } = running;
    const bytes = strangeEdf(NUMBERED);
    const taskId = await importTestFiles(bridge, [{ name: 'a.edf', bytes }]);
    expect(await leadsOf(bridge, taskId)).toEqual(['EKG1', 'EKG2']);
    await bridge.call('channels.choose', { taskId, choice: CHOSEN, isForSame: false });
    await eventually(
      async () => ((await bridge.call('task.get', { taskId })).revision === 2 ? true : undefined),
      'the second analysis',
    );
    expect((await leadsOf(bridge, taskId)).slice(0, 2)).toEqual(['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II']);
    const task = await bridge.call('task.get', { taskId });
    expect(task.revision).toBe(2);
    expect(task.leadCount).toBe(2);
    expect(task.warnings.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'The channels were chosen by a person: EKG1 = I, EKG2 = II.',
        'Turned over by a person: EKG2 = II.',
        'Left out by a person: Chin.',
      ]),
    );
    expect((await bridge.call('channels.of', { taskId })).choice).toEqual(CHOSEN);
    const { entries } = await bridge.call('audit.list', { limit: 50 });
    expect(entries.find(({ action }) => action === 'task.channels_chosen')?.detail).toEqual({
      used: 'EKG1 = I, EKG2 = II (turned over)',
      leftOut: 'Chin',
    });
    const exported = await bridge.call('recording.export', { taskId, format: 'edf' });
    const labels = Buffer.from(exported.bytes).toString('latin1', 256, 320);
    expect(labels).toMatch(/^ECG I\s+ECG II\s/);
    // What came in stays as it came.
    const client = new V3Client(running.url, (await running.makeToken()).text);
    const { json } = await client.post('/ext/v1/downloads', { task_id: taskId, kind: 'original' });
    expect(json.hash_sum).toBe(createHash('sha256').update(bytes).digest('base64'));
  });

  test('drop what was corrected in the reading before, and say so beforehand', async () => {
    await using running = await start();
    const { bridge } = running;
    const taskId = await importTestFiles(bridge, [{ name: 'a.edf', bytes: strangeEdf(NUMBERED) }]);
    await bridge.call('review.correct', {
      taskId,
      change: { kind: 'stated', code: 'own:1', text: 'A finding', severity: 'LOW' },
    });
    expect((await bridge.call('channels.of', { taskId })).isCorrected).toBe(true);
    await bridge.call('channels.choose', { taskId, choice: CHOSEN, isForSame: false });
    await whenAnalysed(bridge, taskId);
    expect((await bridge.call('review.reading', { taskId })).corrections).toEqual([]);
    const { entries } = await bridge.call('audit.list', { limit: 50 });
    expect(entries.map(({ action }) => action)).toContain('review.discarded');
  });

  test('are refused where they cannot be, and stay where the report was given out', async () => {
    await using running = await start();
    const { bridge } = running;
    const taskId = await importTestFiles(bridge, [{ name: 'a.edf', bytes: strangeEdf(NUMBERED) }]);
    const twice = CHOSEN.map((each) => ({ ...each, as: 'MDC_ECG_LEAD_I' as const }));
    for (const choice of [twice, CHOSEN.slice(1), CHOSEN.map(({ label }) => ({ label }))])
      await expect(
        bridge.call('channels.choose', { taskId, choice, isForSame: false }),
      ).rejects.toMatchObject({
        reason: 'invalid_channels',
      });
    const client = new V3Client(running.url, (await running.makeToken()).text);
    const upload_id = await client.upload(Buffer.from(strangeEdf(NUMBERED, 15)));
    const done = (await client.createTask({ upload_id, auto_complete: true })).json
      .created_task_ids as number[];
    await whenAnalysed(bridge, done[0]!);
    await expect(
      bridge.call('channels.choose', { taskId: done[0]!, choice: CHOSEN, isForSame: false }),
    ).rejects.toMatchObject({ reason: 'task_state_conflict' });
  });

  test('are the same for all recordings with such channels, for those that are there and those that come', async () => {
    await using running = await start();
    const { bridge } = running;
    const files = [12, 13, 14].map((seconds) => ({
      name: `${seconds}.edf`,
      bytes: strangeEdf(NUMBERED, seconds),
    }));
    const first = await importTestFiles(bridge, files.slice(0, 1));
    const second = await importTestFiles(bridge, files.slice(1, 2));
    expect((await bridge.call('channels.of', { taskId: first })).sameCount).toBe(1);
    await bridge.call('channels.choose', { taskId: first, choice: CHOSEN, isForSame: true });
    const third = await importTestFiles(bridge, files.slice(2));
    for (const taskId of [first, second, third]) {
      await whenAnalysed(bridge, taskId);
      expect((await leadsOf(bridge, taskId)).slice(0, 2)).toEqual(['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II']);
    }
    // What was said of all of them can be said otherwise of all of them.
    const again = CHOSEN.map(({ label, as }) =>
      as === 'MDC_ECG_LEAD_I' ? { label, as: 'MDC_ECG_LEAD_V5' as const } : { label },
    );
    expect((await bridge.call('channels.of', { taskId: first })).sameCount).toBe(2);
    await bridge.call('channels.choose', { taskId: first, choice: again, isForSame: true });
    await whenAnalysed(bridge, second);
    expect(await leadsOf(bridge, second)).toEqual(['MDC_ECG_LEAD_V5']);
    await bridge.call('channels.choose', { taskId: first, choice: CHOSEN, isForSame: true });
    // Another list of channels is another thing.
    const other = await importTestFiles(bridge, [
      { name: 'other.edf', bytes: strangeEdf(NUMBERED.slice(0, 2)) },
    ]);
    expect(await leadsOf(bridge, other)).toEqual(['EKG1', 'EKG2']);
  });

  test('scripts see and say them beside the interface', async () => {
    await using running = await start();
    const { bridge } = running;
    const taskId = await importTestFiles(bridge, [{ name: 'a.edf', bytes: strangeEdf(NUMBERED) }]);
    const client = new V3Client(running.url, (await running.makeToken()).text);
    const path = `/ext/v1/tasks/${taskId}/channels`;
    expect((await client.get(path)).json).toMatchObject({
      chosen: false,
      channels: [
        { label: 'EKG1', used: true, lead_code: 'ECG' },
        { label: 'EKG2', used: true },
        { label: 'Chin', used: false, kind: 'emg' },
      ],
    });
    const channels = [
      { label: 'EKG1', used: true, lead_code: 'MDC_ECG_LEAD_I' },
      { label: 'EKG2', used: true, lead_code: 'MDC_ECG_LEAD_II', turned: true },
      { label: 'Chin', used: false },
    ];
    expect(await client.post(path, { channels })).toMatchObject({ status: 200, json: {} });
    await whenAnalysed(bridge, taskId);
    expect((await client.get(path)).json).toMatchObject({
      chosen: true,
      channels: [
        { lead_code: 'MDC_ECG_LEAD_I' },
        { lead_code: 'MDC_ECG_LEAD_II', turned: true },
        { used: false },
      ],
    });
    expect((await client.post(path, { channels: channels.slice(1) })).json.reason).toBe('invalid_channels');
    expect((await client.post(path, { channels: 'all' })).json.reason).toBe('invalid_channels');
    // What is answered can be sent back, and changes nothing.
    const inverted = await importTestFiles(bridge, [
      {
        name: 'b.edf',
        bytes: strangeEdf([
          { label: '-aVR', is: 'aVR' },
          { label: 'MLII', is: 'II' },
        ]),
      },
    ]);
    const own = `/ext/v1/tasks/${inverted}/channels`;
    const answered = (await client.get(own)).json.channels as {
      label: string;
      used: boolean;
      lead_code: string;
    }[];
    await client.post(own, {
      channels: answered.map(({ label, used, lead_code }) => ({ label, used, lead_code })),
    });
    await whenAnalysed(bridge, inverted);
    await eventually(
      async () => ((await bridge.call('task.get', { taskId: inverted })).revision === 2 ? true : undefined),
      'the second analysis',
    );
    const { warnings } = await bridge.call('task.get', { taskId: inverted });
    expect(warnings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['lead_inverted', 'channels_chosen']),
    );
    const other = new V3Client(running.url, (await running.makeToken(['reports:read'])).text);
    expect((await other.get(path)).status).toBe(403);
  });
});

describe('a file without an ECG, as the program sees it', () => {
  const bytes = strangeEdf(BRAIN);
  const choice = [{ label: 'C3', as: 'MDC_ECG_LEAD_I' as const }, { label: 'O2' }];

  test('is imported where a person knows better, and the next one by itself', async () => {
    await using running = await start();
    const { bridge } = running;
    const outcome = await importFiles(bridge, [source('brain.edf', bytes)], { autoComplete: false });
    expect(outcome).toMatchObject({
      records: [{ name: 'brain.edf', reason: 'no_ecg_record', isAsked: true }],
      importId: expect.any(String),
    });
    const asked = { importId: outcome.importId!, name: 'brain.edf' };
    const { channels } = await bridge.call('channels.ofImport', asked);
    expect(channels).toMatchObject([
      { kind: 'eeg', isUsed: false, beatsPerMinute: expect.any(Number) },
      { kind: 'eeg' },
    ]);
    await expect(
      bridge.call('channels.import', {
        ...asked,
        choice: [{ label: 'C3' }, { label: 'O2' }],
        isForSame: true,
        autoComplete: false,
      }),
    ).rejects.toMatchObject({ reason: 'invalid_channels' });
    const record = await bridge.call('channels.import', {
      ...asked,
      choice,
      isForSame: true,
      autoComplete: false,
    });
    await whenAnalysed(bridge, record.taskId!);
    expect(await leadsOf(bridge, record.taskId!)).toEqual(['MDC_ECG_LEAD_I']);
    await expect(bridge.call('channels.ofImport', asked)).rejects.toMatchObject({
      reason: 'import_not_found',
    });
    const next = await importTestFiles(bridge, [{ name: 'next.edf', bytes: strangeEdf(BRAIN, 15) }]);
    expect(await leadsOf(bridge, next)).toEqual(['MDC_ECG_LEAD_I']);
    // A script that uploads such a file gets the same.
    const client = new V3Client(running.url, (await running.makeToken()).text);
    const upload_id = await client.upload(Buffer.from(strangeEdf(BRAIN, 16)));
    const [sent] = (await client.createTask({ upload_id })).json.created_task_ids as number[];
    await whenAnalysed(bridge, sent!);
    expect(await leadsOf(bridge, sent!)).toEqual(['MDC_ECG_LEAD_I']);
    // What is here already is opened, not asked about again.
    const known = await importFiles(bridge, [source('brain.edf', bytes)], { autoComplete: false });
    expect(known).toMatchObject({ records: [{ taskId: record.taskId, isKnown: true }] });
  });

  test('is forgotten with its import, and asked about by its own page alone', async () => {
    await using running = await start();
    const { bridge, workstation } = running;
    const files = [source('brain.edf', bytes), source('ecg.edf', strangeEdf([{ label: 'II', is: 'II' }]))];
    const { records, importId } = await importFiles(bridge, files, { autoComplete: false });
    expect(records.map(({ name, taskId }) => [name, taskId !== undefined])).toEqual([
      ['brain.edf', false],
      ['ecg.edf', true],
    ]);
    const asked = { importId: importId!, name: 'brain.edf' };
    const { BridgeClient } = await import('../../../shared/bridge/client.ts');
    const stranger = new BridgeClient(workstation.connect());
    await expect(stranger.call('channels.ofImport', asked)).rejects.toMatchObject({
      reason: 'import_not_found',
    });
    await bridge.call('import.cancel', { importId: asked.importId });
    await expect(bridge.call('channels.ofImport', asked)).rejects.toMatchObject({
      reason: 'import_not_found',
    });
  });

  test('is not asked about where two files have its name', async () => {
    await using running = await start();
    const files = [source('study.edf', bytes), source('study.edf', strangeEdf(BRAIN, 15))];
    const outcome = await importFiles(running.bridge, files, { autoComplete: false });
    expect(outcome.records.map(({ isAsked }) => isAsked)).toEqual([undefined, undefined]);
    expect(outcome.importId).toBeUndefined();
  });

  test('that is slow through and through is refused without a question', async () => {
    await using running = await start();
    const slow = Buffer.from(plainEdf(['Temp'], 'degC'));
    // Ten samples a record of ten seconds.
    slow.write('10'.padEnd(8), 256 + 216, 'latin1');
    const outcome = await importFiles(running.bridge, [source('slow.edf', slow)], { autoComplete: false });
    expect(outcome.records[0]?.isAsked).toBeUndefined();
    expect(outcome.importId).toBeUndefined();
  });
});
