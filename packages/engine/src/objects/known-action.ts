import type { Schema } from '@terrane/provider';
import { actionSchemaOf } from '../config/action-schema.ts';
import type { ActionBlock, Module, Schemas } from '../config/model.ts';

/** An action of the configuration, with the schema of its configuration. */
export interface KnownAction {
  readonly module: Module;
  readonly action: ActionBlock;
  readonly schema: Schema;
}

/** Finds an action of a module that passed the static checks. */
export function knownAction(
  run: { readonly schemas: Schemas },
  module: Module,
  text: string,
): KnownAction | undefined {
  const action = module.actions.get(text);
  const schema = action === undefined ? undefined : actionSchemaOf(run.schemas, action);
  return action === undefined || schema === undefined ? undefined : { module, action, schema };
}
