// Mantine in the colours and sizes of the tokens.

import { Button, type CSSVariablesResolver, createTheme } from '@mantine/core';

/** Red is for recording, for what is wrong, and for what is critical. */
const BUTTONS: Readonly<Record<string, Record<string, string>>> = {
  filled: {
    '--button-bg': 'var(--accent)',
    '--button-hover': 'var(--accent)',
    '--button-color': 'var(--on-accent)',
  },
  record: { '--button-bg': 'var(--rec)', '--button-hover': 'var(--rec)', '--button-color': 'var(--surface)' },
  destroy: {
    '--button-bg': 'var(--bad)',
    '--button-hover': 'var(--bad)',
    '--button-color': 'var(--surface)',
  },
  emergency: {
    '--button-bg': 'var(--surface)',
    '--button-hover': 'var(--bad-bg)',
    '--button-color': 'var(--bad)',
    '--button-bd': '2px solid var(--bad)',
  },
  subtle: { '--button-color': 'var(--accent)', '--button-hover': 'var(--accent-soft)' },
};

export const theme = createTheme({
  fontFamily: 'Inter, Names, "Segoe UI", system-ui, sans-serif',
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.9375rem', lg: '1rem', xl: '1.25rem' },
  defaultRadius: 8,
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // By name alone, so that what only some screens need is loaded with them.
    Checkbox: {
      vars: () => ({ root: { '--checkbox-color': 'var(--ok)', '--checkbox-icon-color': 'var(--surface)' } }),
    },
    Switch: { vars: () => ({ root: { '--switch-color': 'var(--accent)' } }) },
    InputWrapper: {
      styles: { label: { marginBottom: 4, color: 'var(--text2)', fontSize: '0.78125rem', fontWeight: 400 } },
    },
    Button: Button.extend({
      // Text on the accent colour is dark in the dark theme; long words wrap instead of being cut.
      vars: (_theme, { variant = 'filled' }) => ({ root: BUTTONS[variant] ?? {} }),
      styles: { label: { whiteSpace: 'normal' }, root: { flexShrink: 0 } },
    }),
  },
});

const COLOURS = {
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--surface2)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line2)',
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text2)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
};

/**
 * One truth for colours: Mantine reads ours. Given per scheme, because its own are and would win over general
 * ones.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: COLOURS,
  dark: {
    ...COLOURS,
    '--mantine-color-dark-4': 'var(--line)',
    '--mantine-color-dark-6': 'var(--surface2)',
    '--mantine-color-dark-7': 'var(--surface)',
  },
});
