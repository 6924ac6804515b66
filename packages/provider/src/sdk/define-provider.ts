import { CtyError, nullOf, quoteText } from '@terrane/cty';
import type { ObjectType, Path, Value } from '@terrane/cty';
import { chain } from '../awaitable.ts';
import type {
  Answer,
  ApplyAnswer,
  ApplyRequest,
  Awaitable,
  CallAnswer,
  CallRequest,
  ConfigureRequest,
  EphemeralRequest,
  HeldEphemeralRequest,
  ImportAnswer,
  ImportRequest,
  InvokeActionRequest,
  MoveAnswer,
  MoveRequest,
  OpenAnswer,
  PlanActionAnswer,
  PlanActionRequest,
  PlanAnswer,
  PlanRequest,
  Provider,
  ProviderDiagnostic,
  ReadAnswer,
  ReadDataAnswer,
  ReadDataRequest,
  ReadRequest,
  RenewAnswer,
  UpgradeAnswer,
  UpgradeRequest,
  ValidateActionRequest,
  ValidateDataRequest,
  ValidateResourceRequest,
} from '../contract.ts';
import { emptyValue } from '../schema/empty-value.ts';
import type { ProviderSchema } from '../schema/model.ts';
import { compile } from './compile.ts';
import type { Compiled, CompiledObject } from './compile.ts';
import type {
  ActionDefinition,
  DataSourceDefinition,
  EphemeralDefinition,
  FunctionDefinition,
  ObjectDefinition,
  ProviderDefinition,
  ResourceDefinition,
} from './definition.ts';
import { error, warning, withoutRepeats } from './diagnostics.ts';
import { Fields } from './fields.ts';
import { planObject, withoutDuplicates } from './plan-object.ts';
import { readStored, storedProblem } from './stored-state.ts';
import { validateObject } from './validate.ts';

/**
 * Makes a provider of its definition. It behaves as one on terraform-plugin-framework: validation,
 * defaults, plan modifiers, state upgrades and the texts of its diagnostics. It answers synchronously
 * wherever its handlers do.
 */
export function defineProvider(definition: ProviderDefinition): Provider {
  return new DefinedProvider(definition);
}

type Part<D> = Compiled & { readonly definition: D };

class DefinedProvider implements Provider {
  readonly sideEffects: boolean;
  readonly #definition: ProviderDefinition;
  readonly #config: Part<NonNullable<ProviderDefinition['config']>>;
  readonly #resources: ReadonlyMap<string, Part<ResourceDefinition>>;
  readonly #dataSources: ReadonlyMap<string, Part<DataSourceDefinition>>;
  readonly #ephemeral: ReadonlyMap<string, Part<EphemeralDefinition>>;
  readonly #actions: ReadonlyMap<string, Part<ActionDefinition>>;
  readonly #functions: ReadonlyMap<string, FunctionDefinition>;

  constructor(definition: ProviderDefinition) {
    this.#definition = definition;
    this.sideEffects = definition.sideEffects ?? true;
    this.#config = { ...compile(definition.config ?? {}), definition: definition.config ?? {} };
    this.#resources = parts(definition.resources);
    this.#dataSources = parts(definition.dataSources);
    this.#ephemeral = parts(definition.ephemeralResources);
    this.#actions = parts(definition.actions);
    this.#functions = new Map(Object.entries(definition.functions ?? {}));
  }

  schema(): ProviderSchema {
    return {
      provider: this.#config.schema,
      resources: schemas(this.#resources),
      dataSources: schemas(this.#dataSources),
      ephemeralResources: schemas(this.#ephemeral),
      ...(this.#actions.size > 0 && { actions: schemas(this.#actions) }),
      functions: this.#definition.functions ?? {},
      capabilities: {
        planDestroy: true,
        moveResourceState: true,
        getProviderSchemaOptional: true,
      },
    };
  }

  validateProviderConfig({ config }: { readonly config: Value }): Answer & { prepared: Value } {
    return { prepared: config, diagnostics: validate(this.#config, config, true) };
  }

  validateResourceConfig({ type, config, capabilities }: ValidateResourceRequest): Answer {
    const part = this.#resources.get(type);
    if (part === undefined) return unknownType('Resource', type);
    const allowed = capabilities.writeOnlyAttributesAllowed;
    return { diagnostics: validate(part, config, allowed) };
  }

  validateDataSourceConfig({ type, config }: ValidateDataRequest): Answer {
    const part = this.#dataSources.get(type);
    if (part === undefined) return unknownType('Data Source', type);
    return { diagnostics: validate(part, config, true) };
  }

  validateEphemeralResourceConfig({ type, config }: EphemeralRequest): Answer {
    const part = this.#ephemeral.get(type);
    if (part === undefined) return unknownType('Ephemeral Resource', type);
    return { diagnostics: validate(part, config, true) };
  }

  configure({ config }: ConfigureRequest): Awaitable<Answer> {
    const { configure } = this.#config.definition;
    if (configure === undefined || config.isNull) return {};
    const answer = configure(new Fields(typeOf(this.#config), config));
    return chain(answer, (diagnostics) => ({ diagnostics }));
  }

  upgradeResourceState(request: UpgradeRequest): Awaitable<UpgradeAnswer> {
    const part = this.#resources.get(request.type);
    if (part === undefined) return { ...unknownType('Resource', request.type), state: nothing };
    if (request.version === part.schema.version) return currentState(part, request);
    return upgradedState(part, request);
  }

  readResource({ type, prior, private: kept }: ReadRequest): Awaitable<ReadAnswer> {
    const part = this.#resources.get(type);
    if (part === undefined) return { ...unknownType('Resource', type), state: prior };
    const secret = kept !== undefined && isPrivateData(kept) ? { private: kept } : {};
    if (part.definition.read === undefined) return { state: prior, ...secret };
    const outcome = part.definition.read(new Fields(typeOf(part), prior));
    return chain(outcome, ({ state = prior, gone, diagnostics = [] }) => ({
      state: gone === true ? nullOf(typeOf(part)) : keepMeaning(part.object, prior, state),
      diagnostics,
      ...secret,
    }));
  }

  planResourceChange(request: PlanRequest): PlanAnswer {
    const { type, prior, proposed, config, priorPrivate } = request;
    const part = this.#resources.get(type);
    if (part === undefined) {
      return { ...unknownType('Resource', type), planned: prior, requiresReplace: [] };
    }
    const secret = priorPrivate && { private: priorPrivate };
    if (proposed.isNull) return { planned: proposed, requiresReplace: [], ...secret };
    let { planned, requiresReplace, diagnostics } = planObject(
      part.object,
      prior,
      proposed,
      config,
    );
    const { modifyPlan } = part.definition;
    if (modifyPlan && !diagnostics.some(isError)) {
      const outcome = modifyPlan({
        config: new Fields(typeOf(part), config),
        plan: new Fields(typeOf(part), planned),
        state: prior.isNull ? undefined : new Fields(typeOf(part), prior),
      });
      planned = outcome.plan ?? planned;
      const more: readonly Path[] = outcome.requiresReplace ?? [];
      requiresReplace = withoutDuplicates([...requiresReplace, ...more]);
      diagnostics = [...diagnostics, ...(outcome.diagnostics ?? [])];
    }
    return {
      planned,
      requiresReplace,
      diagnostics: withoutRepeats(diagnostics),
      ...secret,
    };
  }

  applyResourceChange(request: ApplyRequest): Awaitable<ApplyAnswer> {
    const { type, prior, planned, plannedPrivate, signal } = request;
    const part = this.#resources.get(type);
    if (part === undefined) return { ...unknownType('Resource', type), state: prior };
    const gone = nullOf(typeOf(part));
    const secret = plannedPrivate && { private: plannedPrivate };
    if (planned.isNull) {
      const state = new Fields(typeOf(part), prior);
      return chain(part.definition.delete?.({ state, signal }) ?? {}, ({ diagnostics = [] }) =>
        diagnostics.some(isError)
          ? { state: prior, diagnostics, ...secret }
          : { state: gone, diagnostics },
      );
    }
    const plan = new Fields(typeOf(part), planned);
    const config = new Fields(typeOf(part), request.config);
    const create = prior.isNull;
    const outcome = create
      ? part.definition.create({ plan, config, signal })
      : part.definition.update
        ? part.definition.update({ plan, config, state: new Fields(typeOf(part), prior), signal })
        : { state: planned };
    return chain(outcome, ({ state = create ? gone : prior, diagnostics = [] }) => ({
      state: keepMeaning(part.object, planned, state),
      diagnostics,
      ...secret,
    }));
  }

  importResourceState({ type, id = '' }: ImportRequest): Awaitable<ImportAnswer> {
    const part = this.#resources.get(type);
    if (part === undefined) return { ...unknownType('Resource', type), imported: [] };
    if (part.definition.import === undefined) {
      const detail =
        'This resource does not support import. Please contact the provider developer for additional information.';
      return { imported: [], diagnostics: [error('Resource Import Not Implemented', detail)] };
    }
    const empty = new Fields(typeOf(part), emptyValue(part.schema.block));
    return chain(part.definition.import(id, empty), ({ state, diagnostics = [] }) => ({
      imported: state === undefined ? [] : [{ type, state }],
      diagnostics,
    }));
  }

  moveResourceState(request: MoveRequest): MoveAnswer {
    const { sourceProvider, sourceType, sourceVersion, targetType } = request;
    const part = this.#resources.get(targetType);
    if (part === undefined) return { ...unknownType('Resource', targetType), state: nothing };
    const detail = `The target resource implementation does not include move resource state support. The resource implementation can be updated by the provider developers to include this support with the ResourceWithMoveState interface.\n\nSource Provider Address: ${sourceProvider}\nSource Resource Type: ${sourceType}\nSource Resource Schema Version: ${sourceVersion}\nTarget Resource Type: ${targetType}`;
    const diagnostics = [error('Unable to Move Resource State', detail)];
    return { state: nullOf(typeOf(part)), diagnostics };
  }

  readDataSource({ type, config }: ReadDataRequest): Awaitable<ReadDataAnswer> {
    const part = this.#dataSources.get(type);
    if (part === undefined) return { ...unknownType('Data Source', type), state: nothing };
    const outcome = part.definition.read(new Fields(typeOf(part), config));
    return chain(outcome, ({ state, diagnostics = [] }) => ({
      state: state ?? nullOf(typeOf(part)),
      diagnostics,
    }));
  }

  openEphemeralResource({ type, config }: EphemeralRequest): Awaitable<OpenAnswer> {
    const part = this.#ephemeral.get(type);
    if (part === undefined) return { ...unknownType('Ephemeral Resource', type), result: nothing };
    const outcome = part.definition.open(new Fields(typeOf(part), config));
    return chain(outcome, ({ state, diagnostics = [], ...tenure }) => ({
      result: state ?? nullOf(typeOf(part)),
      diagnostics,
      ...tenure,
    }));
  }

  renewEphemeralResource(request: HeldEphemeralRequest): Awaitable<RenewAnswer> {
    return this.#ephemeral.get(request.type)?.definition.renew?.(request.private) ?? {};
  }

  closeEphemeralResource(request: HeldEphemeralRequest): Awaitable<Answer> {
    const said = this.#ephemeral.get(request.type)?.definition.close?.(request.private) ?? [];
    return chain(said, (diagnostics) => ({ diagnostics }));
  }

  validateActionConfig({ type, config }: ValidateActionRequest): Answer {
    const part = this.#actions.get(type);
    if (part === undefined) return unknownType('Action', type);
    return { diagnostics: validate(part, config, true) };
  }

  planAction({ type, config }: PlanActionRequest): Awaitable<PlanActionAnswer> {
    const part = this.#actions.get(type);
    if (part === undefined) return unknownType('Action', type);
    const said = part.definition.plan?.(actionFields(part, config)) ?? [];
    return chain(said, (diagnostics) => ({ diagnostics }));
  }

  invokeAction({ type, config, progress, signal }: InvokeActionRequest): Awaitable<Answer> {
    const part = this.#actions.get(type);
    if (part === undefined) return unknownType('Action', type);
    const said = part.definition.invoke({
      config: actionFields(part, config),
      progress,
      signal,
    });
    return chain(said, (diagnostics) => ({ diagnostics }));
  }

  callFunction({ name, args }: CallRequest): Awaitable<CallAnswer> {
    const definition = this.#functions.get(name);
    if (definition !== undefined) return definition.call(args);
    return { error: { message: `provider has no function named ${quoteText(name)}` } };
  }

  stop(): void {}

  close(): void {}
}

/** An action without a `config` block has null for it: all arguments are left out then. */
function actionFields(part: Part<ActionDefinition>, config: Value): Fields {
  return new Fields(typeOf(part), config.isNull ? emptyValue(part.schema.block) : config);
}

const nothing = nullOf(compile({}).object.layout.type);

function parts<D extends ObjectDefinition>(
  record: Readonly<Record<string, D>> = {},
): ReadonlyMap<string, Part<D>> {
  const compiled = Object.entries(record).map(
    ([name, definition]) => [name, { ...compile(definition), definition }] as const,
  );
  return new Map(compiled);
}

function schemas(map: ReadonlyMap<string, Compiled>): Record<string, Compiled['schema']> {
  return Object.fromEntries([...map].map(([name, part]) => [name, part.schema]));
}

function typeOf(part: Compiled): ObjectType {
  return part.object.layout.type;
}

function isError(d: ProviderDiagnostic): boolean {
  return d.severity === 'error';
}

function unknownType(kind: string, type: string): Answer {
  const detail = `No ${kind.toLowerCase()} type named ${quoteText(type)} was found in the provider.`;
  return { diagnostics: [error(`${kind} Type Not Found`, detail)] };
}

function validate(
  part: Part<ObjectDefinition>,
  config: Value,
  writeOnlyAllowed: boolean,
): readonly ProviderDiagnostic[] {
  if (config.isNull || !config.isKnown) return [];
  const { definition, object } = part;
  const found = [...(definition.validate?.(new Fields(typeOf(part), config)) ?? [])];
  found.push(...validateObject(object, config, writeOnlyAllowed));
  if (definition.deprecationMessage !== undefined) {
    found.push(warning('Deprecated', definition.deprecationMessage));
  }
  return withoutRepeats(found);
}

/** Keeps texts that mean the same as before as they were before. */
function keepMeaning(object: CompiledObject, before: Value, after: Value): Value {
  if (before === after || before.isNull || after.isNull || !after.isKnown) return after;
  const changes: Record<string, Value> = {};
  for (const { slot, definition } of object.attributes) {
    if (definition.sameMeaning === undefined) continue;
    const was = before.attr(slot.name);
    const is = after.attr(slot.name);
    if (!was.isKnown || was.isNull || !is.isKnown || is.isNull || was.rawEquals(is)) continue;
    if (definition.sameMeaning(was.asString(), is.asString())) changes[slot.name] = was;
  }
  if (Object.keys(changes).length === 0) return after;
  return new Fields(object.layout.type, after).with(changes);
}

const FLATMAP_PROBLEM =
  'flatmap states cannot be unmarshaled, only states written by Terraform 0.12 and higher can be unmarshaled';

function currentState(part: Compiled, { json }: UpgradeRequest): UpgradeAnswer {
  const failure = (problem: string): UpgradeAnswer => {
    const detail = `There was an error reading the saved resource state using the current resource schema.\n\nIf this resource state was last refreshed with Terraform CLI 0.11 and earlier, it must be refreshed or applied with an older provider version first. If you manually modified the resource state, you will need to manually modify it to match the current resource schema. Otherwise, please report this to the provider developer:\n\n${problem}`;
    const summary = 'Unable to Read Previously Saved State for UpgradeResourceState';
    return { state: nullOf(typeOf(part)), diagnostics: [error(summary, detail)] };
  };
  if (json === undefined) return failure(FLATMAP_PROBLEM);
  try {
    return { state: readStored(json, typeOf(part)) };
  } catch (problem) {
    if (problem instanceof CtyError) return failure(storedProblem(problem));
    throw problem;
  }
}

function upgradedState(
  part: Part<ResourceDefinition>,
  { version, json }: UpgradeRequest,
): Awaitable<UpgradeAnswer> {
  const { upgrades } = part.definition;
  const failure = (summary: string, detail: string): UpgradeAnswer => ({
    state: nullOf(typeOf(part)),
    diagnostics: [error(summary, detail)],
  });
  const upgrade = upgrades?.[version];
  if (upgrade === undefined) {
    const how = upgrades === undefined ? 'without' : 'with';
    const detail = `This resource was implemented ${how} an UpgradeState() method, however Terraform was expecting an implementation for version ${version} upgrade.\n\nThis is always an issue with the Terraform Provider and should be reported to the provider developer.`;
    return failure('Unable to Upgrade Resource State', detail);
  }
  let older: Value;
  try {
    if (json === undefined) throw new CtyError(FLATMAP_PROBLEM);
    older = readStored(json, upgrade.type);
  } catch (problem) {
    if (!(problem instanceof CtyError)) throw problem;
    const detail = `There was an error reading the saved resource state using the prior resource schema defined for version ${version} upgrade.\n\nPlease report this to the provider developer:\n\n${storedProblem(problem)}`;
    return failure('Unable to Read Previously Saved State for UpgradeResourceState', detail);
  }
  return chain(upgrade.upgrade(older), ({ state, diagnostics = [] }) => ({
    state: state ?? nullOf(typeOf(part)),
    diagnostics,
  }));
}

/**
 * Whether private data is in the form that providers of the plugin framework write: an object of
 * base64 texts. What older providers left behind is dropped when it is read.
 */
function isPrivateData(data: Uint8Array): boolean {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(data).toString());
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return false;
    return Object.values(parsed).every(
      (one) => typeof one === 'string' && Buffer.from(one, 'base64').toString('base64') === one,
    );
  } catch {
    return false;
  }
}
