// What a step of the first start is given.

import type { SubmitEvent } from 'react';

export interface StepProps {
  /** Next submits this form. */
  readonly formId: string;
  /** @param save keeps the answer; whether it could */
  onSubmit(event: SubmitEvent, save?: () => Promise<boolean>): void;
}
