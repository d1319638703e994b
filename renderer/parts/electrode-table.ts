// Electrodes as they stand on the cable: label and colour of both codes, and where they sit (screens, 1.6).
// The places are those of the picture: front view, so that the patient's right is on the left.

import type { Electrode } from '../../shared/signal/electrode.ts';

export const ELECTRODE_CODES = ['IEC', 'AHA'] as const;
export type ElectrodeCode = (typeof ELECTRODE_CODES)[number];

interface Mark {
  readonly label: string;
  readonly colour: string;
  readonly ink: string;
}

const DARK = '#15181a';
const LIGHT = '#ffffff';
const COLOUR = {
  red: '#d11f2a',
  yellow: '#f5c400',
  green: '#168a45',
  black: DARK,
  white: '#f4f6f7',
  brown: '#8a4b1c',
  violet: '#7a3fa0',
  blue: '#1f5fb4',
  orange: '#e07b00',
};

const mark = (label: string, colour: keyof typeof COLOUR): Mark => ({
  label,
  colour: COLOUR[colour],
  ink: colour === 'yellow' || colour === 'white' || colour === 'orange' ? DARK : LIGHT,
});

export const MARKS: { readonly [C in ElectrodeCode]: { readonly [E in Electrode]: Mark } } = {
  IEC: {
    RA: mark('R', 'red'),
    LA: mark('L', 'yellow'),
    LL: mark('F', 'green'),
    RL: mark('N', 'black'),
    C1: mark('C1', 'red'),
    C2: mark('C2', 'yellow'),
    C3: mark('C3', 'green'),
    C4: mark('C4', 'brown'),
    C5: mark('C5', 'black'),
    C6: mark('C6', 'violet'),
  },
  AHA: {
    RA: mark('RA', 'white'),
    LA: mark('LA', 'black'),
    LL: mark('LL', 'red'),
    RL: mark('RL', 'green'),
    C1: mark('V1', 'red'),
    C2: mark('V2', 'yellow'),
    C3: mark('V3', 'green'),
    C4: mark('V4', 'blue'),
    C5: mark('V5', 'orange'),
    C6: mark('V6', 'violet'),
  },
};

export const PLACES: { readonly [E in Electrode]: readonly [x: number, y: number] } = {
  RA: [24, 20],
  LA: [228, 20],
  RL: [24, 278],
  LL: [228, 278],
  C1: [106, 128],
  C2: [145, 128],
  C3: [154, 158],
  C4: [165, 189],
  C5: [193, 189],
  C6: [217, 183],
};
