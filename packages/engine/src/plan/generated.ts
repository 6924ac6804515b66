import {
  AbsResource,
  type ConfigResource,
  type ProviderSource,
  type Reference,
  type TargetAddr,
} from '@terrane/addresses';
import { nullOf, unknownOf, type Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, hasErrors, parseNative, Source } from '@terrane/hcl';
import { impliedType, memberOf, type Schema } from '@terrane/provider';
import { importKeys } from '../config/import-keys.ts';
import type { Configuration, Import, LocalProviderRef, Module, Resource } from '../config/model.ts';
import { providerBlockOf, resolveProvider } from '../config/resolve-provider.ts';
import {
  evaluateImports,
  importsByResource,
  type ImportTarget,
  type PlacedImport,
} from '../evaluate/imports.ts';
import { ResourceCell } from '../evaluate/module-cells.ts';
import type { ProgramNode } from '../evaluate/node.ts';
import type { Program } from '../evaluate/program.ts';
import { SINGLE } from '../evaluate/repetition.ts';
import { referencesInExpression } from '../lang/references.ts';
import { eachIn } from '../session/each.ts';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import type { WantedInstance } from '../objects/wanted-instance.ts';
import type { DeferredReason, PlannedChange } from '../objects/change.ts';
import type { LiveObject, Subject } from '../objects/stored.ts';
import { generatedBlock, generatedBody } from './generate-config.ts';
import { importingOf, importObject } from './import.ts';
import { planManaged } from './managed.ts';
import type { PlanRun } from './run.ts';
import { namesResource } from './targets.ts';
import { mayExist } from './uncertain.ts';

/** Returns true if the target of a reference was evaluated. */
type IsDone = (module: Module, reference: Reference) => boolean;

/**
 * Plans the imports of objects without configuration, for which one is generated. No expression can refer to such
 * resources, so they are planned last.
 */
export async function planGenerated(run: PlanRun, isDone: IsDone): Promise<readonly Diagnostic[]> {
  if (run.choices.generateConfigOut === undefined) return [];
  const { configuration } = run.evaluation.program;
  const diagnostics: Diagnostic[] = [];
  const undeclared = undeclaredImports(run.imports, configuration);
  const plan = async ([resource, blocks]: (typeof undeclared)[number]): Promise<void> => {
    const problems: Diagnostic[] = [];
    for (const placed of blocks) await planOne(run, resource, placed, isDone, problems);
    diagnostics.push(...problems);
  };
  await eachIn(run.pool, run.choices.parallelism, undeclared, plan, run.signal);
  return diagnostics;
}

/** Returns the nodes that imports without configuration depend on, restricted to the targets. */
export function nodesOfGenerated(
  targets: readonly TargetAddr[],
  program: Program,
): readonly ProgramNode[] {
  const { configuration } = program;
  return undeclaredImports(importsByResource(configuration), configuration).flatMap(
    ([resource, blocks]) =>
      targets.some((target) => namesResource(target, resource))
        ? blocks.flatMap(({ module, block }) => [
            ...referencesOf(block).flatMap((reference) => program.nodesOf(module, reference)),
            ...providerNodes(program, module, localProvider(resource, block)),
          ])
        : [],
  );
}

function providerNodes(
  { configuration, nodes }: Program,
  module: Module,
  local: LocalProviderRef,
): readonly ProgramNode[] {
  const located = providerBlockOf(configuration, resolveProvider(configuration, module, local));
  return nodes.filter((node) => node.kind === 'provider' && node.provider === located?.block);
}

/** Returns the provider of an import without configuration: the one it names, or that of the resource type. */
function localProvider({ resource }: ConfigResource, { providerLocal }: Import): LocalProviderRef {
  return providerLocal ?? { name: resource.impliedProvider };
}

function undeclaredImports(
  imports: ReadonlyMap<ConfigResource, readonly PlacedImport[]>,
  { modules }: Configuration,
): readonly (readonly [ConfigResource, readonly PlacedImport[]])[] {
  return [...imports].filter(
    ([{ module, resource }]) => modules.get(module.text)?.resources.has(resource.text) !== true,
  );
}

function referencesOf({ id, identity, to }: Import): readonly Reference[] {
  return [id, identity, ...importKeys(to)].flatMap((expression) =>
    expression === undefined ? [] : referencesInExpression(expression).references,
  );
}

async function planOne(
  run: PlanRun,
  resource: ConfigResource,
  { module, block }: PlacedImport,
  isDone: IsDone,
  diagnostics: Diagnostic[],
): Promise<void> {
  // A dependency failed, which is already reported, or is not included.
  if (!referencesOf(block).every((reference) => isDone(module, reference))) return;
  const { evaluation, schemas } = run;
  const { type } = resource.resource;
  const [cells] = evaluation.instancesOf(module);
  if (cells === undefined) return;
  // Only instances without a key can be generated.
  const addr = AbsResource.of(cells.instance, resource.resource).instance(undefined);
  const isLeftOut = run.choices.targeting?.includesInstance(addr) === false;
  if (isLeftOut || mayExist(run, addr)) return;
  const targets = await evaluation.evaluate(diagnostics, (pass) =>
    evaluateImports(
      [block],
      {
        resource: undefined,
        identity: memberOf(schemas.provider(block.provider)?.identities, type),
        instance: cells.instance,
        scope: (repetition) => evaluation.scope(cells, repetition),
        allowUnknown: run.choices.allowDeferral,
      },
      pass.diagnostics,
    ),
  );
  for (const target of targets ?? []) await planTarget(run, target, { module, block }, diagnostics);
}

async function planTarget(
  run: PlanRun,
  target: ImportTarget,
  { module, block }: PlacedImport,
  diagnostics: Diagnostic[],
): Promise<void> {
  const { addr } = target;
  const { resource: resourceAddr } = addr.resource;
  const local = localProvider(addr.config, block);
  const providerAddr = resolveProvider(run.evaluation.program.configuration, module, local);
  const schema = run.schemas.resource(providerAddr.provider, 'managed', resourceAddr.type);
  if (schema === undefined) {
    const summary = `provider does not support resource type for ${JSON.stringify(addr.text)}`;
    diagnostics.push(errorDiagnostic(summary, '', block.to.range));
    return;
  }
  const opened = await run.sessions.open(providerAddr);
  diagnostics.push(...opened.diagnostics);
  const { provider } = opened;
  if (provider === undefined) return;
  const subject = { addr, schema, provider, resource: undefined, providerAddr };
  let deferredBy: DeferredReason | undefined;
  const wait = (reason: DeferredReason): void => void (deferredBy ??= reason);
  const object = await importObject(run, subject, target, diagnostics, wait);
  if (deferredBy !== undefined) run.deferrals.add(placeholder(subject, target), deferredBy);
  if (object === undefined || deferredBy !== undefined) return;
  const body = await writeBody(run, subject, object, block.providerLocal, diagnostics);
  if (body === undefined) return;
  const resource = resourceOf(run, body, subject, block, diagnostics);
  if (resource === undefined) return;
  const cell = new ResourceCell(resource, impliedType(schema.block), SINGLE);
  const cells = run.evaluation.root;
  cells.setResource(resourceAddr.text, cell);
  await planManaged(
    run,
    {
      ...subject,
      resource,
      cells,
      cell,
      key: undefined,
      dependencies: () => [],
      createBeforeDestroy: false,
      importing: target,
      generated: { object, config: generatedBlock(addr, body) },
    },
    diagnostics,
  );
}

/** Returns the placeholder change of a deferred import, for which no configuration is generated yet. */
function placeholder(
  { addr, schema, providerAddr }: Pick<WantedInstance, 'addr' | 'schema' | 'providerAddr'>,
  target: ImportTarget,
): PlannedChange {
  const type = impliedType(schema.block);
  return {
    addr,
    previousAddr: addr,
    provider: providerAddr,
    action: 'no-op',
    before: nullOf(type),
    after: unknownOf(type),
    schemaVersion: schema.version,
    requiredReplace: [],
    importing: importingOf(target),
  };
}

/** Returns the arguments suggested by the provider or by the known object; undefined after errors. */
async function writeBody(
  run: PlanRun,
  subject: Subject & { readonly schema: Schema },
  object: LiveObject,
  local: LocalProviderRef | undefined,
  diagnostics: Diagnostic[],
): Promise<string | undefined> {
  const { provider: source, alias } = object.stored.provider;
  const named = local ?? { name: source.type, ...(alias === undefined ? {} : { alias }) };
  return await suggestedBody(run, { ...subject, source, named }, object.value, diagnostics);
}

/** The object that configuration is generated for. */
export interface SuggestedFor extends Pick<Subject, 'addr' | 'provider'> {
  readonly schema: Schema;
  readonly source: ProviderSource;
  /** the provider's local name in the configuration */
  readonly named: LocalProviderRef;
  /** the provider is named also where it need not be */
  readonly alwaysProvider?: boolean;
}

/** Returns the arguments that the provider suggests, otherwise those of the object; undefined after errors. */
export async function suggestedBody(
  { schemas }: Pick<PlanRun, 'schemas'>,
  { addr, provider, schema, source, named, alwaysProvider = false }: SuggestedFor,
  object: Value,
  diagnostics: Diagnostic[],
): Promise<string | undefined> {
  const { block } = schema;
  if (schemas.provider(source)?.capabilities.generateResourceConfig !== true)
    return generatedBody(addr, block, object, named, 'object', alwaysProvider);
  const { type } = addr.resource.resource;
  const state = object.unmarkDeep().value;
  const response = await provider.generateResourceConfig({ type, address: addr.text, state });
  const problems = diagnosticsOf(response.diagnostics, {});
  diagnostics.push(...problems);
  if (hasErrors(problems)) return undefined;
  return generatedBody(addr, block, response.config, named, 'configuration', alwaysProvider);
}

/** Returns the resource of a generated configuration, as if it were in the file already. */
function resourceOf(
  { choices }: PlanRun,
  body: string,
  { addr, providerAddr }: Pick<Parameters<typeof importObject>[1], 'addr' | 'providerAddr'>,
  block: PlacedImport['block'],
  diagnostics: Diagnostic[],
): Resource | undefined {
  const file = (choices.generateConfigOut ?? '').split(/[/\\]/).at(-1) ?? '';
  const parsed = parseNative(new Source(file, body, { unshown: true }));
  const { remain, diagnostics: bodyProblems } = parsed.body.partialContent({
    attributes: [{ name: 'provider', required: false }],
    blocks: [],
  });
  const problems = [...parsed.diagnostics, ...bodyProblems];
  diagnostics.push(...problems);
  if (hasErrors(problems)) return undefined;
  const { resource } = addr.resource;
  return {
    addr: resource,
    body: remain,
    dependsOn: [],
    providerLocal: {
      ...(block.providerLocal ?? { name: resource.impliedProvider }),
      explicit: block.providerLocal !== undefined,
    },
    provider: providerAddr.provider,
    preconditions: [],
    postconditions: [],
    hasMetaArguments: false,
    preventDestroy: false,
    ignoreChanges: [],
    ignoreAllChanges: false,
    replaceTriggeredBy: [],
    actionTriggers: [],
    provisioners: [],
    range: block.range,
    typeRange: block.to.range,
  };
}
