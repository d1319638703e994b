// What a FHIR R4 resource may be, by the published schema.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { dataFolder } from './test-data.ts';

const { $schema: _, ...schema } = JSON.parse(
  readFileSync(join(dataFolder, 'fhir', 'r4.schema.json'), 'utf8'),
) as { readonly $schema: string; readonly definitions: object };
const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema(schema, 'r4');

/** Faults of a resource, each once; none where it is as it must be. */
export function faultsOf(resource: { readonly resourceType: string }): readonly string[] {
  const check = ajv.getSchema(`r4#/definitions/${resource.resourceType}`);
  if (check === undefined) return [`there is no schema of ${resource.resourceType}`];
  if (check(resource) === true) return [];
  return [...new Set((check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`))];
}
