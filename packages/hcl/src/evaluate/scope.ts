import type { FunctionSpec, Value } from '@terrane/cty';
import type { Diagnostic, Resolution, Scope, SplatItemExpr, Traversal } from '../model.ts';

/** A scope of fixed variables and functions, for constant expressions and tests. */
export function constantScope(
  variables: Readonly<Record<string, Value>>,
  functions: ReadonlyMap<string, FunctionSpec> = new Map(),
): Scope {
  return new ConstantScope(new Map(Object.entries(variables)), functions);
}

/** A scope in which some names stand for other values: iterators, `each`, `count`, `self`. */
export function childScope(parent: Scope, variables: ReadonlyMap<string, Value>): Scope {
  return new ChildScope(parent, variables);
}

/** A child scope that may be the outermost one. */
export function iterationScope(
  parent: Scope | undefined,
  variables: ReadonlyMap<string, Value>,
): Scope {
  return new ChildScope(parent, variables);
}

class ConstantScope implements Scope {
  private readonly variables: ReadonlyMap<string, Value>;
  private readonly functions: ReadonlyMap<string, FunctionSpec>;

  constructor(
    variables: ReadonlyMap<string, Value>,
    functions: ReadonlyMap<string, FunctionSpec>,
  ) {
    this.variables = variables;
    this.functions = functions;
  }

  resolve(traversal: Traversal): Resolution | undefined {
    const value = this.variables.get(rootName(traversal));
    return value === undefined ? undefined : { value, consumed: 1 };
  }

  functionNamed(name: string): FunctionSpec | undefined {
    return this.functions.get(name);
  }

  functionNames(): Iterable<string> {
    return this.functions.keys();
  }

  rootNames(): Iterable<string> {
    return this.variables.keys();
  }
}

/** The name of the first step of an absolute traversal. */
export function rootName(traversal: Traversal): string {
  const root = traversal.steps[0];
  return root?.kind === 'root' ? root.name : '';
}

/** What the scopes made here have in common: they ask their parent for what they don't know. */
abstract class Frame implements Scope {
  readonly parent: Scope | undefined;

  constructor(parent: Scope | undefined) {
    this.parent = parent;
  }

  /** The value of a name that this frame itself binds. */
  abstract own(name: string): Value | undefined;
  abstract ownNames(): readonly string[];
  /** This frame as it is now, for a diagnostic to keep. */
  abstract frozen(): Scope;

  resolve(traversal: Traversal, diagnostics: Diagnostic[]): Resolution | undefined {
    const value = this.own(rootName(traversal));
    return value === undefined
      ? this.parent?.resolve(traversal, diagnostics)
      : { value, consumed: 1 };
  }

  functionNamed(name: string): FunctionSpec | undefined {
    return this.parent?.functionNamed(name);
  }

  functionNames(): Iterable<string> {
    return this.parent?.functionNames() ?? [];
  }

  rootNames(): Iterable<string> {
    return [...this.ownNames(), ...(this.parent?.rootNames() ?? [])];
  }
}

/** Names bound once. */
export class ChildScope extends Frame {
  private readonly variables: ReadonlyMap<string, Value>;

  constructor(parent: Scope | undefined, variables: ReadonlyMap<string, Value>) {
    super(parent);
    this.variables = variables;
  }

  override own(name: string): Value | undefined {
    return this.variables.get(name);
  }

  override ownNames(): readonly string[] {
    return [...this.variables.keys()];
  }

  override frozen(): Scope {
    const parent = frozenScope(this.parent);
    return parent === this.parent ? this : new ChildScope(parent, this.variables);
  }
}

/**
 * The key and value of a `for` expression. One frame serves all elements: the loop sets `key` and
 * `value` before it evaluates anything in it.
 */
export class LoopFrame extends Frame {
  readonly keyName: string | undefined;
  readonly valueName: string;
  key: Value | undefined;
  value: Value | undefined;

  constructor(parent: Scope | undefined, keyName: string | undefined, valueName: string) {
    super(parent);
    this.keyName = keyName;
    this.valueName = valueName;
    this.key = undefined;
    this.value = undefined;
  }

  override own(name: string): Value | undefined {
    if (name === this.valueName) {
      return this.value;
    }
    return name === this.keyName ? this.key : undefined;
  }

  override ownNames(): readonly string[] {
    return this.keyName === undefined ? [this.valueName] : [this.keyName, this.valueName];
  }

  override frozen(): Scope {
    const copy = new LoopFrame(frozenScope(this.parent), this.keyName, this.valueName);
    copy.key = this.key;
    copy.value = this.value;
    return copy;
  }
}

/** The element that a splat is at; set before the splat evaluates anything for it. */
export class SplatFrame extends Frame {
  readonly item: SplatItemExpr;
  value: Value;

  constructor(parent: Scope | undefined, item: SplatItemExpr, value: Value) {
    super(parent);
    this.item = item;
    this.value = value;
  }

  override own(): undefined {
    return undefined;
  }

  override ownNames(): readonly string[] {
    return [];
  }

  override frozen(): Scope {
    return new SplatFrame(frozenScope(this.parent), this.item, this.value);
  }
}

/** A scope that no longer changes, for a diagnostic to keep; the scope itself if it never does. */
export function frozenScope(scope: Scope | undefined): Scope | undefined {
  return scope instanceof Frame ? scope.frozen() : scope;
}

/** The value of the current element of a splat; undefined outside of it. */
export function splatItemValue(scope: Scope | undefined, item: SplatItemExpr): Value | undefined {
  for (let at = scope; at instanceof Frame; at = at.parent) {
    if (at instanceof SplatFrame && at.item === item) {
      return at.value;
    }
  }
  return undefined;
}

/** Whether names in this scope are bound by loops and the like, which functions are not looked for in. */
export function isInnerScope(scope: Scope): boolean {
  return scope instanceof LoopFrame || scope instanceof ChildScope;
}

/** The value that a loop or other inner scope binds to a name, and else the scope to ask. */
export function lookUpInner(
  scope: Scope | undefined,
  name: string,
): Value | Scope | undefined {
  let at = scope;
  while (at instanceof Frame) {
    const value = at.own(name);
    if (value !== undefined) {
      return value;
    }
    at = at.parent;
  }
  return at;
}

/** Whether there is any scope with functions at all. */
export function hasFunctions(scope: Scope | undefined): boolean {
  let at = scope;
  while (at instanceof Frame) {
    at = at.parent;
  }
  return at !== undefined;
}
