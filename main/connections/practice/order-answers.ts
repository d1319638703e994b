// Results of orders, back to the practice system: GDT 6310 with the report beside it, once somebody has
// approved it. What could not be written is written later.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gdtCharacterSet } from '../../../shared/character-set.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { Order } from '../../clinic/orders/records.ts';
import type { Log } from '../../clinic/ports.ts';
import { repeat } from '../../clinic/repeat.ts';
import { examinationResult } from '../../clinic/tasks/examination-result.ts';
import { writeWhole } from '../write-whole.ts';

const LOOK_MS = 2000;

async function answer(clinic: Clinic, order: Order, taskId: number, folder: string): Promise<void> {
  const { pdf, patient, approval } = await clinic.reports.read(taskId);
  const name = `isoline-${taskId}`;
  await mkdir(folder, { recursive: true });
  const result = {
    ...examinationResult(clinic.worklist.lookAt(taskId), patient, approval, order),
    report: { path: join(folder, `${name}.pdf`), description: 'ECG' },
  };
  const gdt = await clinic.context.pool.writeGdt(result, gdtCharacterSet(order.characterSet));
  await writeWhole(folder, `${name}.pdf`, pdf);
  await writeWhole(folder, `${name}.gdt`, gdt);
  await clinic.orders.noteAnswered(order.id, taskId);
}

/** One result that can't be made keeps no other back. */
async function answerAll(clinic: Clinic, folder: string, log: Log, signal: AbortSignal): Promise<void> {
  const { orders } = clinic;
  let isHindered = false;
  const fail = (error: unknown): void => {
    isHindered = true;
    if (!orders.has('unwritable'))
      log('orders.answer_failed', { reason: error instanceof Error ? error.name : 'unknown' });
  };
  try {
    for (const { order, taskId } of orders.unanswered()) {
      if (signal.aborted) return;
      // What a hospital asked for goes to its archive.
      if (order.facts.format !== 'gdt' && order.facts.format !== 'csv') continue;
      await answer(clinic, order, taskId, folder).catch(fail);
    }
  } catch (error) {
    fail(error);
  }
  orders.note('unwritable', isHindered);
}

/** @param folder empty: nobody waits for results */
export function answerOrders(clinic: Clinic, folder: () => string, log: Log): AsyncDisposable {
  return repeat(LOOK_MS, async (signal) => {
    if (folder() !== '') await answerAll(clinic, folder(), log, signal);
  });
}
