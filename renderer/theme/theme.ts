// Mantine in the colours and sizes of the tokens.

import { type CSSVariablesResolver, createTheme } from '@mantine/core';

export const theme = createTheme({
  fontFamily: 'Inter, "Segoe UI", system-ui, sans-serif',
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.9375rem', lg: '1rem', xl: '1.25rem' },
  defaultRadius: 8,
  respectReducedMotion: true,
  cursorType: 'pointer',
});

/** One truth for colours: Mantine reads ours. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--surface2)',
    '--mantine-color-default-color': 'var(--text)',
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--text2)',
    '--mantine-color-default-border': 'var(--line2)',
    '--mantine-color-error': 'var(--bad)',
    '--mantine-primary-color-filled': 'var(--accent)',
    '--mantine-primary-color-filled-hover': 'var(--accent)',
    '--mantine-primary-color-contrast': 'var(--on-accent)',
  },
  light: {},
  dark: {},
});
