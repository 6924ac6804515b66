import type { FunctionSpec, Value } from '@terrane/cty';
import type { Range } from '../source/source.ts';
import type { Diagnostic, Resolution, Scope, SplatItemExpr, Traversal } from '../model.ts';

/** A scope of fixed variables and functions, for constant expressions and tests. */
export function constantScope(
  variables: Readonly<Record<string, Value>>,
  functions: ReadonlyMap<string, FunctionSpec> = new Map(),
): Scope {
  return new ConstantScope(new Map(Object.entries(variables)), functions);
}

/** Returns a scope that overrides some names: iterators, `each`, `count`, `self`. */
export function childScope(parent: Scope, variables: ReadonlyMap<string, Value>): Scope {
  return iterationScope(parent, variables);
}

/** A child scope that may be the outermost one. */
export function iterationScope(
  parent: Scope | undefined,
  variables: ReadonlyMap<string, Value>,
): Scope {
  return new Frame(parent, { kind: 'names', variables });
}

class ConstantScope implements Scope {
  readonly #variables: ReadonlyMap<string, Value>;
  readonly #functions: ReadonlyMap<string, FunctionSpec>;

  constructor(variables: ReadonlyMap<string, Value>, functions: ReadonlyMap<string, FunctionSpec>) {
    this.#variables = variables;
    this.#functions = functions;
  }

  resolve(traversal: Traversal): Resolution | undefined {
    const value = this.#variables.get(rootName(traversal));
    return value === undefined ? undefined : { value, consumed: 1 };
  }

  functionNamed(name: string): FunctionSpec | undefined {
    return this.#functions.get(name);
  }

  functionNames(): Iterable<string> {
    return this.#functions.keys();
  }

  rootNames(): Iterable<string> {
    return this.#variables.keys();
  }
}

/** The name of the first step of an absolute traversal. */
export function rootName(traversal: Traversal): string {
  const root = traversal.steps[0];
  return root?.kind === 'root' ? root.name : '';
}

/** Names bound once. */
export interface NamesBinding {
  readonly kind: 'names';
  readonly variables: ReadonlyMap<string, Value>;
}

/**
 * The key and value of a `for` expression. One binding serves all elements: the loop sets `key` and `value` before each
 * iteration.
 */
export interface LoopBinding {
  readonly kind: 'loop';
  readonly keyName: string | undefined;
  readonly valueName: string;
  key: Value | undefined;
  value: Value | undefined;
}

/** The current element of a splat; set before each evaluation. */
export interface SplatBinding {
  readonly kind: 'splat';
  readonly item: SplatItemExpr;
  value: Value;
}

/** A scope with its own bindings and a parent for all other names. */
export class Frame implements Scope {
  readonly parent: Scope | undefined;
  readonly binding: NamesBinding | LoopBinding | SplatBinding;

  constructor(parent: Scope | undefined, binding: NamesBinding | LoopBinding | SplatBinding) {
    this.parent = parent;
    this.binding = binding;
  }

  /** Returns the value of a name that this frame binds. */
  boundValue(name: string): Value | undefined {
    const { binding } = this;
    switch (binding.kind) {
      case 'names':
        return binding.variables.get(name);
      case 'loop':
        if (name === binding.valueName) {
          return binding.value;
        }
        return name === binding.keyName ? binding.key : undefined;
      case 'splat':
        return undefined;
    }
  }

  resolve(traversal: Traversal, diagnostics: Diagnostic[]): Resolution | undefined {
    const value = this.boundValue(rootName(traversal));
    return value === undefined
      ? this.parent?.resolve(traversal, diagnostics)
      : { value, consumed: 1 };
  }

  functionNamed(name: string, place?: Range): FunctionSpec | undefined {
    return this.parent?.functionNamed(name, place);
  }

  functionNames(): Iterable<string> {
    return this.parent?.functionNames() ?? [];
  }

  rootNames(): Iterable<string> {
    return [...this.#ownNames(), ...(this.parent?.rootNames() ?? [])];
  }

  #ownNames(): readonly string[] {
    const { binding } = this;
    switch (binding.kind) {
      case 'names':
        return [...binding.variables.keys()];
      case 'loop':
        return binding.keyName === undefined
          ? [binding.valueName]
          : [binding.keyName, binding.valueName];
      case 'splat':
        return [];
    }
  }
}

/** Returns an immutable copy of a scope, for a diagnostic to retain; the scope itself if it is immutable. */
export function frozenScope(scope: Scope | undefined): Scope | undefined {
  if (!(scope instanceof Frame)) {
    return scope;
  }
  const parent = frozenScope(scope.parent);
  const isFixed = scope.binding.kind === 'names' && parent === scope.parent;
  return isFixed ? scope : new Frame(parent, { ...scope.binding });
}

/** The value of the current element of a splat; undefined outside of it. */
export function splatItemValue(scope: Scope | undefined, item: SplatItemExpr): Value | undefined {
  for (let at = scope; at instanceof Frame; at = at.parent) {
    if (at.binding.kind === 'splat' && at.binding.item === item) {
      return at.binding.value;
    }
  }
  return undefined;
}

/** Returns true if this is an inner scope, which HCL does not look outward from for functions to suggest. */
export function isInnerScope(scope: Scope): boolean {
  return scope instanceof Frame && scope.binding.kind !== 'splat';
}

/** Returns the value that a loop or other inner scope binds to a name, otherwise the scope that resolves it. */
export function lookUpInner(scope: Scope | undefined, name: string): Value | Scope | undefined {
  let at = scope;
  while (at instanceof Frame) {
    const value = at.boundValue(name);
    if (value !== undefined) {
      return value;
    }
    at = at.parent;
  }
  return at;
}

/** Returns true if the scope provides any functions. */
export function hasFunctions(scope: Scope | undefined): boolean {
  let at = scope;
  while (at instanceof Frame) {
    at = at.parent;
  }
  return at !== undefined;
}
