import {
  attrStep,
  CtyError,
  DYNAMIC,
  mapType,
  NULL,
  nullOf,
  object,
  objectOf,
  objectType,
  str,
  STRING,
  unknownOf,
  valueFromJson,
} from '@terrane/cty';
import type { Value } from '@terrane/cty';
import type { Random } from '@terrane/host';
import { coerceValue, error, impliedType } from '@terrane/provider';
import { contractResource } from '@terrane/provider/sdk';
import type { ContractResource } from '@terrane/provider/sdk';
import type {
  Answer,
  ApplyAnswer,
  ApplyRequest,
  ImportAnswer,
  ImportRequest,
  MoveAnswer,
  MoveRequest,
  PlanAnswer,
  PlanRequest,
  ProviderDiagnostic,
  Schema,
  UpgradeAnswer,
  UpgradeRequest,
  ValidateResourceRequest,
} from '@terrane/provider';

/** The schema of `terraform_data`. */
export const DATA_SCHEMA: Schema = {
  version: 0,
  block: {
    attributes: {
      id: { type: STRING, computed: true },
      input: { type: DYNAMIC, optional: true },
      output: { type: DYNAMIC, computed: true },
      triggers_replace: { type: DYNAMIC, optional: true },
    },
    blocks: {},
  },
};

const TYPE = impliedType(DATA_SCHEMA.block);
const REPLACED = [[attrStep('triggers_replace')]];
const UNKNOWN_ID = unknownOf(STRING, { notNull: true });

/**
 * `terraform_data`, against the contract itself: it comes by the hundred thousand, and its diagnostics are not
 * those of terraform-plugin-framework, which it is older than.
 */
export function dataResource(random: Random): ContractResource {
  return contractResource({
    schema: DATA_SCHEMA,
    validate: validateData,
    upgrade: upgradeData,
    read: ({ prior, private: kept }) => ({ state: prior, ...(kept && { private: kept }) }),
    plan: planData,
    apply: (request) => applyData(random, request),
    import: importData,
    move: moveData,
  });
}

/** The four values of an object, in the order of its type. */
type Parts = readonly [id: Value, input: Value, output: Value, triggers: Value];

function partsOf(v: Value): Parts {
  const [id = NULL, input = NULL, output = NULL, triggers = NULL] = v.elements();
  return [id, input, output, triggers];
}

/** Trouble with an object itself, which the built-in provider reports without any place. */
function plainError(message: string): ProviderDiagnostic {
  return { severity: 'error', summary: message, detail: '', sourceless: true };
}

/** Refuses values for what only the provider sets. */
function validateData({ config }: ValidateResourceRequest): Answer {
  if (config.isNull || !config.isKnown) return {};
  const [id, , output] = partsOf(config);
  const diagnostics: ProviderDiagnostic[] = [];
  if (!id.isNull) diagnostics.push(plainError('"id" attribute is read-only'));
  if (!output.isNull) diagnostics.push(plainError('"output" attribute is read-only'));
  return { diagnostics };
}

/** Reads a stored object: there is only one version. */
function upgradeData({ json }: UpgradeRequest): UpgradeAnswer {
  try {
    return { state: valueFromJson(json ?? '', TYPE) };
  } catch (problem) {
    if (!(problem instanceof CtyError)) throw problem;
    return { state: nullOf(TYPE), diagnostics: [plainError(problem.message)] };
  }
}

/** Plans: a new id and output for a new object or changed triggers, a new output for changed input. */
function planData({ prior, proposed }: PlanRequest): PlanAnswer {
  if (proposed.isNull) return { planned: proposed, requiresReplace: [] };
  const [id, input, output, triggers] = partsOf(proposed);
  const create = prior.isNull;
  const [, priorInput, , priorTriggers] = create ? [] : partsOf(prior);
  const replace = priorTriggers !== undefined && !priorTriggers.rawEquals(triggers);
  let nextOutput = output;
  if (create || replace) {
    nextOutput = input.isNull ? input : unknownOf(input.type);
  } else if (priorInput?.rawEquals(input) === false) {
    nextOutput = unknownOf(input.type);
  }
  const nextId = create || replace ? UNKNOWN_ID : id;
  return {
    planned: objectOf(TYPE, [nextId, input, nextOutput, triggers]),
    requiresReplace: replace ? REPLACED : [],
  };
}

/** Fills in what the plan left open. */
function applyData(random: Random, { planned }: ApplyRequest): ApplyAnswer {
  if (planned.isNull) return { state: planned };
  const [id, input, output, triggers] = partsOf(planned);
  const state = [
    id.isKnown ? id : str(random.uuid()),
    input,
    output.isKnown ? output : input,
    triggers,
  ];
  return { state: objectOf(TYPE, state) };
}

/** Imports an object that has nothing but its id. */
function importData({ type, id = '' }: ImportRequest): ImportAnswer {
  const state = coerceValue(DATA_SCHEMA.block, object({ id: str(id) }));
  return { imported: [{ type, state }] };
}

const NULL_RESOURCE = objectType({ id: STRING, triggers: mapType(STRING) });

/** Moves a `null_resource`: its triggers become `triggers_replace`. */
function moveData(request: MoveRequest): MoveAnswer {
  const refuse = (only: string, summary: string): MoveAnswer => {
    const detail = `Only moving from the ${only} to terraform_data is supported.`;
    return { state: nullOf(TYPE), diagnostics: [{ ...error(summary, detail), sourceless: true }] };
  };
  if (!request.sourceProvider.endsWith('hashicorp/null')) {
    const summary = 'Unsupported source provider for move operation';
    return refuse('official hashicorp/null provider', summary);
  }
  if (request.sourceType !== 'null_resource') {
    const summary = 'Unsupported source resource type for move operation';
    return refuse('null_resource managed resource', summary);
  }
  try {
    const source = valueFromJson(request.sourceJson, NULL_RESOURCE);
    const triggers = source.attr('triggers');
    // A map is compared exactly, and configurations mostly give an object.
    const triggers_replace = triggers.isNull ? NULL : toObject(triggers);
    const target = object({ id: source.attr('id'), triggers_replace });
    return { state: coerceValue(DATA_SCHEMA.block, target) };
  } catch (problem) {
    if (!(problem instanceof CtyError)) throw problem;
    return { state: nullOf(TYPE), diagnostics: [plainError(problem.message)] };
  }
}

function toObject(map: Value): Value {
  const entries = [...map.entries()].map(([key, v]) => [key.asString(), v] as const);
  return object(new Map(entries));
}
