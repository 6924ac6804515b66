import {
  type ConfigResource,
  type InstanceAddr,
  type ModuleInstance,
  UNKNOWN_KEY,
} from '@terrane/addresses';
import type {
  DeferredChange,
  DeferredInvocation,
  DeferredReason,
  PlannedChange,
} from './change.ts';

/**
 * Changes that a plan defers to a later plan: each with its reason, and all their dependents. As in Terraform
 * (`plans/deferring`), dependencies count by resource, not by instance.
 */
export class Deferrals {
  readonly changes: DeferredChange[] = [];
  /** Action invocations that deferred changes trigger. */
  readonly invocations: DeferredInvocation[] = [];
  /** Calls of modules with unknown instances, as `module.a[*]`. */
  readonly modules: Set<string> = new Set();
  readonly #resources = new Set<string>();

  /** True if nothing is deferred. */
  get isEmpty(): boolean {
    return this.#resources.size === 0 && this.modules.size === 0;
  }

  /** Defers a change. */
  add(change: PlannedChange, reason: DeferredReason): void {
    this.changes.push({ change, reason });
    this.note(change.addr.config);
  }

  /** Records a resource as deferred, including one without an entry in the plan. */
  note(resource: ConfigResource): void {
    this.#resources.add(resource.text);
  }

  /** Returns true if any of these resources, by configuration address, has a deferred change. */
  holdsBack(dependencies: () => readonly string[]): boolean {
    return this.#resources.size > 0 && dependencies().some((text) => this.#resources.has(text));
  }
}

/** Returns true if a module instance represents unknown instances. */
export function isOpenModule(module: ModuleInstance): boolean {
  return module.keys.includes(UNKNOWN_KEY);
}

/** Returns true if an address represents unknown instances. */
export function isOpen(addr: InstanceAddr): boolean {
  return addr.key === UNKNOWN_KEY || isOpenModule(addr.resource.module);
}
