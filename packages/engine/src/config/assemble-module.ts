import { parseInstanceTraversal, ProviderSource } from '@terrane/addresses';
import { quoteText } from '@terrane/cty';
import { asTraversal, errorDiagnostic, type Diagnostic, type Range } from '@terrane/hcl';
import type { DecodedAction } from './decode-action.ts';
import type { DecodedCheck } from './decode-check.ts';
import type { FileContent } from './decode-file.ts';
import type { DecodedModuleCall } from './decode-module-call.ts';
import type { DecodedProviderMeta } from './decode-provider.ts';
import type { DecodedOutput, DecodedVariable } from './decode-named-values.ts';
import type { QueryContent } from './decode-query.ts';
import type { DecodedImport } from './decode-refactoring.ts';
import type { DecodedResource } from './decode-resource.ts';
import { mergeAction, mergeModuleCall, mergeOutput, mergeProvider } from './merge-override.ts';
import { mergeResource, mergeVariable } from './merge-override.ts';
import type {
  BackendBlock,
  CloudBlock,
  EncryptionBlock,
  Local,
  Moved,
  ProviderBlock,
  Removed,
} from './model.ts';
import type { RequiredProvider, VersionRequirement } from './model.ts';
import { providerKey } from './provider-ref.ts';

/** The declarations of a module under construction. */
export class ModuleDraft {
  requiredVersions: VersionRequirement[] = [];
  backend: BackendBlock | undefined;
  cloud: CloudBlock | undefined;
  encryption: EncryptionBlock | undefined;
  readonly requiredProviders: Map<string, RequiredProvider> = new Map();
  readonly providers: Map<string, ProviderBlock> = new Map();
  readonly providerMetas: Map<string, DecodedProviderMeta> = new Map();
  readonly variables: Map<string, DecodedVariable> = new Map();
  readonly locals: Map<string, Local> = new Map();
  readonly outputs: Map<string, DecodedOutput> = new Map();
  readonly calls: Map<string, DecodedModuleCall> = new Map();
  readonly resources: Map<string, DecodedResource> = new Map();
  readonly checks: Map<string, DecodedCheck> = new Map();
  readonly actions: Map<string, DecodedAction> = new Map();
  readonly moved: Moved[] = [];
  readonly removed: Removed[] = [];
  readonly imports: DecodedImport[] = [];
  /** the blocks with a constant address, by the instance that it names */
  readonly importsByTarget: Map<string, DecodedImport[]> = new Map();

  /** Returns the source of a local provider name. */
  providerSource(localName: string): ProviderSource {
    return this.requiredProviders.get(localName)?.source ?? ProviderSource.implied(localName);
  }
}

/** Merges primary files and then applies override files. */
export function assembleModule(
  primary: readonly FileContent[],
  overrides: readonly FileContent[],
  diagnostics: Diagnostic[],
): ModuleDraft {
  const draft = new ModuleDraft();
  gatherRequiredProviders(draft, primary, overrides, diagnostics);
  for (const file of primary) appendFile(draft, file, diagnostics);
  for (const file of overrides) mergeFile(draft, file, diagnostics);
  return draft;
}

/** Adds the declarations of a query file to an assembled module. */
export function appendQueryFile(
  draft: ModuleDraft,
  file: QueryContent,
  diagnostics: Diagnostic[],
): void {
  for (const provider of file.providers) appendProvider(draft, provider, diagnostics);
  appendVariables(draft, file.variables, diagnostics);
  appendLocals(draft, file.locals, diagnostics);
  for (const list of file.lists) {
    const existing = draft.resources.get(list.addr.text);
    if (existing === undefined) {
      draft.resources.set(list.addr.text, list);
      continue;
    }
    const { type, name } = existing.addr;
    diagnostics.push(
      errorDiagnostic(
        `Duplicate list ${quoteText(type)} configuration`,
        `A ${type} list named ${quoteText(name)} was already declared at ${existing.range}. List names must be unique per type in each module.`,
        list.range,
      ),
    );
  }
}

function gatherRequiredProviders(
  draft: ModuleDraft,
  primary: readonly FileContent[],
  overrides: readonly FileContent[],
  diagnostics: Diagnostic[],
): void {
  let first: Range | undefined;
  for (const block of primary.flatMap((file) => file.requiredProviders)) {
    if (first !== undefined) {
      diagnostics.push(
        errorDiagnostic(
          'Duplicate required providers configuration',
          `A module may have only one required providers configuration. The required providers were previously configured at ${first}.`,
          block.range,
        ),
      );
      continue;
    }
    first = block.range;
    for (const provider of block.providers) draft.requiredProviders.set(provider.name, provider);
  }
  for (const block of overrides.flatMap((file) => file.requiredProviders)) {
    for (const provider of block.providers) draft.requiredProviders.set(provider.name, provider);
  }
}

function appendFile(draft: ModuleDraft, file: FileContent, diagnostics: Diagnostic[]): void {
  draft.requiredVersions.push(...file.requiredVersions);
  appendBackends(draft, file, diagnostics);
  for (const encryption of file.encryptions) {
    if (draft.encryption === undefined) draft.encryption = encryption;
    else {
      diagnostics.push(
        errorDiagnostic(
          'Duplicate encryption configuration',
          `A module may have only one encryption configuration. Encryption was previously configured at ${draft.encryption.range}.`,
          encryption.range,
        ),
      );
    }
  }
  for (const provider of file.providers) appendProvider(draft, provider, diagnostics);
  for (const meta of file.providerMetas) {
    const key = draft.providerSource(meta.provider).text;
    const existing = draft.providerMetas.get(key);
    if (existing !== undefined) {
      diagnostics.push(
        errorDiagnostic(
          'Duplicate provider_meta block',
          `A provider_meta block for provider ${quoteText(meta.provider)} was already declared at ${existing.range}. Providers may only have one provider_meta block per module.`,
          meta.range,
        ),
      );
    }
    draft.providerMetas.set(key, meta);
  }
  appendVariables(draft, file.variables, diagnostics);
  appendLocals(draft, file.locals, diagnostics);
  appendUnique(
    file.outputs,
    draft.outputs,
    diagnostics,
    'Duplicate output definition',
    (o, at) =>
      `An output named ${quoteText(o.name)} was already defined at ${at}. Output names must be unique within a module.`,
  );
  appendUnique(
    file.calls,
    draft.calls,
    diagnostics,
    'Duplicate module call',
    (c, at) =>
      `A module call named ${quoteText(c.name)} was already defined at ${at}. Module calls must have unique names within a module.`,
  );
  for (const resource of file.resources) {
    const existing = draft.resources.get(resource.addr.text);
    if (existing === undefined) draft.resources.set(resource.addr.text, resource);
    else diagnostics.push(duplicateResource(existing, resource, ''));
  }
  for (const check of file.checks) appendCheck(draft, check, diagnostics);
  draft.moved.push(...file.moved);
  draft.removed.push(...file.removed);
  for (const block of file.imports) appendImport(draft, block, diagnostics);
  for (const action of file.actions) appendAction(draft, action, diagnostics);
}

function appendVariables(
  draft: ModuleDraft,
  variables: readonly DecodedVariable[],
  diagnostics: Diagnostic[],
): void {
  appendUnique(
    variables,
    draft.variables,
    diagnostics,
    'Duplicate variable declaration',
    (v, at) =>
      `A variable named ${quoteText(v.name)} was already declared at ${at}. Variable names must be unique within a module.`,
  );
}

function appendLocals(
  draft: ModuleDraft,
  locals: readonly Local[],
  diagnostics: Diagnostic[],
): void {
  appendUnique(
    locals,
    draft.locals,
    diagnostics,
    'Duplicate local value definition',
    (l, at) =>
      `A local value named ${quoteText(l.name)} was already defined at ${at}. Local value names must be unique within a module.`,
  );
}

function appendBackends(draft: ModuleDraft, file: FileContent, diagnostics: Diagnostic[]): void {
  for (const backend of file.backends) {
    if (draft.backend === undefined) {
      draft.backend = backend;
      continue;
    }
    diagnostics.push(
      errorDiagnostic(
        'Duplicate backend configuration',
        `A module may have only one backend configuration. The backend was previously configured at ${draft.backend.range}.`,
        backend.range,
      ),
    );
  }
  for (const cloud of file.clouds) {
    if (draft.cloud === undefined) draft.cloud = cloud;
    else diagnostics.push(duplicateCloud(draft.cloud.range, cloud.range));
  }
  if (draft.backend === undefined || draft.cloud === undefined) return;
  diagnostics.push(
    errorDiagnostic(
      'Both a backend and cloud configuration are present',
      `A module may declare either one 'cloud' block OR one 'backend' block configuring a state backend. The 'cloud' block is configured at ${draft.cloud.range}; a backend is configured at ${draft.backend.range}. Remove the backend block to configure HCP Terraform or Terraform Enteprise.`,
      draft.backend.range,
    ),
  );
}

function duplicateCloud(first: Range, second: Range): Diagnostic {
  return errorDiagnostic(
    'Duplicate HCP Terraform configurations',
    `A module may have only one 'cloud' block configuring HCP Terraform or Terraform Enterprise. The 'cloud' block was previously configured at ${first}.`,
    second,
  );
}

function appendProvider(
  draft: ModuleDraft,
  provider: ProviderBlock,
  diagnostics: Diagnostic[],
): void {
  const key = providerKey(provider);
  const existing = draft.providers.get(key);
  if (existing === undefined) {
    draft.providers.set(key, provider);
    return;
  }
  const name = quoteText(existing.name);
  diagnostics.push(
    errorDiagnostic(
      'Duplicate provider configuration',
      existing.alias === undefined
        ? `A default (non-aliased) provider configuration for ${name} was already given at ${existing.range}. If multiple configurations are required, set the "alias" argument for alternative configurations.`
        : `A provider configuration for ${name} with alias ${quoteText(existing.alias)} was already given at ${existing.range}. Each configuration for the same provider must have a distinct alias.`,
      provider.range,
    ),
  );
}

function appendUnique<T extends { readonly name: string; readonly range: Range }>(
  items: readonly T[],
  into: Map<string, T>,
  diagnostics: Diagnostic[],
  summary: string,
  detail: (existing: T, at: Range) => string,
): void {
  for (const item of items) {
    const existing = into.get(item.name);
    if (existing !== undefined) {
      diagnostics.push(errorDiagnostic(summary, detail(existing, existing.range), item.range));
    }
    into.set(item.name, item);
  }
}

const RESOURCE_WORDS = {
  managed: { what: 'resource', long: 'resource' },
  data: { what: 'data', long: 'data resource' },
  ephemeral: { what: 'ephemeral', long: 'ephemeral resource' },
  list: { what: 'list', long: 'list' },
} as const;

function duplicateResource(
  existing: DecodedResource,
  second: DecodedResource,
  suffix: string,
): Diagnostic {
  const { mode, type, name } = existing.addr;
  const words = RESOURCE_WORDS[mode];
  return errorDiagnostic(
    `Duplicate ${words.what} ${quoteText(type)} configuration`,
    `A ${type} ${words.long} named ${quoteText(name)} was already declared at ${existing.range}. Resource names must be unique per type in each module${suffix}.`,
    second.range,
  );
}

function appendCheck(draft: ModuleDraft, check: DecodedCheck, diagnostics: Diagnostic[]): void {
  if (check.data !== undefined) {
    const existing = draft.resources.get(check.data.addr.text);
    if (existing !== undefined) {
      const suffix = ', including within check blocks';
      diagnostics.push(duplicateResource(existing, check.data, suffix));
      return;
    }
    draft.resources.set(check.data.addr.text, check.data);
  }
  const existing = draft.checks.get(check.name);
  if (existing === undefined) {
    draft.checks.set(check.name, check);
    return;
  }
  diagnostics.push(
    errorDiagnostic(
      `Duplicate check ${quoteText(existing.name)} configuration`,
      `A check block named ${quoteText(existing.name)} was already declared at ${existing.range}. Check blocks must be unique within each module.`,
      check.range,
    ),
  );
}

function appendImport(draft: ModuleDraft, block: DecodedImport, diagnostics: Diagnostic[]): void {
  const target = staticTarget(block);
  const others = target === undefined ? undefined : draft.importsByTarget.get(target);
  for (const other of others ?? []) {
    const text = quoteText(
      block.toModule.isRoot
        ? block.toResource.text
        : `${block.toModule.text}.${block.toResource.text}`,
    );
    diagnostics.push(
      errorDiagnostic(
        `Duplicate import configuration for ${text}`,
        `An import block for the resource ${text} was already declared at ${other.range}. A resource can have only one import block.`,
        block.to.range,
      ),
    );
  }
  if (target !== undefined)
    if (others === undefined) draft.importsByTarget.set(target, [block]);
    else others.push(block);
  draft.imports.push(block);
}

function appendAction(draft: ModuleDraft, action: DecodedAction, diagnostics: Diagnostic[]): void {
  const existing = draft.actions.get(action.addr.text);
  if (existing === undefined) {
    draft.actions.set(action.addr.text, action);
    return;
  }
  const { type, name } = action.addr;
  diagnostics.push(
    errorDiagnostic(
      `Duplicate action ${quoteText(type)} configuration`,
      `An action named ${quoteText(name)} was already declared at ${existing.range}. Resource names must be unique per type in each module.`,
      action.range,
    ),
  );
}

/** The instance that an import's address names, if all of it is constant. */
function staticTarget(block: DecodedImport): string | undefined {
  const traversal = asTraversal(block.to);
  return traversal === undefined ? undefined : parseInstanceTraversal(traversal).address?.text;
}

function movedInOverride(range: Range): Diagnostic {
  return errorDiagnostic(
    "Cannot override 'moved' blocks",
    'Records of moved objects can appear only in normal files, not in override files.',
    range,
  );
}

function importInOverride(range: Range): Diagnostic {
  return errorDiagnostic(
    "Cannot override 'import' blocks",
    'Import blocks can appear only in normal files, not in override files.',
    range,
  );
}

function mergeProviders(draft: ModuleDraft, file: FileContent, diagnostics: Diagnostic[]): void {
  for (const provider of file.providers) {
    const key = providerKey(provider);
    const existing = draft.providers.get(key);
    if (existing !== undefined) draft.providers.set(key, mergeProvider(existing, provider));
    else if (provider.alias === undefined) draft.providers.set(key, provider);
    else {
      diagnostics.push(
        errorDiagnostic(
          'Missing base provider configuration for override',
          `There is no ${provider.name} provider configuration with the alias ${quoteText(provider.alias)}. An override file can only override an aliased provider configuration that was already defined in a primary configuration file.`,
          provider.range,
        ),
      );
    }
  }
}

/** Merges an override file into the draft of a module. */
function mergeFile(draft: ModuleDraft, file: FileContent, diagnostics: Diagnostic[]): void {
  if (file.requiredVersions.length > 0) draft.requiredVersions = [...file.requiredVersions];
  mergeBackends(draft, file, diagnostics);
  const [encryption, secondEncryption] = file.encryptions;
  if (encryption !== undefined && secondEncryption !== undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Duplicate encryption configuration',
        `Each override file may have only one encryption configuration. Encryption was previously configured at ${encryption.range}.`,
        secondEncryption.range,
      ),
    );
  } else if (encryption !== undefined) draft.encryption = encryption;
  mergeProviders(draft, file, diagnostics);
  mergeNamedValues(draft, file, diagnostics);
  for (const call of file.calls) {
    const existing = draft.calls.get(call.name);
    if (existing !== undefined) mergeModuleCall(existing, call, diagnostics);
    else {
      const detail = `There is no module call named ${quoteText(call.name)}. An override file can only override a module call that was defined in a primary configuration file.`;
      diagnostics.push(errorDiagnostic('Missing module call to override', detail, call.range));
    }
  }
  for (const resource of file.resources) mergeResourceBlock(draft, resource, diagnostics);
  diagnostics.push(
    ...file.movedRanges.map(movedInOverride),
    ...file.importRanges.map(importInOverride),
  );
  for (const action of file.actions) {
    const existing = draft.actions.get(action.addr.text);
    if (existing !== undefined) mergeAction(existing, action);
    else {
      const detail = `There is no action named ${quoteText(action.addr.name)}. An override file can only override a resource block defined in a primary configuration file.`;
      diagnostics.push(errorDiagnostic('Missing resource to override', detail, action.range));
    }
  }
}

function mergeBackends(draft: ModuleDraft, file: FileContent, diagnostics: Diagnostic[]): void {
  const [backend, secondBackend] = file.backends;
  if (backend !== undefined && secondBackend !== undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Duplicate backend configuration',
        `Each override file may have only one backend configuration. A backend was previously configured at ${backend.range}.`,
        secondBackend.range,
      ),
    );
  } else if (backend !== undefined) {
    draft.cloud = undefined;
    draft.backend = backend;
  }
  const [cloud, secondCloud] = file.clouds;
  if (cloud !== undefined && secondCloud !== undefined) {
    diagnostics.push(duplicateCloud(cloud.range, secondCloud.range));
  } else if (cloud !== undefined) {
    draft.backend = undefined;
    draft.cloud = cloud;
  }
}

function mergeNamedValues(draft: ModuleDraft, file: FileContent, diagnostics: Diagnostic[]): void {
  const missing = (summary: string, kind: string, declared: string, name: string, at: Range) => {
    const detail = `There is no ${kind} named ${quoteText(name)}. An override file can only override ${declared} in a primary configuration file.`;
    diagnostics.push(errorDiagnostic(summary, detail, at));
  };
  for (const v of file.variables) {
    const existing = draft.variables.get(v.name);
    if (existing !== undefined) mergeVariable(existing, v, diagnostics);
    else {
      const summary = 'Missing base variable declaration to override';
      missing(summary, 'variable', 'a variable that was already declared', v.name, v.range);
    }
  }
  for (const l of file.locals) {
    if (draft.locals.has(l.name)) draft.locals.set(l.name, l);
    else {
      const summary = 'Missing base local value definition to override';
      missing(summary, 'local value', 'a local value that was already defined', l.name, l.range);
    }
  }
  for (const o of file.outputs) {
    const existing = draft.outputs.get(o.name);
    if (existing !== undefined) mergeOutput(existing, o, diagnostics);
    else {
      const summary = 'Missing base output definition to override';
      missing(summary, 'output', 'an output that was already defined', o.name, o.range);
    }
  }
}

function mergeResourceBlock(
  draft: ModuleDraft,
  resource: DecodedResource,
  diagnostics: Diagnostic[],
): void {
  const { mode, type, name, text } = resource.addr;
  const existing = draft.resources.get(text);
  if (existing !== undefined) {
    mergeResource(existing, resource, diagnostics);
    return;
  }
  const long = RESOURCE_WORDS[mode].long;
  const block = mode === 'managed' ? 'a resource' : mode === 'data' ? 'a data' : 'an ephemeral';
  diagnostics.push(
    errorDiagnostic(
      `Missing ${long} to override`,
      `There is no ${type} ${long} named ${quoteText(name)}. An override file can only override ${block} block defined in a primary configuration file.`,
      resource.range,
    ),
  );
}
