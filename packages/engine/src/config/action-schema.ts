import type { Schema } from '@terrane/provider';
import type { ActionBlock, Schemas } from './model.ts';

/** Returns the schema of an action's `config` block; undefined if its provider has no such action. */
export function actionSchemaOf(
  schemas: Schemas,
  { provider, addr }: Pick<ActionBlock, 'provider' | 'addr'>,
): Schema | undefined {
  const actions = schemas.provider(provider)?.actions ?? {};
  return Object.hasOwn(actions, addr.type) ? actions[addr.type] : undefined;
}
