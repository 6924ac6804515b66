// The block `store` of `terraform_data` (Terraform 1.16): stores a value that may be ephemeral; a change of its version,
// or without a version of the value itself, updates it.
import {
  attrStep,
  BOOL,
  DYNAMIC,
  nullOf,
  object,
  type Path,
  unknownOf,
  type Value,
} from '@terrane/cty';
import { error } from '@terrane/provider';
import type { NestedBlock, ProviderDiagnostic } from '@terrane/provider';

/** The schema of the block. */
export const STORE_BLOCK: NestedBlock = {
  nesting: 'single',
  block: {
    attributes: {
      input: { type: DYNAMIC, optional: true, writeOnly: true },
      output: { type: DYNAMIC, computed: true },
      sensitive_output: { type: DYNAMIC, computed: true, sensitive: true },
      version: { type: DYNAMIC, optional: true },
      sensitive: { type: BOOL, optional: true },
      replace: { type: BOOL, optional: true },
    },
    blocks: {},
  },
};

const MUST_BE_KNOWN = ['sensitive', 'replace'];
const INPUT: Path = [attrStep('store'), attrStep('input')];
const NULL_DYNAMIC = nullOf(DYNAMIC);

/** The plan of a `store` block. */
export interface StorePlan {
  readonly store: Value;
  /** paths of changed values that require a replacement of the object */
  readonly requiresReplace: readonly Path[];
  readonly diagnostics?: readonly ProviderDiagnostic[];
}

/**
 * Plans the proposed value of the block, which is not null. `prior` is the block of the existing object; null or
 * undefined for a new or replaced one.
 */
export function planStore(proposed: Value, prior: Value | undefined): StorePlan {
  for (const name of MUST_BE_KNOWN) {
    if (proposed.attr(name).isKnown) continue;
    const detail = `the "${name}" attribute must be known in order to plan changes to this resource`;
    const attribute = [attrStep('store'), attrStep(name)];
    const problem = { ...error('unexpected unknown value', detail), attribute };
    return { store: proposed, requiresReplace: [], diagnostics: [problem] };
  }
  const input = proposed.attr('input');
  const version = proposed.attr('version');
  const sensitive = proposed.attr('sensitive');
  const existing = prior === undefined || prior.isNull ? undefined : prior;
  let output = proposed.attr('output');
  let secret = proposed.attr('sensitive_output');
  const write = (value: Value): void => {
    const isSecret = isTrue(sensitive);
    output = isSecret ? NULL_DYNAMIC : value;
    secret = isSecret ? value : NULL_DYNAMIC;
  };
  const stored = (): Value => (secret.isNull ? output : secret);
  const priorSensitive = existing?.attr('sensitive') ?? nullOf(BOOL);
  if (!priorSensitive.rawEquals(sensitive)) write(stored());
  if (input.isNull && output.isNull && secret.isNull) {
    write(nullOf(input.type));
  } else if (!version.isNull) {
    const priorVersion = existing?.attr('version') ?? NULL_DYNAMIC;
    if (!version.rawEquals(priorVersion)) write(unknownOf(input.type));
  } else if (!stored().rawEquals(input)) {
    write(unknownOf(input.type));
  }
  const isUpdated = !output.isKnown || !secret.isKnown;
  const mustReplace = isTrue(proposed.attr('replace')) && isUpdated;
  return {
    store: object({
      input: NULL_DYNAMIC,
      output,
      sensitive_output: secret,
      version,
      sensitive,
      replace: proposed.attr('replace'),
    }),
    requiresReplace: mustReplace ? [INPUT] : [],
  };
}

/** Fills in the unknown values of the plan, from the configuration: the plan does not have write-only values. */
export function applyStore(planned: Value, config: Value): Value {
  if (planned.isNull || planned.isWhollyKnown()) return planned;
  const input = config.attr('input');
  const known = (name: string): Value => (planned.attr(name).isKnown ? planned.attr(name) : input);
  return object({
    input: NULL_DYNAMIC,
    output: known('output'),
    sensitive_output: known('sensitive_output'),
    version: planned.attr('version'),
    sensitive: planned.attr('sensitive'),
    replace: planned.attr('replace'),
  });
}

function isTrue(value: Value): boolean {
  return !value.isNull && value.asBool();
}
