import { BOOL, listType, mapType, STRING, type Type } from '@terrane/cty';
import type { AttributeSchema, BlockSchema } from '@terrane/provider';

function block(types: Readonly<Record<string, Type>>): BlockSchema {
  const attributes: Record<string, AttributeSchema> = {};
  for (const [name, type] of Object.entries(types)) attributes[name] = { type, optional: true };
  return { attributes, blocks: {} };
}

/** Schemas of the built-in provisioners, for configuration JSON. */
export const PROVISIONER_SCHEMAS: ReadonlyMap<string, BlockSchema> = new Map([
  ['file', block({ source: STRING, content: STRING, destination: STRING })],
  [
    'local-exec',
    block({
      command: STRING,
      interpreter: listType(STRING),
      working_dir: STRING,
      environment: mapType(STRING),
      quiet: BOOL,
    }),
  ],
  ['remote-exec', block({ inline: listType(STRING), script: STRING, scripts: listType(STRING) })],
]);
