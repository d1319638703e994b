// All drivers, in the order in which their recognisers win when two are sure (device protocols reference,
// 1.4).

import { IsolineError } from '../../../shared/errors.ts';
import type { Driver, Variant } from '../driver.ts';
import { BITALINO } from './bitalino/driver.ts';
import { BRAINFLOW } from './brainflow/driver.ts';
import { BYB_SPIKERBOX } from './byb-spikerbox/driver.ts';
import { CHORDS } from './chords/driver.ts';
import { ISOLINE_IDP } from './isoline-idp/driver.ts';
import { LSL } from './lsl/driver.ts';
import { MOBILECG } from './mobilecg/driver.ts';
import { OLIMEX_P2 } from './olimex-p2/driver.ts';
import { OPENBCI_CYTON } from './openbci-cyton/driver.ts';
import { OPENEEG_P3 } from './openeeg-p3/driver.ts';
import { POLAR_H10 } from './polar-h10/driver.ts';
import { PROTOCENTRAL } from './protocentral/driver.ts';
import { TEXT } from './text/driver.ts';
import { TI_ADS1X9X } from './ti-ads1x9x/driver.ts';

/** The drivers of devices that are plugged in: detection tries these. */
export const DRIVERS: readonly Driver[] = [
  ISOLINE_IDP,
  MOBILECG,
  TI_ADS1X9X,
  OLIMEX_P2,
  CHORDS,
  PROTOCENTRAL,
  OPENBCI_CYTON,
  BITALINO,
  OPENEEG_P3,
  BYB_SPIKERBOX,
  TEXT,
];

/** The drivers of what comes another way, whose path says what it is. */
const WIRELESS_DRIVERS: readonly Driver[] = [LSL, BRAINFLOW, POLAR_H10];

/** By its name, or a part of it that no other has. @throws IsolineError `unknown_driver` */
export function findDriver(name: string): Driver {
  const exact = [...DRIVERS, ...WIRELESS_DRIVERS].find(({ id }) => id === name);
  if (exact !== undefined) return exact;
  const found = DRIVERS.filter(({ id }) => name !== '' && id.includes(name.toLowerCase()));
  const [only, second] = found;
  if (only !== undefined && second === undefined) return only;
  const names = (found.length > 0 ? found : DRIVERS).map(({ id }) => id).join(', ');
  throw new IsolineError(
    'unknown_driver',
    `There is ${found.length > 1 ? 'more than one' : 'no'} driver "${name}": choose one of ${names}.`,
  );
}

/** @throws IsolineError `unknown_driver` */
export function findVariant({ name, variants }: Driver, id: string): Variant {
  const found = variants.find((variant) => variant.id === id);
  if (found !== undefined) return found;
  throw new IsolineError(
    'unknown_driver',
    `${name} has no board "${id}": choose one of ${variants.map((variant) => variant.id).join(', ')}.`,
  );
}
