import { Bug } from '@terrane/cty';
import type { Schema } from '@terrane/provider';
import type { ResourceNode } from '../evaluate/node.ts';
import type { ObjectRun } from './run.ts';

/** The schema of a resource that passed the static checks. */
export function schemaOf(run: Pick<ObjectRun, 'schemas'>, node: ResourceNode): Schema {
  const { provider, addr } = node.resource;
  const schema = run.schemas.resource(provider, addr.mode, addr.type);
  if (schema === undefined) throw new Bug(`no schema for ${addr.text}`);
  return schema;
}
