import { type FunctionSpec, UNKNOWN, type Value } from '@terrane/cty';
import {
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  type Resolution,
  rootName,
  type Scope,
  type Traversal,
} from '@terrane/hcl';
import type { Policy, PolicyFile } from '../language/model.ts';

/** The functions of a scope: those of Terraform Policy, and those of the language by their full names. */
export interface ScopeFunctions {
  readonly policy: ReadonlyMap<string, FunctionSpec>;
  readonly language: ReadonlyMap<string, FunctionSpec>;
}

/** Evaluates local values when they are first referred to, and reports cycles. */
class LazyLocals {
  readonly #expressions: ReadonlyMap<string, Expression>;
  readonly #values = new Map<string, Value>();
  readonly #open = new Set<string>();
  readonly #scope: Scope;

  constructor(expressions: ReadonlyMap<string, Expression>, scope: Scope) {
    this.#expressions = expressions;
    this.#scope = scope;
  }

  /** Returns a value; undefined if there is no such local. Errors are reported once, and the value is unknown then. */
  value(name: string, diagnostics: Diagnostic[]): Value | undefined {
    const existing = this.#values.get(name);
    if (existing !== undefined) return existing;
    const expression = this.#expressions.get(name);
    if (expression === undefined) return undefined;
    if (this.#open.has(name)) {
      const detail = `The local value local.${name} refers to itself, directly or through others.`;
      diagnostics.push(errorDiagnostic('Cycle of local values', detail, expression.range));
      return UNKNOWN;
    }
    this.#open.add(name);
    try {
      const before = diagnostics.length;
      const value = evaluate(expression, this.#scope, diagnostics);
      // A local that fails inside try() has to fail again where it is used without it.
      if (diagnostics.length === before) this.#values.set(name, value);
      return value;
    } finally {
      this.#open.delete(name);
    }
  }

  /** Returns a value that was evaluated before, for messages. */
  known(name: string): Value | undefined {
    return this.#values.get(name);
  }

  names(): Iterable<string> {
    return this.#expressions.keys();
  }
}

/** The scope of a policy file: inputs and the local values of the file. */
export class FileScope implements Scope {
  readonly file: PolicyFile;
  readonly #inputs: ReadonlyMap<string, Value>;
  readonly #functions: ScopeFunctions;
  readonly #locals: LazyLocals;

  constructor(file: PolicyFile, inputs: ReadonlyMap<string, Value>, functions: ScopeFunctions) {
    this.file = file;
    this.#inputs = inputs;
    this.#functions = functions;
    this.#locals = new LazyLocals(file.locals, this);
  }

  resolve(traversal: Traversal, diagnostics: Diagnostic[]): Resolution | undefined {
    const name = memberName(traversal);
    if (name === undefined) return undefined;
    switch (rootName(traversal)) {
      case 'input': {
        const value = this.#inputs.get(name);
        return value === undefined ? undefined : { value, consumed: 2 };
      }
      case 'local': {
        const value = this.#locals.value(name, diagnostics);
        return value === undefined ? undefined : { value, consumed: 2 };
      }
      default:
        return undefined;
    }
  }

  peek(traversal: Traversal): Value | undefined {
    const name = memberName(traversal);
    if (name === undefined) return undefined;
    const isInput = rootName(traversal) === 'input';
    return isInput ? this.#inputs.get(name) : this.#locals.known(name);
  }

  functionNamed(name: string): FunctionSpec | undefined {
    const { policy, language } = this.#functions;
    return policy.get(name) ?? (name.startsWith('core::') ? language.get(name) : undefined);
  }

  *functionNames(): Iterable<string> {
    yield* this.#functions.policy.keys();
    for (const name of this.#functions.language.keys()) if (name.startsWith('core::')) yield name;
  }

  rootNames(): Iterable<string> {
    return ['input', 'local'];
  }
}

/** The scope of one policy for one object. */
export class ObjectScope implements Scope {
  readonly #file: FileScope;
  readonly #roots: ReadonlyMap<string, Value>;
  readonly #locals: LazyLocals;

  /** `roots` are `attrs`, `meta` and, if the policy has it, `prior_attrs`. */
  constructor(file: FileScope, policy: Policy, roots: ReadonlyMap<string, Value>) {
    this.#file = file;
    this.#roots = roots;
    this.#locals = new LazyLocals(policy.locals, this);
  }

  resolve(traversal: Traversal, diagnostics: Diagnostic[]): Resolution | undefined {
    const root = rootName(traversal);
    const value = this.#roots.get(root);
    if (value !== undefined) return { value, consumed: 1 };
    const name = root === 'local' ? memberName(traversal) : undefined;
    const local = name === undefined ? undefined : this.#locals.value(name, diagnostics);
    return local === undefined
      ? this.#file.resolve(traversal, diagnostics)
      : { value: local, consumed: 2 };
  }

  peek(traversal: Traversal): Value | undefined {
    const root = rootName(traversal);
    const name = root === 'local' ? memberName(traversal) : undefined;
    return (
      this.#roots.get(root) ??
      (name === undefined ? undefined : this.#locals.known(name)) ??
      this.#file.peek(traversal)
    );
  }

  functionNamed(name: string): FunctionSpec | undefined {
    return this.#file.functionNamed(name);
  }

  functionNames(): Iterable<string> {
    return this.#file.functionNames();
  }

  rootNames(): Iterable<string> {
    return [...this.#roots.keys(), ...this.#file.rootNames()];
  }
}

function memberName(traversal: Traversal): string | undefined {
  const step = traversal.steps[1];
  return step?.kind === 'attr' ? step.name : undefined;
}
