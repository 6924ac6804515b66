import { rangeBetween, Source, errorDiagnostic, parseTraversal } from '@terrane/hcl';
import type { Diagnostic, Range, Traversal, TraversalStep } from '@terrane/hcl';
import { instanceKeyOf, type InstanceKey } from './instance-key.ts';
import { MODULE_ROOT, type ModuleInstance, type ModulePath, ROOT_INSTANCE } from './module-path.ts';
import { parseModulePrefix, type ModuleStep } from './module-prefix.ts';
import {
  AbsResource,
  ConfigResource,
  InstanceAddr,
  ResourceAddr,
  type ResourceMode,
} from './resource-addr.ts';

/**
 * The target of `-target` and similar options: a module (all instances of its last call unless it has a key), a
 * resource, or an instance.
 */
export type TargetAddr =
  | {
      readonly kind: 'module';
      readonly module: ModulePath;
      readonly instance: ModuleInstance | undefined;
    }
  | { readonly kind: 'resource'; readonly resource: AbsResource | ConfigResource }
  | { readonly kind: 'instance'; readonly instance: InstanceAddr };

/** An endpoint of a `moved` block, relative to the module that contains the block. */
export type MoveEndpoint =
  | { readonly kind: 'module'; readonly steps: readonly ModuleStep[] }
  | {
      readonly kind: 'resource';
      readonly steps: readonly ModuleStep[];
      readonly resource: ResourceAddr;
      readonly key?: InstanceKey;
      readonly hasKey: boolean;
    };

/** The address in a `removed` block, relative to the module that contains the block. */
export interface RemovedAddr {
  readonly module: ModulePath;
  readonly resource?: ResourceAddr;
}

/** Returns the combined range of at least one step. */
export function stepsRange(steps: readonly TraversalStep[]): Range | undefined {
  const first = steps[0]?.range;
  const last = steps[steps.length - 1]?.range;
  return first === undefined || last === undefined ? undefined : rangeBetween(first, last);
}

/** Module instance of parsed steps below `base`. */
export function moduleInstanceOf(
  steps: readonly ModuleStep[],
  base: ModuleInstance = ROOT_INSTANCE,
): ModuleInstance {
  let instance = base;
  for (const step of steps) instance = instance.child(step.name, step.key);
  return instance;
}

/** Module path of parsed steps below `base`; keys are dropped. */
export function modulePathOf(
  steps: readonly ModuleStep[],
  base: ModulePath = MODULE_ROOT,
): ModulePath {
  let path = base;
  for (const step of steps) path = path.child(step.name);
  return path;
}

/**
 * Parses the values of `-target`, `-replace` and other command-line addresses. Ranges of diagnostics refer to the text.
 */
export function parseTarget(text: string): {
  readonly target?: TargetAddr;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { traversal, diagnostics } = parseTraversal(new Source('', text, { unshown: true }));
  if (traversal === undefined || hasError(diagnostics)) return { diagnostics };
  const result = parseTargetTraversal(traversal);
  return { ...result, diagnostics: [...diagnostics, ...result.diagnostics] };
}

/** Variant of {@link parseTarget} for a parsed traversal. */
export function parseTargetTraversal(traversal: Traversal): {
  readonly target?: TargetAddr;
  readonly diagnostics: readonly Diagnostic[];
} {
  const prefix = parseModulePrefix(traversal.steps, true);
  if (prefix.diagnostics.length > 0) return { diagnostics: prefix.diagnostics };
  const module = moduleInstanceOf(prefix.modules);
  if (prefix.rest.length === 0) {
    return { target: { kind: 'module', module: module.path, instance: module }, diagnostics: [] };
  }
  const resourceSteps = parseResourceSteps(prefix.rest);
  if ('diagnostic' in resourceSteps) return { diagnostics: [resourceSteps.diagnostic] };
  const resource = AbsResource.of(module, resourceSteps.resource);
  return {
    target: resourceSteps.hasKey
      ? { kind: 'instance', instance: resource.instance(resourceSteps.key) }
      : { kind: 'resource', resource },
    diagnostics: [],
  };
}

/**
 * Parses the absolute address of a resource instance; a resource without key is its instance without key. Diagnostics
 * show the text under `name`, if present.
 */
export function parseInstanceAddr(
  text: string,
  name?: string,
): {
  readonly address?: InstanceAddr;
  readonly diagnostics: readonly Diagnostic[];
} {
  const source =
    name === undefined ? new Source('', text, { unshown: true }) : new Source(name, text);
  const { traversal, diagnostics } = parseTraversal(source);
  if (traversal === undefined || hasError(diagnostics)) return { diagnostics };
  return parseInstanceTraversal(traversal);
}

/** Variant of {@link parseInstanceAddr} for a parsed traversal. */
export function parseInstanceTraversal(traversal: Traversal): {
  readonly address?: InstanceAddr;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { target, diagnostics } = parseTargetTraversal(traversal);
  if (target === undefined) return { diagnostics };
  switch (target.kind) {
    case 'instance':
      return { address: target.instance, diagnostics };
    case 'resource':
      return target.resource instanceof AbsResource
        ? { address: target.resource.instance(undefined), diagnostics }
        : { diagnostics };
    case 'module':
      return {
        diagnostics: [
          errorDiagnostic(
            'Invalid address',
            'A resource instance address is required here. The module path must be followed by a resource instance specification.',
            traversal.range,
          ),
        ],
      };
  }
}

/** A module instance's absolute address, such as `module.a[0].module.b`. */
export function parseModuleInstance(text: string): {
  readonly instance?: ModuleInstance;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { traversal, diagnostics } = parseTraversal(new Source('', text, { unshown: true }));
  if (traversal === undefined || hasError(diagnostics)) return { diagnostics };
  const prefix = parseModulePrefix(traversal.steps, true);
  if (prefix.diagnostics.length > 0) return { diagnostics: prefix.diagnostics };
  if (prefix.rest.length > 0) {
    const detail =
      prefix.rest.length === traversal.steps.length
        ? 'A module instance address must begin with "module.".'
        : 'The module instance address is followed by additional invalid content.';
    return {
      diagnostics: [
        errorDiagnostic('Invalid module instance address', detail, stepsRange(prefix.rest)),
      ],
    };
  }
  return { instance: moduleInstanceOf(prefix.modules), diagnostics };
}

/** `from` or `to` of a moved block. */
export function parseMoveEndpoint(traversal: Traversal): {
  readonly endpoint?: MoveEndpoint;
  readonly diagnostics: readonly Diagnostic[];
} {
  const prefix = parseModulePrefix(traversal.steps, true);
  if (prefix.diagnostics.length > 0) return { diagnostics: prefix.diagnostics };
  if (prefix.rest.length === 0) {
    return { endpoint: { kind: 'module', steps: prefix.modules }, diagnostics: [] };
  }
  const resourceSteps = parseResourceSteps(prefix.rest);
  if ('diagnostic' in resourceSteps) return { diagnostics: [resourceSteps.diagnostic] };
  return {
    endpoint: { kind: 'resource', steps: prefix.modules, ...resourceSteps },
    diagnostics: [],
  };
}

/** The endpoint as written: `module.a[0].aws_x.y`. */
export function moveEndpointText(endpoint: MoveEndpoint): string {
  const module = moduleInstanceOf(endpoint.steps);
  if (endpoint.kind === 'module') return module.text;
  return AbsResource.of(module, endpoint.resource).instance(endpoint.key).text;
}

/** Returns true if one endpoint can become the other: both resources or both modules (MightUnifyWith). */
export function moveEndpointsUnify(from: MoveEndpoint, to: MoveEndpoint): boolean {
  return from.kind === to.kind;
}

/** `from` of a removed block: a module or managed resource without keys. */
export function parseRemovedAddr(traversal: Traversal): {
  readonly address?: RemovedAddr;
  readonly diagnostics: readonly Diagnostic[];
} {
  const prefix = parseModulePrefix(traversal.steps, false);
  if (prefix.diagnostics.length > 0) return { diagnostics: prefix.diagnostics };
  const module = modulePathOf(prefix.modules);
  if (prefix.rest.length === 0) return { address: { module }, diagnostics: [] };
  const resourceSteps = parseConfigResourceSteps(prefix.rest);
  if ('diagnostic' in resourceSteps) return { diagnostics: [resourceSteps.diagnostic] };
  const address = { module, resource: resourceSteps.resource };
  if (resourceSteps.resource.mode !== 'data') return { address, diagnostics: [] };
  return {
    address,
    diagnostics: [
      errorDiagnostic(
        'Data source address not allowed',
        'Data sources are never destroyed, so they are not valid targets of removed blocks. To remove the data source from state, remove the data source block from configuration.',
        traversal.range,
      ),
    ],
  };
}

/** Returns true if a target covers an address (TargetContains). */
export function targetContains(
  target: TargetAddr,
  address: ModuleInstance | ConfigResource | AbsResource | InstanceAddr,
): boolean {
  switch (target.kind) {
    case 'instance':
      return target.instance === address || target.instance.text === address.text;
    case 'resource': {
      const containing = address instanceof InstanceAddr ? address.resource : address;
      if (target.resource instanceof ConfigResource && containing instanceof AbsResource) {
        return target.resource === containing.config;
      }
      return target.resource.text === containing.text;
    }
    case 'module': {
      if (address instanceof ConfigResource) return containsPath(target, address.module);
      if (address instanceof AbsResource) return containsInstance(target, address.module);
      if (address instanceof InstanceAddr) return containsInstance(target, address.resource.module);
      return containsInstance(target, address);
    }
  }
}

function containsPath(target: TargetAddr & { kind: 'module' }, path: ModulePath): boolean {
  if (target.instance?.keys.some((key) => key !== undefined)) return false;
  const names = target.module.names;
  return names.length <= path.names.length && names.every((name, i) => name === path.names[i]);
}

function containsInstance(target: TargetAddr & { kind: 'module' }, other: ModuleInstance): boolean {
  const names = target.module.names;
  if (other.keys.length < names.length) return false;
  for (let i = 0; i < names.length; i++) {
    if (names[i] !== other.path.names[i]) return false;
    if (target.instance === undefined) continue;
    const key = target.instance.keys[i];
    if (i === names.length - 1 && key === undefined) return true;
    if (key !== other.keys[i]) return false;
  }
  return true;
}

interface ResourceSteps {
  readonly resource: ResourceAddr;
  readonly key?: InstanceKey;
  readonly hasKey: boolean;
}

const RESERVED_ROOTS: ReadonlySet<string> = new Set([
  'count',
  'each',
  'local',
  'module',
  'path',
  'self',
  'terraform',
  'var',
  'template',
  'lazy',
  'arg',
]);

const TYPE_REQUIRED: Readonly<Record<ResourceMode, string>> = {
  managed: 'A resource type name is required.',
  data: 'A data source name is required.',
  ephemeral: 'An ephemeral resource type name is required.',
  list: 'A list resource type name is required.',
};

function invalid(detail: string, range: Range | undefined): { readonly diagnostic: Diagnostic } {
  return { diagnostic: errorDiagnostic('Invalid address', detail, range) };
}

function stepName(step: TraversalStep | undefined): string | undefined {
  return step?.kind === 'root' || step?.kind === 'attr' ? step.name : undefined;
}

function parseResourceSteps(
  steps: readonly TraversalStep[],
): ResourceSteps | { readonly diagnostic: Diagnostic } {
  const rootName = stepName(steps[0]) ?? '';
  let mode: ResourceMode = 'managed';
  let rest = steps;
  if (rootName === 'data' || rootName === 'ephemeral') {
    mode = rootName;
    rest = steps.slice(1);
  } else if (rootName === 'resource') {
    rest = steps.slice(1);
  } else if (RESERVED_ROOTS.has(rootName)) {
    return invalid(
      `The keyword "${rootName}" is reserved and cannot be used to target a resource address. If you are targeting a resource type that uses a reserved keyword, please prefix your address with "resource.".`,
      stepsRange(steps),
    );
  }
  const named = parseTypeAndName(mode, rest, steps);
  if ('diagnostic' in named) return named;
  const index = rest[2];
  if (index === undefined) return { resource: named.resource, hasKey: false };
  const extra = rest[3];
  if (extra !== undefined) {
    return invalid('Unexpected extra operators after address.', extra.range);
  }
  if (index.kind !== 'index') {
    return invalid('Resource instance key must be given in square brackets.', index.range);
  }
  const key = instanceKeyOf(index.key);
  if ('error' in key) return invalid(`Invalid resource instance key: ${key.error}.`, index.range);
  return { resource: named.resource, key: key.key, hasKey: true };
}

function parseConfigResourceSteps(
  steps: readonly TraversalStep[],
): { readonly resource: ResourceAddr } | { readonly diagnostic: Diagnostic } {
  const isData = stepName(steps[0]) === 'data';
  const rest = isData ? steps.slice(1) : steps;
  const named = parseTypeAndName(isData ? 'data' : 'managed', rest, steps);
  if ('diagnostic' in named) return named;
  const extra = rest[2];
  if (extra === undefined) return named;
  return {
    diagnostic: errorDiagnostic(
      'Resource instance keys not allowed',
      'Resource address must be a resource (e.g. "test_instance.foo"), not a resource instance (e.g. "test_instance.foo[1]").',
      extra.range,
    ),
  };
}

function parseTypeAndName(
  mode: ResourceMode,
  rest: readonly TraversalStep[],
  allSteps: readonly TraversalStep[],
): { readonly resource: ResourceAddr } | { readonly diagnostic: Diagnostic } {
  const [typeStep, nameStep] = rest;
  if (typeStep === undefined || nameStep === undefined) {
    return invalid(
      'Resource specification must include a resource type and name.',
      stepsRange(rest) ?? stepsRange(allSteps),
    );
  }
  const type = stepName(typeStep);
  if (type === undefined) return invalid(TYPE_REQUIRED[mode], typeStep.range);
  if (nameStep.kind !== 'attr') return invalid('A resource name is required.', nameStep.range);
  return { resource: ResourceAddr.of(mode, type, nameStep.name) };
}

function hasError(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}
