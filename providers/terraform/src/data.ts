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
import type { Type, Value } from '@terrane/cty';
import type { Random } from '@terrane/host';
import { coerceValue, error, impliedType } from '@terrane/provider';
import { contractResource } from '@terrane/provider/sdk';
import type { ContractResource } from '@terrane/provider/sdk';
import type {
  Answer,
  ApplyAnswer,
  ApplyResourceRequest,
  ImportAnswer,
  ImportRequest,
  MoveAnswer,
  MoveRequest,
  PlanAnswer,
  PlanResourceRequest,
  ProviderDiagnostic,
  ProviderPorts,
  ReadAnswer,
  ReadRequest,
  Schema,
  UpgradeAnswer,
  UpgradeRequest,
  ValidateResourceRequest,
} from '@terrane/provider';
import { applyStore, planStore, STORE_BLOCK } from './data-store.ts';

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

/** The schema with the block `store` of Terraform 1.16. */
export const STORING_DATA_SCHEMA: Schema = {
  ...DATA_SCHEMA,
  block: { ...DATA_SCHEMA.block, blocks: { store: STORE_BLOCK } },
};

const TYPE = impliedType(DATA_SCHEMA.block);
const STORING_TYPE = impliedType(STORING_DATA_SCHEMA.block);
const NULL_STORE = nullOf(impliedType(STORE_BLOCK.block));
const REPLACED = [[attrStep('triggers_replace')]];
const UNKNOWN_ID = unknownOf(STRING, { notNull: true });

/**
 * `terraform_data`, implemented directly by the contract: it must scale to hundreds of thousands of objects, and its
 * diagnostics are not those of terraform-plugin-framework, which it predates.
 */
export function dataResource(ports: ProviderPorts): ContractResource {
  const { random } = ports;
  const decoder = decoderOf(ports, TYPE);
  return contractResource({
    schema: DATA_SCHEMA,
    validate: validateData,
    upgrade: (request) => decoder.upgrade(request),
    read: readData,
    plan: planData,
    apply: (request) => applyData(random, request),
    import: (request) => importAs(DATA_SCHEMA, request),
    move: moveData,
  });
}

/**
 * `terraform_data` with the block `store`. A separate resource type, so that states and JSON are those of Terraform
 * 1.11 if the block is not used: otherwise every object would have an attribute `store`.
 */
export function storingDataResource(ports: ProviderPorts): ContractResource {
  const { random } = ports;
  const decoder = decoderOf(ports, STORING_TYPE);
  return contractResource({
    schema: STORING_DATA_SCHEMA,
    validate: ({ config, ...rest }) => validateData({ ...rest, config: withoutStore(config) }),
    upgrade: (request) => decoder.upgrade(request),
    read: readData,
    plan: planStoringData,
    apply: (request) => applyStoringData(random, request),
    import: (request) => importAs(STORING_DATA_SCHEMA, request),
    move: (request) => {
      const answer = moveData(request);
      return { ...answer, state: withStore(answer.state, NULL) };
    },
  });
}

function planStoringData(request: PlanResourceRequest): PlanAnswer {
  const { prior, proposed } = request;
  if (proposed.isNull) return { planned: proposed, requiresReplace: [] };
  const plain = { prior: withoutStore(prior), proposed: withoutStore(proposed) };
  const { planned: changed, requiresReplace } = planData({ ...request, ...plain });
  const planned = withKnownNull(changed);
  const store = proposed.attr('store');
  if (store.isNull) return { planned: withStore(planned, store), requiresReplace };
  const isNew = prior.isNull || requiresReplace.length > 0;
  const plan = planStore(store, isNew ? undefined : prior.attr('store'));
  const { id, input, output, triggers } = partsOf(planned);
  const nextId = plan.requiresReplace.length > 0 ? unknownOf(STRING) : id;
  return {
    planned: objectOf(STORING_TYPE, [nextId, input, output, plan.store, triggers]),
    requiresReplace: [...requiresReplace, ...plan.requiresReplace],
    ...(plan.diagnostics === undefined ? {} : { diagnostics: plan.diagnostics }),
  };
}

/** As since Terraform 1.16, the output of a null input is known. */
function withKnownNull(planned: Value): Value {
  const { id, input, output, triggers } = partsOf(planned);
  return input.isNull && !output.isKnown ? objectOf(TYPE, [id, input, input, triggers]) : planned;
}

function applyStoringData(random: Random, request: ApplyResourceRequest): ApplyAnswer {
  const { planned, config } = request;
  if (planned.isNull) return { state: planned };
  const { state } = applyData(random, { ...request, planned: withoutStore(planned) });
  const configured = config.isNull ? NULL : config.attr('store');
  return { state: withStore(state, applyStore(planned.attr('store'), configured)) };
}

/** Returns an object of the storing resource as one of the plain resource. */
function withoutStore(value: Value): Value {
  if (value.isNull) return nullOf(TYPE);
  if (!value.isKnown) return unknownOf(TYPE);
  const [id = NULL, input = NULL, output = NULL, , triggers = NULL] = value.elements();
  return objectOf(TYPE, [id, input, output, triggers]);
}

function withStore(value: Value, store: Value): Value {
  if (value.isNull) return nullOf(STORING_TYPE);
  const { id, input, output, triggers } = partsOf(value);
  const kept = store.isNull ? NULL_STORE : store;
  return objectOf(STORING_TYPE, [id, input, output, kept, triggers]);
}

/** The four values of an object. */
interface Parts {
  readonly id: Value;
  readonly input: Value;
  readonly output: Value;
  readonly triggers: Value;
}

/** Returns the values by index: destructuring would iterate, for every object several times. */
function partsOf(v: Value): Parts {
  const values = v.elements();
  return {
    id: values[0] ?? NULL,
    input: values[1] ?? NULL,
    output: values[2] ?? NULL,
    triggers: values[3] ?? NULL,
  };
}

/** Creates an error about an object itself, which the built-in provider reports without a source range. */
function plainError(message: string): ProviderDiagnostic {
  return { severity: 'error', summary: message, detail: '', sourceless: true };
}

/** Rejects values for computed-only attributes. */
function validateData({ config }: ValidateResourceRequest): Answer {
  if (config.isNull || !config.isKnown) return {};
  const { id, output } = partsOf(config);
  const diagnostics: ProviderDiagnostic[] = [];
  if (!id.isNull) diagnostics.push(plainError('"id" attribute is read-only'));
  if (!output.isNull) diagnostics.push(plainError('"output" attribute is read-only'));
  return { diagnostics };
}

function readData({ prior, private: kept }: ReadRequest): ReadAnswer {
  return { state: prior, ...(kept && { private: kept }) };
}

/**
 * The decoders by the ports of their run: a destroy opens the provider three times, and each instance upgrades all
 * objects.
 */
const decoders = new WeakMap<ProviderPorts, StoredDecoder>();

/** Returns the decoder that all instances of the provider in a run share. */
function decoderOf(ports: ProviderPorts, type: Type): StoredDecoder {
  let decoder = decoders.get(ports);
  if (decoder === undefined) decoders.set(ports, (decoder = new StoredDecoder(type)));
  return decoder;
}

/** The length of the JSON of all objects up to which a decoder retains them. */
const MAX_RETAINED = 1024 * 1024;

/**
 * Decodes stored objects, and retains them unless there are many. There is only one version; an absent attribute is
 * null.
 */
class StoredDecoder {
  readonly #type: Type;
  #decoded: Map<string, Value> | undefined = new Map();
  #length = 0;

  constructor(type: Type) {
    this.#type = type;
  }

  upgrade({ json = '' }: UpgradeRequest): UpgradeAnswer {
    try {
      return { state: this.#decoded?.get(json) ?? this.#decode(json) };
    } catch (problem) {
      if (!(problem instanceof CtyError)) throw problem;
      return { state: nullOf(this.#type), diagnostics: [plainError(problem.message)] };
    }
  }

  #decode(json: string): Value {
    const state = valueFromJson(json, this.#type);
    this.#length += json.length;
    if (this.#length > MAX_RETAINED) this.#decoded = undefined;
    this.#decoded?.set(json, state);
    return state;
  }
}

/** Plans: a new id and output for a new object or changed triggers, a new output for changed input. */
function planData({ prior, proposed }: PlanResourceRequest): PlanAnswer {
  if (proposed.isNull) return { planned: proposed, requiresReplace: [] };
  const { id, input, output, triggers } = partsOf(proposed);
  const create = prior.isNull;
  const before = create ? undefined : partsOf(prior);
  const replace = before !== undefined && !before.triggers.rawEquals(triggers);
  let nextOutput = output;
  if (create || replace) {
    nextOutput = input.isNull ? input : unknownOf(input.type);
  } else if (before?.input.rawEquals(input) === false) {
    nextOutput = unknownOf(input.type);
  }
  const nextId = create || replace ? UNKNOWN_ID : id;
  return {
    planned: objectOf(TYPE, [nextId, input, nextOutput, triggers]),
    requiresReplace: replace ? REPLACED : [],
  };
}

/** Fills in the unknown values of the plan. */
function applyData(random: Random, { planned }: ApplyResourceRequest): ApplyAnswer {
  if (planned.isNull) return { state: planned };
  const { id, input, output, triggers } = partsOf(planned);
  const state = [
    id.isKnown ? id : str(random.uuid()),
    input,
    output.isKnown ? output : input,
    triggers,
  ];
  return { state: objectOf(TYPE, state) };
}

/** Imports an object by its ID only. */
function importAs(schema: Schema, { type, id = '' }: ImportRequest): ImportAnswer {
  const state = coerceValue(schema.block, object({ id: str(id) }));
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
    // A map is compared exactly, and configurations usually contain an object.
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
