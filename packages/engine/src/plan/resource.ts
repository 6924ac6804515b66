import {
  AbsResource,
  type ConfigResource,
  type InstanceAddr,
  instanceKeyText,
  type ProviderConfigAddr,
  type ResourceAddr,
  UNKNOWN_KEY,
} from '@terrane/addresses';
import { quoteText } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, hasErrors, warningDiagnostic } from '@terrane/hcl';
import { type Awaitable, chain, type Schema } from '@terrane/provider';
import {
  commitExpansion,
  type ExpandedResource,
  expandResource,
  type ExpansionOptions,
} from '../objects/expand-resource.ts';
import { resolveProviderKey } from '../config/resolve-provider.ts';
import type { ModuleCells } from '../evaluate/module-cells.ts';
import type { ResourceNode } from '../evaluate/node.ts';
import { isRepeated } from '../evaluate/expansion.ts';
import { isMeantBy } from '../evaluate/import-address.ts';
import { providerMetaFor } from '../evaluate/provider-meta.ts';
import { providerInstanceFor, type ProviderUser } from '../evaluate/provider-instance.ts';
import { type Expansion, keysOf } from '../evaluate/repetition.ts';
import { setStored } from '../evaluate/set-stored.ts';
import { eachIn } from '../session/each.ts';
import { isOpen, isOpenModule } from '../objects/deferral.ts';
import { openEphemeral } from '../objects/ephemeral-resource.ts';
import type { WantedInstance } from '../objects/wanted-instance.ts';
import { planData } from './data.ts';
import { planDeposed } from './deposed.ts';
import { type Imports, importsOf, missingConfiguration } from './import.ts';
import { adoptObjects } from './import-command.ts';
import { queryList } from './list.ts';
import { planManaged } from './managed.ts';
import { leaveClosed, planOpen } from './open-instances.ts';
import type { PlanRun } from './run.ts';
import {
  selfReferenceErrors,
  selfReferencesInBody,
  selfReferencesInMeta,
} from './self-reference.ts';
import { mayExist } from './uncertain.ts';
import { isWanted } from './wanted.ts';

/** Properties that all instances of a resource share. */
interface Common {
  readonly node: ResourceNode;
  readonly schema: Schema;
  readonly createBeforeDestroy: boolean;
}

/** Parts of a resource's plan that its instances share. */
interface SharedParts {
  /** undefined if each instance opens a provider of its own */
  readonly shared: Serving | undefined;
  readonly imports: Imports;
  readonly dependencies: () => readonly string[];
  /** changes that a data source waits for; undefined if there are none */
  readonly pending: readonly InstanceAddr[] | undefined;
}

function planOne(
  run: PlanRun,
  common: Common,
  parts: SharedParts,
  user: ProviderUser,
  diagnostics: Diagnostic[],
): Awaitable<void> {
  const { cells, cell, key } = user;
  const open = isOpenModule(cells.instance);
  const addr = AbsResource.of(cells.instance, common.node.resource.addr).instance(
    open ? UNKNOWN_KEY : key,
  );
  if (run.choices.targeting?.includesInstance(addr) === false) {
    const storedObject = run.prior.instance(addr)?.current ?? run.uncertain.get(addr);
    if (storedObject !== undefined) setStored(cell, addr, storedObject, diagnostics);
    return;
  }
  const { shared } = parts;
  if (shared !== undefined) return planServed(run, common, parts, user, addr, shared, diagnostics);
  const problems: Diagnostic[] = [];
  return chain(openFor(run, user, problems), (serving) => {
    diagnostics.push(...problems);
    return serving === 'failed'
      ? undefined
      : planServed(run, common, parts, user, addr, serving, diagnostics);
  });
}

/** Plans an instance whose provider is open. */
function planServed(
  run: PlanRun,
  { node: { resource }, schema, createBeforeDestroy }: Common,
  { imports, dependencies, pending }: SharedParts,
  { cells, cell, key }: ProviderUser,
  addr: InstanceAddr,
  { provider, providerAddr }: Serving,
  diagnostics: Diagnostic[],
): Awaitable<void> {
  const unsupported = unsupportedMeta(run, cells, addr, providerAddr);
  if (unsupported !== undefined) {
    diagnostics.push(unsupported);
    return;
  }
  const problems: Diagnostic[] = [];
  const importing = imports.known.get(addr);
  const mayBeImported =
    importing === undefined &&
    imports.open.length > 0 &&
    imports.open.some((pattern) => isMeantBy(addr, pattern)) &&
    !mayExist(run, addr);
  return chain(providerMetaFor(run.evaluation, addr, providerAddr.provider, problems), (meta) => {
    const instance: { -readonly [Key in keyof WantedInstance]: WantedInstance[Key] } = {
      addr,
      schema,
      provider,
      providerAddr,
      resource,
      cells,
      cell,
      key,
      dependencies,
      createBeforeDestroy,
    };
    if (meta.providerMeta !== undefined) instance.providerMeta = meta.providerMeta;
    if (importing !== undefined) instance.importing = importing;
    if (mayBeImported) instance.mayBeImported = mayBeImported;
    return chain(planWithDeposed(run, instance, pending, problems), () => {
      if (problems.length > 0) diagnostics.push(...problems);
    });
  });
}

/** Plans an instance and its deposed objects. */
function planWithDeposed(
  run: PlanRun,
  instance: WantedInstance,
  pending: readonly InstanceAddr[] | undefined,
  problems: Diagnostic[],
): Awaitable<void> {
  const planning = planByMode(run, instance, pending, problems);
  const { addr } = instance;
  if (addr.resource.resource.mode !== 'managed' || isOpen(addr)) return planning;
  return chain(planning, () => planDeposed(run, instance, problems));
}

/** Plans an instance by its kind, without deposed objects. */
function planByMode(
  run: PlanRun,
  instance: WantedInstance,
  pending: readonly InstanceAddr[] | undefined,
  problems: Diagnostic[],
): Awaitable<void> {
  const { addr, resource, cells, dependencies, importing } = instance;
  if (isOpen(addr)) return planOpen(run, instance, problems);
  switch (resource.addr.mode) {
    case 'data': {
      const isPending = pending?.some((changing) => concerns(changing, cells)) ?? false;
      return planData(run, instance, { pending: isPending }, problems);
    }
    case 'list':
      return queryList(run, instance, problems);
    case 'ephemeral':
      return run.deferrals.holdsBack(dependencies)
        ? leaveClosed(run, instance)
        : openEphemeral(run, instance, problems);
    case 'managed': {
      const { adoption } = run.choices;
      return adoption === undefined || importing === undefined
        ? planManaged(run, instance, problems)
        : adoptObjects(run, instance, adoption, problems);
    }
  }
}

/** The diagnostics of a planned resource, or 'failed' if its errors are reported elsewhere. */
type ResourceOutcome = readonly Diagnostic[] | 'failed';

/**
 * Plans all instances of a resource in all instances of its module. The result is immediate if the provider responds
 * synchronously.
 */
export function planResource(run: PlanRun, common: Common): Awaitable<ResourceOutcome> {
  const { node, schema } = common;
  const diagnostics: Diagnostic[] = [];
  if (isRepeated(node.resource)) {
    diagnostics.push(...selfReferencesInMeta(node.resource));
    if (hasErrors(diagnostics)) return diagnostics;
  }
  const { evaluation } = run;
  const kept = keptInstances(run, node);
  const { deferring } = evaluation;
  const options: ExpansionOptions = kept === undefined ? { deferring } : { deferring, kept };
  const expand = (problems: Diagnostic[]): readonly ExpandedResource[] =>
    expandResource(evaluation, node, schema, options, problems);
  if (!isRepeated(node.resource))
    return planExpanded(run, common, expand(diagnostics), diagnostics);
  const expanding = evaluation.evaluate(diagnostics, (pass) => expand(pass.diagnostics));
  return chain(expanding, (expanded) => planExpanded(run, common, expanded, diagnostics));
}

/** Opens the provider that all instances of a resource share, if they do, and plans them. */
function planExpanded(
  run: PlanRun,
  common: Common,
  expanded: readonly ExpandedResource[],
  diagnostics: Diagnostic[],
): Awaitable<ResourceOutcome> {
  const { node, schema } = common;
  const { resource } = node;
  commitExpansion(run.evaluation, node, expanded);
  if (run.choices.replace.size > 0) {
    for (const { address, cell } of expanded)
      diagnostics.push(...keylessReplacements(run, address, cell.expansion));
  }
  const selfReferences = selfReferencesInBody(resource, schema);
  if (selfReferences.length > 0) {
    for (const { key } of instancesOf(expanded))
      diagnostics.push(...selfReferenceErrors(resource, key, selfReferences));
  }
  if (hasErrors(diagnostics)) return diagnostics;
  // A provider shared by all instances is opened once, and its errors are reported once.
  const { address, key } = resolveProviderKey(node.module, resource.providerLocal);
  const opening = key === undefined ? openAt(run, address, diagnostics) : undefined;
  return chain<Serving | 'failed' | undefined, ResourceOutcome>(opening, (shared) => {
    if (shared === 'failed') return hasErrors(diagnostics) ? diagnostics : 'failed';
    return planInstances(run, common, expanded, shared, diagnostics);
  });
}

function planInstances(
  run: PlanRun,
  common: Common,
  expanded: readonly ExpandedResource[],
  shared: Serving | undefined,
  diagnostics: Diagnostic[],
): Awaitable<ResourceOutcome> {
  const { node } = common;
  const { resource } = node;
  return chain(importsOf(run, node, diagnostics), (imports) => {
    if (imports === undefined) return diagnostics;
    diagnostics.push(...misplacedImports(imports, resource.addr, expanded));
    if (hasErrors(diagnostics)) return diagnostics;
    run.expanded.add(resource);
    const dependencies = (): readonly string[] => run.dependencies.of(node);
    const awaited = resource.addr.mode === 'data' ? run.dependencies.awaitedBy(node) : [];
    const pending = awaited.length === 0 ? undefined : pendingChanges(run, awaited);
    const parts: SharedParts = { shared, imports, dependencies, pending };
    const { parallelism } = run.choices;
    const plan = (instance: ProviderUser): Awaitable<void> =>
      planOne(run, common, parts, instance, diagnostics);
    const planning = eachIn(run.pool, parallelism, instancesOf(expanded), plan, run.signal);
    return chain(planning, () => diagnostics);
  });
}

/** The first object that is to become an instance which is not declared. */
function misplacedImports(
  { known, open }: Imports,
  resource: ResourceAddr,
  places: readonly ExpandedResource[],
): readonly Diagnostic[] {
  if (known.size + open.length === 0) return [];
  const declared = new Set<InstanceAddr>();
  for (const { cells, key } of instancesOf(places))
    declared.add(AbsResource.of(cells.instance, resource).instance(key));
  for (const addr of known.keys()) if (!declared.has(addr)) return [missingConfiguration(addr)];
  for (const pattern of open) {
    // An unknown instance may be the referenced one.
    const isDeclared = [...declared].some((addr) => isOpen(addr) || isMeantBy(addr, pattern));
    if (!isDeclared) return [missingConfiguration(pattern)];
  }
  return [];
}

/** A `provider_meta` block of the module for a provider that has no use for it. */
function unsupportedMeta(
  run: PlanRun,
  { module }: ModuleCells,
  addr: InstanceAddr,
  { provider }: ProviderConfigAddr,
): Diagnostic | undefined {
  const meta = module.providerMetas.get(provider.text);
  if (meta === undefined || run.schemas.provider(provider)?.providerMeta !== undefined) {
    return undefined;
  }
  return errorDiagnostic(
    `Provider ${provider.text} doesn't support provider_meta`,
    `The resource ${addr.resource.resource.text}${instanceKeyText(addr.key)} belongs to a provider that doesn't support provider_meta blocks`,
    meta.nameRange,
  );
}

type Serving = Pick<WantedInstance, 'provider' | 'providerAddr'>;

async function openFor(
  run: PlanRun,
  user: ProviderUser,
  diagnostics: Diagnostic[],
): Promise<Serving | 'failed'> {
  const { evaluation } = run;
  const address = await evaluation.evaluate(diagnostics, (pass) =>
    providerInstanceFor(evaluation, user, pass.diagnostics),
  );
  return address === undefined ? 'failed' : await openAt(run, address, diagnostics);
}

function openAt(
  run: PlanRun,
  providerAddr: ProviderConfigAddr,
  diagnostics: Diagnostic[],
): Awaitable<Serving | 'failed'> {
  return chain(run.sessions.open(providerAddr), ({ provider, diagnostics: reported }) => {
    diagnostics.push(...reported);
    return provider === undefined ? 'failed' : { provider, providerAddr };
  });
}

/** Returns the stored instances that remain visible to references although the plan does not include them. */
function keptInstances(
  { choices: { mode, targeting }, previous }: PlanRun,
  { resource }: ResourceNode,
): ExpansionOptions['kept'] {
  if (mode === 'refresh-only' && resource.addr.mode === 'managed')
    return { state: previous, isKept: () => true, existingOnly: true };
  if (targeting === undefined) return undefined;
  const isKept = (addr: InstanceAddr): boolean => !targeting.includesInstance(addr);
  return { state: previous, isKept, existingOnly: false };
}

/** Warnings for requests to replace a resource that has instances with keys, without saying which. */
function keylessReplacements(
  run: PlanRun,
  resource: AbsResource,
  expansion: Expansion,
): readonly Diagnostic[] {
  if (expansion.kind === 'single' || expansion.kind === 'unknown') return [];
  if (!run.choices.replace.has(resource.instance(undefined).text)) return [];
  const options = keysOf(expansion).map(
    (key) => `  -replace=${quoteText(resource.instance(key).text)}`,
  );
  const request = `Your force-replace request for ${resource.text} doesn't match any resource instances because`;
  const [only] = options;
  const detail =
    only === undefined
      ? `${request} this resource doesn't have any instances.`
      : options.length === 1
        ? `${request} it lacks an instance key.\n\nTo force replacement of the single declared instance, use the following option instead:\n${only}`
        : `${request} it lacks an instance key.\n\nTo force replacement of particular instances, use one or more of the following options instead:\n${options.join('\n')}`;
  return [warningDiagnostic('Incompletely-matched force-replace resource instance', detail)];
}

function instancesOf(places: readonly ExpandedResource[]): Iterable<ProviderUser> {
  const place = places[0];
  if (place === undefined) return [];
  const { cells, cell } = place;
  // Most resources have a single instance.
  return places.length === 1 && cell.expansion.kind === 'single'
    ? [{ cells, cell, key: undefined }]
    : allInstancesOf(places);
}

function* allInstancesOf(places: readonly ExpandedResource[]): Iterable<ProviderUser> {
  for (const { cells, cell } of places) {
    for (const key of keysOf(cell.expansion)) yield { cells, cell, key };
  }
}

/** The instances, of resources that a data source waits for, that change or go. */
function pendingChanges(run: PlanRun, awaited: readonly ConfigResource[]): readonly InstanceAddr[] {
  const texts = new Set(awaited.map((addr) => addr.text));
  const changing: InstanceAddr[] = [];
  for (const { action, addr } of [...run.changes.values(), ...run.deposedChanges]) {
    if (action !== 'no-op' && texts.has(addr.config.text)) changing.push(addr);
  }
  if (run.choices.mode === 'refresh-only') return changing;
  // Removed instances are planned after everything else.
  for (const resource of run.previous.resources()) {
    if (!texts.has(resource.config.text)) continue;
    for (const addr of run.previous.instancesOf(resource))
      if (!isWanted(run.evaluation, addr)) changing.push(addr);
  }
  return changing;
}

/** A change in another instance of the same module cannot be what a data source refers to. */
function concerns(changing: InstanceAddr, cells: ModuleCells): boolean {
  const { module } = changing.resource;
  return module.path !== cells.instance.path || module === cells.instance;
}
