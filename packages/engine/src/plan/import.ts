import type { ConfigResource, InstanceAddr, ProviderConfigAddr } from '@terrane/addresses';
import { quoteText, str, type Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import {
  type Awaitable,
  deferralViolation,
  type ImportedObject,
  impliedType,
  type Schema,
} from '@terrane/provider';
import type { Configuration, Import } from '../config/model.ts';
import {
  evaluateImports,
  type ImportTarget,
  importsByResource,
  type PlacedImport,
} from '../evaluate/imports.ts';
import type { ResourceNode } from '../evaluate/node.ts';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import { encodeStored } from '../state/stored-value.ts';
import { configAddr } from '../evaluate/dependencies.ts';
import type { DeferredReason, PlannedChange } from '../objects/change.ts';
import { identityPart } from '../objects/stored-identity.ts';
import {
  type LiveObject,
  refreshStored,
  type Subject,
  withSchemaMarks,
} from '../objects/stored.ts';
import type { PlanRun } from './run.ts';

/** The objects that a resource adopts, without those already in the state. */
export interface Imports {
  readonly known: ReadonlyMap<InstanceAddr, ImportTarget>;
  /** Addresses with unknown keys: instances among them may be adopted in a later run. */
  readonly open: readonly InstanceAddr[];
}

const NONE: Imports = { known: new Map(), open: [] };

/** Returns the objects that the import blocks of a resource adopt; undefined after errors. */
export function importsOf(
  run: PlanRun,
  node: ResourceNode,
  diagnostics: Diagnostic[],
): Awaitable<Imports | undefined> {
  const { choices, evaluation } = run;
  const { adoption } = choices;
  if (adoption !== undefined) {
    const { addr, id } = adoption;
    return addr.config === configAddr(node)
      ? { known: new Map([[addr, { addr, by: { id: str(id) } }]]), open: [] }
      : NONE;
  }
  if (choices.mode !== 'normal' || choices.beforeDestroy) return NONE;
  const blocks = run.imports.get(configAddr(node));
  if (blocks === undefined) return NONE;
  return evaluation.evaluate(diagnostics, (pass) =>
    evaluateBlocks(run, node, blocks, pass.diagnostics),
  );
}

function evaluateBlocks(
  run: PlanRun,
  node: ResourceNode,
  blocks: readonly PlacedImport[],
  diagnostics: Diagnostic[],
): Imports | undefined {
  const { choices, evaluation } = run;
  const { resource } = node;
  const identity = identitySchema(run, node);
  const importTargets = new Map<InstanceAddr, ImportTarget>();
  const open: InstanceAddr[] = [];
  for (const { module, block } of blocks) {
    for (const cells of evaluation.instancesOf(module)) {
      const settings = {
        resource,
        identity,
        instance: cells.instance,
        scope: (repetition: Parameters<typeof evaluation.scope>[1]) =>
          evaluation.scope(cells, repetition),
        allowUnknown: choices.allowDeferral,
        onUnknownForEach: (pattern: InstanceAddr): void => void open.push(pattern),
      };
      const targets = evaluateImports([block], settings, diagnostics);
      if (targets === undefined) return undefined;
      for (const target of targets) importTargets.set(target.addr, target);
    }
  }
  for (const addr of importTargets.keys()) {
    // An import block identifies the object better than the journal of an interrupted run does.
    const isStored = run.prior.instance(addr) !== undefined && !run.uncertain.has(addr);
    if (isStored) importTargets.delete(addr);
  }
  return { known: importTargets, open };
}

function identitySchema(run: PlanRun, { resource }: ResourceNode): Schema | undefined {
  return run.schemas.provider(resource.provider)?.identities?.[resource.addr.type];
}

/** The error for an object that is to become an instance which is not declared. */
export function missingConfiguration(addr: InstanceAddr): Diagnostic {
  return errorDiagnostic(
    'Configuration for import target does not exist',
    `The configuration for the given import ${addr.text} does not exist. All target instances must have an associated configuration to be imported.`,
  );
}

/** Returns errors for import blocks whose target is in an undeclared module. */
export function importsIntoMissingModules(configuration: Configuration): readonly Diagnostic[] {
  return [...importsByResource(configuration)].flatMap(([resource, blocks]) =>
    configuration.modules.has(resource.module.text)
      ? []
      : blocks.map(({ block }) =>
          problemWith(
            block,
            `The configuration for the given import target ${resource.text} does not exist. All target instances must have an associated configuration to be imported.`,
          ),
        ),
  );
}

/** Returns errors for import blocks whose resource is undeclared and has no generated configuration. */
export function undeclaredImports(configuration: Configuration): readonly Diagnostic[] {
  return [...importsByResource(configuration)].flatMap(([{ module, resource, text }, blocks]) =>
    configuration.modules.get(module.text)?.resources.has(resource.text) === true
      ? []
      : blocks.map(({ block }) =>
          problemWith(
            block,
            `The configuration for the given import target ${text} does not exist. If you wish to automatically generate config for this resource, use the -generate-config-out option within ${programCommand('plan')}. Otherwise, make sure the target resource exists within your configuration. For example:\n\n  ${programCommand('plan -generate-config-out=generated.tf')}`,
          ),
        ),
  );
}

/** Returns the error for an import without configuration that cannot be generated, if any. */
export function generationProblem(
  { module, text }: ConfigResource,
  block: Import,
): Diagnostic | undefined {
  if (!module.isRoot) {
    return problemWith(
      block,
      `Resource ${text} not found. Only resources within the root module are eligible for config generation.`,
    );
  }
  // If values are evaluated later, the missing instance is reported then.
  if (block.to.kind !== 'scopeTraversal') return undefined;
  if (block.forEach === undefined && block.to.traversal.steps.at(-1)?.kind !== 'index')
    return undefined;
  return problemWith(
    block,
    'The given import block is not compatible with config generation. The -generate-config-out option cannot be used with import blocks which use for_each, or resources which use for_each or count.',
  );
}

function problemWith(block: Import, detail: string): Diagnostic {
  const summary = 'Configuration for import target does not exist';
  return errorDiagnostic(summary, detail, block.to.range);
}

/** Returns the import source that a plan displays; an identity as the provider completed it. */
export function importingOf(
  { by }: ImportTarget,
  imported?: LiveObject,
): NonNullable<PlannedChange['importing']> {
  const identifier = 'id' in by ? by.id : by.identity;
  if (!identifier.isWhollyKnown()) return {};
  if ('id' in by) return { id: by.id.asString() };
  return { identity: imported?.identity ?? by.identity };
}

/**
 * Requests an existing object from the provider and reads it. Undefined after errors, and after a call of `wait` if the
 * provider defers it to a later plan.
 */
export async function importObject(
  run: PlanRun,
  subject: Subject & { readonly providerAddr: ProviderConfigAddr },
  target: ImportTarget,
  diagnostics: Diagnostic[],
  wait: (reason: DeferredReason) => void,
  configured?: () => Value | undefined,
): Promise<LiveObject | undefined> {
  const { addr, provider, providerAddr } = subject;
  const importing = importingOf(target);
  if (importing.id === undefined && importing.identity === undefined) {
    wait('resource_config_unknown');
    return undefined;
  }
  run.emit({ kind: 'import-prepare', addr, importing });
  const response = await provider.importResourceState({
    type: addr.resource.resource.type,
    address: addr.text,
    ...importing,
    ...(configured === undefined ? {} : { configured }),
  });
  // A missing object is not an error of the configuration.
  const problems = diagnosticsOf(response.diagnostics, {});
  diagnostics.push(...problems);
  if (response.deferred !== undefined && !hasErrors(problems)) {
    if (run.choices.allowDeferral) wait(response.deferred.reason);
    else diagnostics.push(...diagnosticsOf([deferralViolation(addr.text)], {}));
    return undefined;
  }
  const [imported] = response.imported;
  if (hasErrors(problems) || imported === undefined) return undefined;
  if (imported.state.isNull && importing.identity === undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Import returned null resource',
        `While attempting to import with ID ${importing.id ?? ''}, the providerreturned an instance with no state.`,
      ),
    );
    return undefined;
  }
  const live = importedLive(subject, providerAddr, imported);
  const read = await refreshStored(run, subject, live, diagnostics);
  if (read.failed) return undefined;
  if (read.deferred !== undefined) wait(read.deferred);
  if (read.object !== undefined) return read.object;
  diagnostics.push(nonExistent(addr));
  return undefined;
}

/** Returns an imported object as a live object, before it is read. */
export function importedLive(
  subject: Subject,
  provider: ProviderConfigAddr,
  { state, private: privateData, identity }: ImportedObject,
): LiveObject {
  const { schema } = subject;
  const value = withSchemaMarks(state, schema);
  const storedObject = encodeStored(value, impliedType(schema.block), {
    status: 'ready',
    schemaVersion: schema.version,
    dependencies: [],
    createBeforeDestroy: false,
    provider,
    ...(privateData === undefined ? {} : { private: privateData }),
    ...identityPart(subject, identity),
  });
  return { stored: storedObject, value, ...(identity === undefined ? {} : { identity }) };
}

/** Returns the error for an imported object that does not exist. */
export function nonExistent(addr: InstanceAddr): Diagnostic {
  return errorDiagnostic(
    'Cannot import non-existent remote object',
    `While attempting to import an existing object to ${quoteText(addr.text)}, the provider detected that no object exists with the given id. Only pre-existing objects can be imported; check that the id is correct and that it is associated with the provider's configured region or endpoint, or use "${programCommand('apply')}" to create a new remote object for this resource.`,
  );
}
