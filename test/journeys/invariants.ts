// What must be so after every step of a day, whoever did what before. Each is a sentence that a patient may rely on.

import { isPatientMissing } from '../../main/clinic/tasks/task-patient.ts';
import { writeHl7Result } from '../../main/formats/hl7/hl7-result.ts';
import { type Day, NOBODY } from './day.ts';

/** @throws Error with the sentence that does not hold */
export async function check(day: Day): Promise<void> {
  const { known, pages, open, jumped, deletedOfOthers } = day;
  const fail = (sentence: string): never => {
    throw new Error(sentence);
  };

  // What can be acted on belongs to whom the page names.
  for (const page of pages) {
    const finished = day.finishedOn(page);
    const whom = finished && known.get(finished.taskId)?.whom;
    if (finished !== undefined && whom !== day.whomOf(page))
      fail(`under "${day.whomOf(page)}" stands recording ${finished.taskId} of "${whom}"`);
  }

  // The device that was chosen is the one that is shown and recorded from.
  for (const { chosenDevice, ...page } of pages) {
    const shown = day.shownDevice({ chosenDevice, ...page }).id;
    if (chosenDevice !== undefined && shown !== chosenDevice)
      fail(`device ${chosenDevice} was chosen, and ${shown} is shown`);
  }

  // Nothing recorded is lost or stands under another name; what was deleted is what was shown.
  for (const [taskId, { whom, isDeleted }] of known) {
    const task = open.store.tasks.byId(taskId);
    if (task === undefined) return fail(`recording ${taskId} is gone`);
    if ((task.state === 'DELETED') !== isDeleted) fail(`recording ${taskId} is ${task.state}`);
    if (isDeleted) continue;
    const { lastName = NOBODY, id } = task.fields.patient;
    if (lastName !== whom) fail(`recording ${taskId} of "${whom}" stands under "${lastName}"`);
    // Nobody is nobody: no number by which two of them could pass for one.
    if (whom === NOBODY && (id !== undefined || task.patientId !== undefined || !isPatientMissing(task)))
      fail(`recording ${taskId} of nobody has a number`);
  }

  // What was deleted is of whom the dialog named.
  if (deletedOfOthers.length > 0) fail(`deleted: ${deletedOfOthers[0]}`);

  // An emergency goes before all others, files go last.
  if (jumped.length > 0) fail(jumped[0] as string);

  // What no physician has read is final nowhere.
  for (const [taskId, reading] of await day.readings()) {
    const { approvals = 0, isAmended = false, isRejected = false } = known.get(taskId) ?? {};
    if (isRejected) fail(`recording ${taskId} was rejected, and goes out`);
    const wanted = approvals === 0 ? 'unread' : isAmended ? 'amended' : 'approved';
    if (reading.status !== wanted)
      fail(`recording ${taskId} is ${wanted}, and goes out as ${reading.status}`);
    const isPreliminary = Buffer.from(
      writeHl7Result({
        ...reading,
        controlId: '1',
        from: { application: '', facility: '' },
        to: { application: '', facility: '' },
        sentMs: 0,
      }),
    )
      .toString('utf8')
      .split('\r')
      .filter((line) => line.startsWith('OBX'))
      .every((line) => line.split('|')[11] === 'P');
    if (isPreliminary !== (approvals === 0)) fail(`recording ${taskId} is final in HL7 without a physician`);
  }
}
