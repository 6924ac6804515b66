import type { InspectedRun, Plan, PlannedChange } from '@terrane/engine';
import { DYNAMIC, nullOf, object, str, STRING, type Value } from '@terrane/cty';
import type { ObjectValues } from '../evaluate/evaluate-policy.ts';
import type { PolicyOperation } from '../language/model.ts';
import type { JudgedObject } from './model.ts';

/** An object to judge. */
export interface PolicySubject {
  readonly object: JudgedObject;
  /** resource type, provider type or module source */
  readonly target: string;
  readonly values: ObjectValues;
}

/** Returns the operations of a change that policies judge: a replacement is a creation and a deletion. */
export function operationsOf({ action }: PlannedChange): readonly PolicyOperation[] {
  switch (action) {
    case 'create':
    case 'create-then-forget':
    case 'forget-then-create':
      return ['create'];
    case 'update':
      return ['update'];
    case 'delete':
      return ['delete'];
    case 'delete-then-create':
    case 'create-then-delete':
      return ['create', 'delete'];
    case 'no-op':
    case 'read':
    case 'forget':
      return [];
  }
}

/** Returns the subjects of a planned change: none for data sources and objects of earlier, failed replacements. */
export function changeSubjects(plan: Plan, change: PlannedChange): readonly PolicySubject[] {
  const { addr, deposed } = change;
  if (addr.resource.resource.mode !== 'managed' || deposed !== undefined) return [];
  return operationsOf(change).map((operation) => changeSubject(plan, change, operation));
}

/** Returns the subject of one operation of a change. */
export function changeSubject(
  plan: Plan,
  change: PlannedChange,
  operation: PolicyOperation,
): PolicySubject {
  const { addr, provider, before, after } = change;
  const { resource, module } = addr.resource;
  const block = plan.configuration.modules.get(module.path.text)?.resources.get(resource.text);
  const meta = object({
    provider_type: str(provider.provider.type),
    operation: str(operation),
    module_path: str(module.text),
    type: str(resource.type),
  });
  const absent = nullOf(after.type.kind === 'object' ? after.type : before.type);
  return {
    object: {
      kind: 'resource',
      address: addr.text,
      operation,
      ...(block === undefined ? {} : { range: block.range }),
    },
    target: resource.type,
    values: {
      attrs: operation === 'delete' ? absent : after,
      priorAttrs: operation === 'create' ? absent : before,
      meta,
    },
  };
}

/** Returns the providers and module calls of a run as subjects. */
export function runSubjects(run: InspectedRun): readonly PolicySubject[] {
  const optional = (text: string | undefined): Value =>
    text === undefined ? nullOf(STRING) : str(text);
  const providers = run.providers.map(({ address, config, version, range }): PolicySubject => {
    const { provider, alias } = address;
    const meta = object({
      name: str(provider.type),
      type: str(provider.type),
      namespace: str(provider.namespace),
      source: str(provider.text),
      alias: optional(alias),
      version: optional(version),
    });
    return {
      object: {
        kind: 'provider',
        address: address.text,
        ...(range === undefined ? {} : { range }),
      },
      target: provider.type,
      values: { attrs: config, meta, priorAttrs: nullOf(DYNAMIC) },
    };
  });
  const modules = run.modules.map((module): PolicySubject => {
    const meta = object({
      source: str(module.source),
      version: optional(module.version),
      address: str(module.address),
    });
    return {
      object: { kind: 'module', address: module.address, range: module.range },
      target: module.source,
      values: { attrs: object(module.variables), meta, priorAttrs: nullOf(DYNAMIC) },
    };
  });
  return [...providers, ...modules];
}
