// A PIN or a password, which can be shown to whoever types it.

import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface SecretInputProps extends Pick<PasswordInputProps, 'ref' | 'size' | 'label' | 'mt'> {
  readonly value: string;
  readonly error?: string | undefined;
  /** A new one: password managers offer to make it. */
  readonly isNew?: boolean;
  /** A dialog has just opened: what is typed next goes here. */
  readonly hasFocusFirst?: boolean;
  onType(text: string): void;
}

export function SecretInput({
  value,
  error,
  isNew,
  hasFocusFirst,
  onType,
  ...rest
}: SecretInputProps): ReactNode {
  const { t } = useTranslation();
  return (
    <PasswordInput
      size="md"
      data-secret
      data-autofocus={hasFocusFirst === true ? true : undefined}
      {...rest}
      value={value}
      error={error}
      autoComplete={isNew === true ? 'new-password' : 'off'}
      visibilityToggleButtonProps={{ 'aria-label': t('reason.showSecret'), style: { width: 44, height: 44 } }}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}
