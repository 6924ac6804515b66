import type { Reference } from '@terrane/addresses';
import { referencesInBody, referencesInExpression } from '../lang/references.ts';
import { actionSchemaOf } from './action-schema.ts';
import type { ActionBlock, Module, Schemas } from './model.ts';

/** The resources that trigger an action, by `ResourceAddr.text`. */
export function callersOf({ resources }: Module, action: ActionBlock): ReadonlySet<string> {
  const callers = new Set<string>();
  for (const { addr, actionTriggers } of resources.values()) {
    const named = actionTriggers.flatMap((trigger) => trigger.actions);
    if (named.some((reference) => reference.action === action.addr)) callers.add(addr.text);
  }
  return callers;
}

/**
 * Returns the dependencies of an action: all references except those to its triggering resources, which depend on it.
 */
export function neededByAction(
  module: Module,
  action: ActionBlock,
  schemas: Schemas,
): readonly Reference[] {
  const callers = callersOf(module, action);
  return referencesOfAction(action, schemas).filter(
    ({ subject }) => subject.kind !== 'resource' || !callers.has(subject.resource.text),
  );
}

/** Returns all references of an action. */
export function referencesOfAction(action: ActionBlock, schemas: Schemas): readonly Reference[] {
  const schema = actionSchemaOf(schemas, action);
  const { count, forEach, config } = action;
  return [
    ...[count, forEach].flatMap((e) =>
      e === undefined ? [] : referencesInExpression(e).references,
    ),
    ...(config === undefined || schema === undefined
      ? []
      : referencesInBody(config, schema.block).references),
  ];
}
