// What readers keep for themselves, and ask each other.

import type { READER_COMMANDS, READER_QUERIES } from '../../../shared/bridge/contract/readers.ts';
import type { CallOutput } from '../../../shared/bridge/contract.ts';
import { given } from '../../../shared/given.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { Person } from '../../clinic/people/users.ts';
import type { NamedConsultation } from '../../clinic/tasks/consultations.ts';
import type { Answers } from './caller.ts';

type View = CallOutput<'consultation.list'>['consultations'][number];

function view({ atSample, answer, answeredMs, closedMs: _closed, ...asked }: NamedConsultation): View {
  return { ...asked, ...given({ atSample, answer, answeredMs }) };
}

export function readerQueries({ phrases, consultations }: Clinic): Answers<keyof typeof READER_QUERIES> {
  return {
    'phrase.list': async (_input, caller) => ({ phrases: phrases.of(caller) }),
    'colleague.list': async (_input, { person }) => ({ colleagues: consultations.colleaguesOf(person) }),
    'consultation.list': async ({ taskId }) => ({ consultations: consultations.ofTask(taskId).map(view) }),
    'consultation.waiting': async (_input, { person }) => ({
      consultations: consultations.waitingFor(person).map(view),
    }),
  };
}

export function readerCommands({ phrases, consultations }: Clinic): Answers<keyof typeof READER_COMMANDS> {
  return {
    'phrase.keep': async (phrase, caller) => {
      await phrases.keep(phrase, caller);
      return {};
    },
    'phrase.remove': async ({ phraseId }, caller) => {
      await phrases.remove(phraseId, caller);
      return {};
    },
    'consultation.ask': async ({ atSample, ...question }, { actor, person }) => {
      await consultations.ask({ ...question, atSample }, person as Person, actor);
      return {};
    },
    'consultation.answer': async ({ consultationId, answer }, { actor, person }) => {
      await consultations.answer(consultationId, answer, person as Person, actor);
      return {};
    },
    'consultation.close': async ({ consultationId, isAnswerSeen }, caller) => {
      await consultations.close(consultationId, isAnswerSeen, caller);
      return {};
    },
  };
}
