import {
  AbsResource,
  type InstanceAddr,
  type ModuleInstance,
  parseTarget,
  type TargetAddr,
  targetContains,
} from '@terrane/addresses';
import { compareText } from '@terrane/cty';
import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { StateDraft } from '../draft.ts';
import type { State } from '../model.ts';
import { snapshotOf } from '../snapshot.ts';
import {
  parseStateAddress,
  stateAddressText,
  type StateObjectAddr,
  storedSuggestion,
} from './select.ts';

/** Outcome of `terraform state mv`. */
export interface StateMove {
  /** the moved objects, as the command prints them */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  /** the source state afterwards; the original one after an error */
  readonly from: State;
  /** the destination state afterwards; the same as `from` when there is only one */
  readonly to: State;
  readonly diagnostics: readonly Diagnostic[];
  /** an error that Terraform prints as plain text */
  readonly problem?: string;
}

const INVALID_SOURCE = 'Invalid source address';
const INVALID_TARGET = 'Invalid target address';

/**
 * Moves a module, a resource or an instance, within a state or to another one (`destination`). After an error nothing
 * has moved. Dependents of the moved objects lose their dependencies, which the next apply determines again, as in
 * Terraform.
 */
export function moveInState(
  state: State,
  sourceText: string,
  targetText: string,
  destination?: State,
): StateMove {
  const source = parseStateAddress(sourceText);
  const target = parseStateAddress(targetText);
  const parsing = [...source.diagnostics, ...target.diagnostics];
  const move = new Move(state, destination, targetText);
  if (source.address === undefined || target.address === undefined || hasErrors(parsing)) {
    return move.failed(parsing);
  }
  return move.run(source.address, target.address);
}

class Move {
  readonly #state: State;
  readonly #other: State | undefined;
  readonly #targetText: string;
  readonly #from: StateDraft;
  readonly #to: StateDraft;
  readonly #moved: { readonly from: string; readonly to: string }[] = [];

  constructor(state: State, destination: State | undefined, targetText: string) {
    this.#state = state;
    this.#other = destination;
    this.#targetText = targetText;
    this.#from = new StateDraft(state);
    this.#to = destination === undefined ? this.#from : new StateDraft(destination);
  }

  get #destination(): State {
    return this.#other ?? this.#state;
  }

  failed(diagnostics: readonly Diagnostic[], problem?: string): StateMove {
    const base = { moved: [], from: this.#state, to: this.#destination, diagnostics };
    return problem === undefined ? base : { ...base, problem };
  }

  run(source: StateObjectAddr, target: StateObjectAddr): StateMove {
    const sources = this.#sources(source);
    if (sources.length === 0) {
      return this.failed([
        errorDiagnostic(
          INVALID_SOURCE,
          `Cannot move ${stateAddressText(source)}: does not match anything in the current state.${storedSuggestion(stateAddressText(source), this.#state)}`,
        ),
      ]);
    }
    for (const each of sources) {
      const failure =
        each.kind === 'module'
          ? this.#moveModule(each.module, source, target)
          : each.kind === 'resource'
            ? this.#moveResource(each.resource, target)
            : this.#moveInstance(each.instance, target);
      if (failure !== undefined) return failure;
    }
    const from = this.#from.freeze();
    const to = withoutDependenciesOn(this.#other === undefined ? from : this.#to.freeze(), sources);
    return {
      moved: this.#moved,
      from: this.#other === undefined ? to : from,
      to,
      diagnostics: [],
    };
  }

  /**
   * Returns the objects of an address: a module includes its descendants; a resource without a key is its only
   * instance.
   */
  #sources(source: StateObjectAddr): readonly StateObjectAddr[] {
    switch (source.kind) {
      case 'module': {
        const modules = new Set<ModuleInstance>();
        for (const { module } of this.#state.resources()) {
          if (isWithin(module, source.module)) modules.add(module);
        }
        return [...modules]
          .sort((a, b) => compareText(a.text, b.text))
          .map((module) => ({ kind: 'module', module }));
      }
      case 'resource': {
        const { resource } = source;
        if (this.#state.resourceProvider(resource) === undefined) return [];
        const single = this.#state.resourceInstances(resource).get(undefined);
        return [single === undefined ? source : { kind: 'instance', instance: single }];
      }
      case 'instance':
        return [source];
    }
  }

  #moveModule(
    module: ModuleInstance,
    source: StateObjectAddr,
    target: StateObjectAddr,
  ): StateMove | undefined {
    if (target.kind !== 'module' || source.kind !== 'module') {
      return this.failed([
        errorDiagnostic(
          INVALID_TARGET,
          `Cannot move ${module.text} to ${stateAddressText(target)}: the target must also be a module.`,
        ),
      ]);
    }
    let to = target.module;
    for (let i = source.module.keys.length; i < module.keys.length; i++) {
      to = to.child(module.path.names[i] ?? '', module.keys[i]);
    }
    for (const resource of this.#destination.resources()) {
      if (resource.module !== to) continue;
      return this.failed(
        [],
        `Error moving state: destination module already exists

Please ensure your addresses and state paths are valid. No
state was persisted. Your existing states are untouched.`,
      );
    }
    for (const resource of this.#state.resources()) {
      if (resource.module !== module) continue;
      this.#transferAll(resource, AbsResource.of(to, resource.resource));
    }
    this.#moved.push({ from: module.text, to: to.text });
    return undefined;
  }

  #moveResource(resource: AbsResource, target: StateObjectAddr): StateMove | undefined {
    if (target.kind !== 'resource') {
      return this.failed([
        errorDiagnostic(
          INVALID_TARGET,
          `Cannot move ${resource.text} to ${stateAddressText(target)}: the source is a whole resource (not a resource instance) so the target must also be a whole resource.`,
        ),
      ]);
    }
    const to = target.resource;
    const diagnostics = checkMove(resource, to);
    if (this.#destination.resourceProvider(to) !== undefined) {
      diagnostics.push(
        errorDiagnostic(
          INVALID_TARGET,
          `Cannot move to ${to.text}: there is already a resource at that address in the current state.`,
        ),
      );
    }
    if (diagnostics.length > 0) return this.failed(diagnostics);
    this.#transferAll(resource, to);
    this.#moved.push({ from: resource.text, to: to.text });
    return undefined;
  }

  #moveInstance(instance: InstanceAddr, target: StateObjectAddr): StateMove | undefined {
    if (target.kind === 'module') {
      return this.failed([
        errorDiagnostic(
          INVALID_TARGET,
          `Cannot move ${instance.text} to ${target.module.text}: the target must also be a resource instance.`,
        ),
      ]);
    }
    const to = target.kind === 'instance' ? target.instance : target.resource.instance(undefined);
    const diagnostics = checkMove(instance.resource, to.resource);
    if (this.#destination.instance(to) !== undefined) {
      diagnostics.push(
        errorDiagnostic(
          INVALID_TARGET,
          `Cannot move to ${to.text}: there is already a resource instance at that address in the current state.`,
        ),
      );
    }
    if (this.#state.instance(instance) === undefined) {
      diagnostics.push(
        errorDiagnostic(INVALID_SOURCE, `The current state does not contain ${instance.text}.`),
      );
    }
    if (diagnostics.length > 0) return this.failed(diagnostics);
    this.#transfer(instance, to);
    this.#moved.push({ from: instance.text, to: this.#targetText });
    return undefined;
  }

  #transferAll(from: AbsResource, to: AbsResource): void {
    for (const instance of this.#state.instancesOf(from)) {
      this.#transfer(instance, to.instance(instance.key));
    }
    this.#from.dropEmptyResource(from);
  }

  #transfer(from: InstanceAddr, to: InstanceAddr): void {
    if (this.#to === this.#from) {
      this.#from.apply({ kind: 'move', from, to });
      return;
    }
    const objects = this.#from.instance(from);
    if (objects === undefined) return;
    const provider = this.#destination.resourceProvider(to.resource);
    for (const [deposed, object] of objects.deposed) {
      const moved = provider === undefined ? object : { ...object, provider };
      this.#to.apply({ kind: 'put', addr: to, deposed, object: moved });
      this.#from.apply({ kind: 'drop', addr: from, deposed });
    }
    const { current } = objects;
    if (current === undefined) return;
    const moved = provider === undefined ? current : { ...current, provider };
    this.#to.apply({ kind: 'put', addr: to, object: moved });
    this.#from.apply({ kind: 'drop', addr: from });
  }
}

function isWithin(module: ModuleInstance, ancestor: ModuleInstance): boolean {
  let at: ModuleInstance | undefined = module;
  while (at !== undefined && at.keys.length > ancestor.keys.length) at = at.parent;
  return at === ancestor;
}

function checkMove(from: AbsResource, to: AbsResource): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const summary = 'Invalid state move request';
  if (from.resource.mode !== to.resource.mode) {
    const mode = from.resource.mode;
    const reason =
      mode === 'ephemeral'
        ? 'cannot change resource mode.'
        : `a ${mode} resource can be moved only to another ${mode} resource address.`;
    diagnostics.push(errorDiagnostic(summary, `Cannot move ${from.text} to ${to.text}: ${reason}`));
  }
  if (from.resource.type !== to.resource.type) {
    diagnostics.push(
      errorDiagnostic(
        summary,
        `Cannot move ${from.text} to ${to.text}: resource types don't match.`,
      ),
    );
  }
  return diagnostics;
}

/** Clears the dependencies of current objects that refer to moved objects. */
function withoutDependenciesOn(state: State, moved: readonly StateObjectAddr[]): State {
  const affected = new Map<string, boolean>();
  const isAffected = (dependency: string): boolean => {
    let movedDependencies = affected.get(dependency);
    if (movedDependencies === undefined) {
      movedDependencies = moved.some((address) => concerns(address, dependency));
      affected.set(dependency, movedDependencies);
    }
    return movedDependencies;
  };
  const draft = new StateDraft(state);
  for (const addr of snapshotOf(state).instances()) {
    const object = state.instance(addr)?.current;
    if (object === undefined || !object.dependencies.some(isAffected)) continue;
    draft.apply({ kind: 'put', addr, object: { ...object, dependencies: [] } });
  }
  return draft.freeze();
}

function concerns(address: StateObjectAddr, dependency: string): boolean {
  const { target } = parseTarget(dependency);
  if (target?.kind !== 'resource') return false;
  const { resource } = target;
  const config = resource instanceof AbsResource ? resource.config : resource;
  switch (address.kind) {
    case 'module': {
      const { module } = address;
      const covering: TargetAddr = { kind: 'module', module: module.path, instance: module };
      return targetContains(covering, config);
    }
    case 'resource':
      return address.resource.config === config;
    case 'instance':
      return address.instance.config === config;
  }
}
