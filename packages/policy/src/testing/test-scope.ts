import { type FunctionSpec, object, UNKNOWN, type Value } from '@terrane/cty';
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
import type { PolicyTestFile } from './model.ts';

/** The scope of a test file: local values, and the mocks of the file, which may refer to each other. */
export class TestFileScope implements Scope {
  readonly #expressions = new Map<string, Expression>();
  readonly #values = new Map<string, Value>();
  readonly #underEvaluation = new Set<string>();
  readonly #types = new Set<string>();
  readonly #functions: ReadonlyMap<string, FunctionSpec>;

  constructor(file: PolicyTestFile, functions: ReadonlyMap<string, FunctionSpec>) {
    this.#functions = functions;
    for (const [name, expression] of file.locals)
      this.#expressions.set(`local.${name}`, expression);
    for (const { kind, target, name, attrs } of file.objects) {
      if (kind !== 'resource') continue;
      this.#types.add(target);
      if (attrs !== undefined) this.#expressions.set(`${target}.${name}`, attrs);
    }
    for (const { type, name, attrs } of file.data)
      this.#expressions.set(`data.${type}.${name}`, attrs);
  }

  resolve(traversal: Traversal, diagnostics: Diagnostic[]): Resolution | undefined {
    const root = rootName(traversal);
    const isObject = this.#types.has(root) || root === 'data';
    const length = root === 'data' ? 3 : 2;
    const names = traversal.steps
      .slice(1, length)
      .map((step) => (step.kind === 'attr' ? step.name : ''));
    const key = [root, ...names].join('.');
    const expression = this.#expressions.get(key);
    if (expression === undefined) {
      if (root === 'local' || isObject) {
        const detail = `The file has no ${root === 'local' ? 'local value' : 'mock with attrs'} named ${key}.`;
        diagnostics.push(errorDiagnostic('Invalid reference', detail, traversal.range));
        return { value: UNKNOWN, consumed: traversal.steps.length };
      }
      return undefined;
    }
    const value = this.#value(key, expression, diagnostics);
    return { value: isObject ? object({ attrs: value }) : value, consumed: length };
  }

  #value(key: string, expression: Expression, diagnostics: Diagnostic[]): Value {
    const existing = this.#values.get(key);
    if (existing !== undefined) return existing;
    if (this.#underEvaluation.has(key)) {
      const detail = `The value of ${key} refers to itself, directly or through others.`;
      diagnostics.push(errorDiagnostic('Cycle of references', detail, expression.range));
      return UNKNOWN;
    }
    this.#underEvaluation.add(key);
    const value = evaluate(expression, this, diagnostics);
    this.#underEvaluation.delete(key);
    this.#values.set(key, value);
    return value;
  }

  functionNamed(name: string): FunctionSpec | undefined {
    return name.startsWith('core::') ? this.#functions.get(name) : undefined;
  }

  *functionNames(): Iterable<string> {
    for (const name of this.#functions.keys()) if (name.startsWith('core::')) yield name;
  }

  rootNames(): Iterable<string> {
    return ['local', 'data', ...this.#types];
  }
}
