import {
  applyPath,
  CtyError,
  impliedJsonType,
  indexStep,
  nullOf,
  parseJson,
  pathKey,
  transform,
  unknownAsNull,
  unknownOf,
  valueFromJson,
  valueToJson,
} from '@terrane/cty';
import type { Path, Value } from '@terrane/cty';
import { proposedNew } from '../change/proposed-new.ts';
import type { PlanAnswer, ProviderDiagnostic } from '../contract.ts';
import type { CheckedProvider } from '../enforce/enforce-contract.ts';
import { attributeType } from '../schema/implied-type.ts';
import { coerceValue } from '../schema/coerce-value.ts';
import type { BlockSchema } from '../schema/model.ts';

/** A planning test case as data, which can also be passed to the published provider. */
export interface PlanScenario {
  readonly name: string;
  readonly type: string;
  /** stored attributes; absent: no object exists */
  readonly prior?: Readonly<Record<string, unknown>>;
  /** schema version of `prior`; absent: the current one */
  readonly version?: number;
  /** configured values; `UNKNOWN_TEXT` represents an unknown value */
  readonly config: Readonly<Record<string, unknown>>;
}

/** Placeholder for an unknown string in the configuration of a scenario. */
export const UNKNOWN_TEXT = '${terraform_data.unknown.id}';

/** The result of a scenario, in the form of Terraform's plan JSON. */
export interface PlanResult {
  readonly actions?: readonly string[];
  /** planned values, without the unknown ones */
  readonly after?: unknown;
  /** true for unknown values */
  readonly afterUnknown?: unknown;
  readonly replacePaths?: unknown;
  readonly diagnostics?: readonly Omit<ProviderDiagnostic, 'attribute' | 'sourceless'>[];
}

const capabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };

/** Plans a scenario as Terraform would: upgrade, validate, plan, and plan again for a replacement. */
export async function planScenario(
  provider: CheckedProvider,
  scenario: PlanScenario,
): Promise<PlanResult> {
  const { type } = scenario;
  const schema = (await provider.schema()).resources[type];
  if (schema === undefined) throw new Error(`no resource type ${type}`);
  const { block } = schema;
  const config = configValue(block, scenario.config);
  const address = `${type}.${scenario.name}`;
  const none = nullOf(config.type);
  let prior = none;
  if (scenario.prior) {
    const { version = schema.version } = scenario;
    const json = JSON.stringify(scenario.prior);
    const upgraded = await provider.upgradeResourceState({ address, type, version, json });
    if (upgraded.diagnostics?.length) return { diagnostics: plain(upgraded.diagnostics) };
    prior = upgraded.state;
  }
  const checked = await provider.validateResourceConfig({ address, type, config, capabilities });
  const warnings = checked.diagnostics ?? [];
  if (warnings.some(isError)) return { diagnostics: plain(warnings) };
  const ask = (from: Value, replacing: boolean) =>
    provider.planResourceChange({
      address,
      type,
      prior: from,
      proposed: proposedNew(block, from, config),
      config,
      capabilities,
      replacing,
    });
  let answer: PlanAnswer = await ask(prior, false);
  if (answer.diagnostics?.some(isError)) {
    return { diagnostics: plain([...warnings, ...answer.diagnostics]) };
  }
  const replaced = prior.isNull
    ? []
    : answer.requiresReplace.filter((path) => hasChanged(prior, answer.planned, path));
  if (replaced.length > 0) answer = await ask(none, true);
  const diagnostics = plain([...warnings, ...(answer.diagnostics ?? [])]);
  const { planned } = answer;
  const action = prior.isNull ? 'create' : prior.rawEquals(planned) ? 'no-op' : 'update';
  return {
    actions: replaced.length > 0 ? ['delete', 'create'] : [action],
    after: withoutUnknown(planned),
    afterUnknown: planned.isWhollyKnown() ? {} : unknownParts(planned),
    ...(replaced.length > 0 && { replacePaths: sorted(replaced.map(pathJson)) }),
    ...(diagnostics.length > 0 && { diagnostics }),
  };
}

/** Returns true if a diagnostic is an error. */
export function isError(d: ProviderDiagnostic): boolean {
  return d.severity === 'error';
}

/** Returns diagnostics sorted by text, because providers report them in any order. */
export function plain(
  diagnostics: readonly ProviderDiagnostic[],
): NonNullable<PlanResult['diagnostics']> {
  return diagnostics
    .map(({ severity, summary, detail }) => ({ severity, summary, detail }))
    .toSorted((a, b) => (a.summary + a.detail < b.summary + b.detail ? -1 : 1));
}

/** A written object as it reaches a provider, from its JSON form. */
export function configValue(block: BlockSchema, config: Readonly<Record<string, unknown>>): Value {
  const text = JSON.stringify(config);
  const value = valueFromJson(text, impliedJsonType(parseJson(text)));
  const isUnknown = (v: Value) =>
    v.type.kind === 'string' && v.isKnown && !v.isNull && v.asString() === UNKNOWN_TEXT;
  // Each unknown text has the type that the schema requires at its path, if it is an argument.
  const open = transform(value, (path, v) => {
    if (!isUnknown(v)) return v;
    const [first] = path;
    const attribute = first?.kind === 'attr' ? block.attributes[first.name] : undefined;
    return path.length === 1 && attribute ? unknownOf(attributeType(attribute)) : unknownOf(v.type);
  });
  return coerceValue(block, open);
}

/** Returns paths ordered by their JSON: Terraform returns them unordered. */
function sorted(paths: readonly unknown[][]): readonly unknown[][] {
  const texts = paths.map((path) => JSON.stringify(path)).toSorted();
  return texts.map((text) => JSON.parse(text) as unknown[]);
}

/** Returns true if the value at a path differs: providers may request replacement for unchanged values. */
export function hasChanged(prior: Value, planned: Value, path: Path): boolean {
  const at = (v: Value) => {
    try {
      return applyPath(v, path);
    } catch (error) {
      if (error instanceof CtyError) return undefined;
      throw error;
    }
  };
  const [before, after] = [at(prior), at(planned)];
  if (before === undefined || after === undefined) {
    return before?.isNull === false || after?.isNull === false;
  }
  return !before.rawEquals(after);
}

function pathJson(path: Path): unknown[] {
  return path.map((step) => {
    if (step.kind === 'attr') return step.name;
    return step.key.type.kind === 'number' ? step.key.asInt() : step.key.asString();
  });
}

function withoutUnknown(v: Value): unknown {
  const unknown = new Set<string>();
  const known = transform(v, (path, inner) => {
    if (!inner.isKnown) unknown.add(pathKey(path));
    return inner;
  });
  const json: unknown = JSON.parse(valueToJson(unknownAsNull(known), v.type));
  return prune(json, v, [], unknown);
}

// Removes attributes of objects and keys of maps; elements of lists become null.
function prune(json: unknown, v: Value, path: Path, unknown: ReadonlySet<string>): unknown {
  if (!v.isKnown || v.isNull) return json;
  const { kind } = v.type;
  if (kind !== 'object' && kind !== 'map') return json;
  const kept: Record<string, unknown> = {};
  const from = json as Readonly<Record<string, unknown>>; // the value is an object or a map
  for (const [key, inner] of v.entries()) {
    const name = key.asString();
    const at: Path = [...path, kind === 'object' ? { kind: 'attr', name } : indexStep(key)];
    if (!unknown.has(pathKey(at))) kept[name] = prune(from[name], inner, at, unknown);
  }
  return kept;
}

function unknownParts(v: Value): unknown {
  if (!v.isKnown) return true;
  if (v.isNull) return false;
  switch (v.type.kind) {
    case 'object':
    case 'map': {
      const parts: Record<string, unknown> = {};
      for (const [key, inner] of v.entries()) {
        const part = unknownParts(inner);
        if (part !== false) parts[key.asString()] = part;
      }
      return parts;
    }
    case 'list':
    case 'set':
    case 'tuple':
      return v.elements().map((inner) => unknownParts(inner));
    default:
      return false;
  }
}
