// The electrodes of a twelve-lead ECG, and masks of those that have no contact: one bit each, in this order.

/** Names of the American Heart Association; C1 to C6 are on the chest, RL is the reference of the amplifier. */
export const ELECTRODES = ['RA', 'LA', 'LL', 'C1', 'C2', 'C3', 'C4', 'C5', 'C6', 'RL'] as const;
export type Electrode = (typeof ELECTRODES)[number];

/** Bit of an electrode of which the device can't say which it is. */
export const SOME_ELECTRODE = 1 << 15;

export const electrodeBit = (electrode: Electrode): number => 1 << ELECTRODES.indexOf(electrode);

/** Bits of all that have a name. */
export const ALL_ELECTRODES = (1 << ELECTRODES.length) - 1;

export const electrodesOf = (mask: number): Electrode[] => ELECTRODES.filter((_, i) => (mask & (1 << i)) !== 0);
