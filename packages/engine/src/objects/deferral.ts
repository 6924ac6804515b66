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
 * What a plan leaves to a later one: each deferred change with its reason, and everything that builds
 * on one (`plans/deferring` of Terraform). As there, it counts on which resource something builds, not
 * on which of its instances.
 */
export class Deferrals {
  readonly changes: DeferredChange[] = [];
  /** What these changes trigger. */
  readonly invocations: DeferredInvocation[] = [];
  /** Calls of modules whose instances are not known, as `module.a[*]`. */
  readonly modules: Set<string> = new Set();
  readonly #resources = new Set<string>();

  /** Whether anything is deferred. */
  get isEmpty(): boolean {
    return this.#resources.size === 0 && this.modules.size === 0;
  }

  /** Defers a change. */
  add(change: PlannedChange, reason: DeferredReason): void {
    this.changes.push({ change, reason });
    this.note(change.addr.config);
  }

  /** Says that something of a resource is deferred of which a plan has nothing to show. */
  note(resource: ConfigResource): void {
    this.#resources.add(resource.text);
  }

  /** Whether any of these resources, by their addresses without keys, has something deferred. */
  holdsBack(dependencies: readonly string[]): boolean {
    return this.#resources.size > 0 && dependencies.some((text) => this.#resources.has(text));
  }
}

/** Whether a module instance stands for instances that are not known yet. */
export function isOpenModule(module: ModuleInstance): boolean {
  return module.keys.includes(UNKNOWN_KEY);
}

/** Whether an address stands for instances that are not known yet. */
export function isOpen(addr: InstanceAddr): boolean {
  return addr.key === UNKNOWN_KEY || isOpenModule(addr.resource.module);
}
