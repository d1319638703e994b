// A line of a form that makes a connection known.

import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

interface FormTextProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly most: number;
  readonly isRequired?: boolean;
  readonly isNumber?: boolean;
  onType(text: string): void;
}

export function FormText({
  label,
  hint,
  value,
  most,
  isRequired,
  isNumber,
  onType,
}: FormTextProps): ReactNode {
  return (
    <TextInput
      size="md"
      required={isRequired === true}
      label={label}
      description={hint}
      value={value}
      maxLength={most}
      {...(isNumber === true && { inputMode: 'numeric' as const })}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}
