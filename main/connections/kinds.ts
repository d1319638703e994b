// All kinds of connections that this program speaks.

import type { ConnectionKind } from '../../shared/connections/connections.ts';
import { CENTRAL } from './central/central.ts';
import { DICOM } from './dicom/dicom.ts';
import { FHIR } from './fhir/fhir.ts';
import { FOLDER } from './folder/folder.ts';
import { HL7 } from './hl7/hl7.ts';
import type { Kind } from './kind.ts';

const KINDS: { readonly [K in ConnectionKind]: Kind<K> } = {
  central: CENTRAL,
  dicom: DICOM,
  hl7: HL7,
  fhir: FHIR,
  folder: FOLDER,
};

/** The kind, whichever it is: what it opens has its own configuration. */
export const kindNamed = (kind: ConnectionKind): Kind => KINDS[kind] as Kind;
