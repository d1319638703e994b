// The simulated device of each driver.

import { IsolineError } from '../../../shared/errors.ts';
import { STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import { simulatedBitalino } from '../drivers/bitalino/simulated.ts';
import { simulatedSpikerBox } from '../drivers/byb-spikerbox/simulated.ts';
import { simulatedChords } from '../drivers/chords/simulated.ts';
import { findDriver } from '../drivers/drivers.ts';
import { simulatedIdp } from '../drivers/isoline-idp/simulated.ts';
import { simulatedMobilecg } from '../drivers/mobilecg/simulated.ts';
import { simulatedP2 } from '../drivers/olimex-p2/simulated.ts';
import { simulatedCyton } from '../drivers/openbci-cyton/simulated.ts';
import { simulatedP3 } from '../drivers/openeeg-p3/simulated.ts';
import { simulatedProtoCentral } from '../drivers/protocentral/simulated.ts';
import { SIMULATED_AD8232, SIMULATED_TEXT } from '../drivers/text/simulated.ts';
import { simulatedTi } from '../drivers/ti-ads1x9x/simulated.ts';
import type { SimulatedProtocol } from './simulated-device.ts';

/** By driver, then by the device's own variants; the first one is the usual one. */
export const SIMULATED: Readonly<Record<string, Readonly<Record<string, () => SimulatedProtocol>>>> = {
  'isoline-idp': { idp: () => simulatedIdp(), 'idp-12': () => simulatedIdp({ leads: STANDARD_LEADS }) },
  mobilecg: { mobilecg: simulatedMobilecg },
  'ti-ads1x9x': { stream: simulatedTi },
  'olimex-p2': { olimex: () => simulatedP2('olimex'), 'modular-eeg': () => simulatedP2('modular-eeg') },
  chords: Object.fromEntries(
    ['uno-r3', 'uno-r4', 'nano', 'mega', 'pico'].map((id) => [id, () => simulatedChords(id)]),
  ),
  protocentral: Object.fromEntries(
    [
      'healthypi4',
      'healthypi5',
      'healthypi5-batch',
      'ads1292r',
      'ads1292r-32',
      'ads1293',
      'max30003',
      'max30003-17',
      'max30001',
      'max86150',
    ].map((id) => [id, () => simulatedProtoCentral(id)]),
  ),
  'openbci-cyton': { cyton: () => simulatedCyton('cyton'), daisy: () => simulatedCyton('daisy') },
  bitalino: Object.fromEntries(
    ([1, 2, 3, 4, 5, 6] as const).map((n) => [`${n}ch`, () => simulatedBitalino(n)]),
  ),
  'openeeg-p3': Object.fromEntries(([6, 4, 2] as const).map((n) => [`p3-${n}`, () => simulatedP3(n)])),
  'byb-spikerbox': { '1ch': () => simulatedSpikerBox(1), '2ch': () => simulatedSpikerBox(2) },
  text: { csv: () => SIMULATED_TEXT, ad8232: () => SIMULATED_AD8232 },
};

/** @param driverName may be shortened where it stays unique. @throws IsolineError `unknown_driver` */
export function simulatedProtocol(driverName: string, variant?: string): SimulatedProtocol {
  const { id } = findDriver(driverName);
  const variants = SIMULATED[id] ?? {};
  const [usual = ''] = Object.keys(variants);
  const make = variants[variant ?? usual];
  if (make === undefined)
    throw new IsolineError(
      'unknown_driver',
      `The simulated ${id} has no variant "${variant}": choose one of ${Object.keys(variants).join(', ')}.`,
    );
  return make();
}
