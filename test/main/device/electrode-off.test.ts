// Every simulated device, with any one electrode off: the live heart rate is right, or absent with its
// reason.

import { expect, test } from 'vitest';
import { LeadMaker } from '../../../main/device/link/lead-maker.ts';
import { SIMULATED, simulatedProtocol } from '../../../main/device/simulator/protocols.ts';
import { SimulatedDevice } from '../../../main/device/simulator/simulated-device.ts';
import { LiveAnalysis } from '../../../main/signal/live/live-analysis.ts';
import {
  deadLeads,
  ELECTRODES,
  type Electrode,
  electrodeBit,
  SOME_ELECTRODE,
} from '../../../shared/signal/electrode.ts';
import type { LeadCode } from '../../../shared/signal/lead.ts';
import { someOf } from '../../support/long-form.ts';
import { parse } from '../../support/parse-device.ts';

const KINDS = Object.entries(SIMULATED).flatMap(([driver, variants]) =>
  Object.keys(variants).map((variant) => [driver, variant] as const),
);
const OFF_AT_SECONDS = 6;
const SECONDS = 18;
const START_MS = 1200;
const HEART_RATE_BPM = 72;

interface Shown {
  /** Once a second from the moment at which the electrode goes. */
  readonly rates: readonly (number | string)[];
  readonly leads: readonly LeadCode[];
}

/** What the screen shows. */
function shownRates(driver: string, variant: string, electrode: Electrode): Shown {
  const protocol = simulatedProtocol(driver, variant);
  const device = new SimulatedDevice(protocol, {
    rhythm: 'sinus',
    noise: 'clean',
    mainsHz: 50,
    seed: 3,
    heartRateBpm: HEART_RATE_BPM,
  });
  // Long enough for a device that introduces itself while it waits.
  const bytes: Uint8Array[] = [...device.advance(START_MS)];
  device.start();
  for (let ms = START_MS; ms <= 1000 * SECONDS; ms += 50) {
    if (ms === 1000 * OFF_AT_SECONDS) device.electrodes.setContact(electrode, false);
    bytes.push(...device.advance(ms));
  }
  const parserVariant = driver === 'isoline-idp' ? 'idp' : driver === 'text' ? 'text' : variant;
  const { columns, events, format } = parse(driver, parserVariant, Buffer.concat(bytes));
  const sent = { ...format!, rateHz: format!.rateHz || protocol.rateHz };
  const maker = new LeadMaker(sent, sent.leadSets[0]!);
  const { scale } = maker;
  const live = new LiveAnalysis(scale);
  const rates: (number | string)[] = [];
  const piece = Math.round(protocol.rateHz / 20);
  let off = 0;
  for (let at = 0; at + piece <= (columns[0]?.length ?? 0); at += piece) {
    for (const event of events)
      if (event.kind === 'leadOff' && event.sample >= at && event.sample < at + piece) off = event.electrodes;
    const batch = maker.make({
      firstSample: at,
      count: piece,
      columns: columns.map((column) => column.subarray(at, at + piece)),
      arrivalMs: undefined,
      gap: undefined,
      events: [],
    });
    live.deadLeads = deadLeads(scale.leadCodes, off);
    live.push({
      firstSample: batch.firstSample,
      leads: batch.leads,
      isAfterGap: false,
      saturated: batch.saturated,
    });
    if (at < OFF_AT_SECONDS * protocol.rateHz || (at / piece) % 20 !== 0) continue;
    const { heartRateBpm, noRateReason } = live.findings(
      (off & SOME_ELECTRODE) !== 0 ? 'leadOff' : undefined,
    );
    rates.push(heartRateBpm ?? noRateReason ?? 'nothing');
  }
  return { rates, leads: scale.leadCodes };
}

test.each(someOf(KINDS, 4))(
  '%s, %s: with any one electrode off the rate is right or absent with its reason',
  (driver, variant) => {
    let leads: readonly LeadCode[] | undefined;
    let isIdleTried = false;
    for (const electrode of ELECTRODES) {
      // One of the electrodes that no lead needs stands for all of them.
      const isIdle = leads !== undefined && deadLeads(leads, electrodeBit(electrode)) === 0;
      if (isIdle && isIdleTried) continue;
      isIdleTried ||= isIdle;
      const shown = shownRates(driver, variant, electrode);
      leads = shown.leads;
      expect(shown.rates.length).toBeGreaterThan(SECONDS - OFF_AT_SECONDS - 2);
      const wrong = shown.rates.filter((rate) =>
        typeof rate === 'number' ? Math.abs(rate - HEART_RATE_BPM) > 3 : rate === 'nothing',
      );
      expect(wrong, `${electrode} off: ${shown.rates.join(' ')}`).toEqual([]);
    }
  },
);

test('a device that names the electrode keeps its rate from the leads that are whole', () => {
  const { rates } = shownRates('isoline-idp', 'idp', 'C4');
  expect(rates.every((rate) => typeof rate === 'number')).toBe(true);
});
