import { parseTestReference, type Reference, referenceText } from '@terrane/addresses';
import { type FunctionSpec, object, quoteText, UNKNOWN, type Value } from '@terrane/cty';
import {
  type Diagnostic,
  errorDiagnostic,
  type Expression,
  hasErrors,
  type Range,
  type Scope,
  type Traversal,
  traverseRelative,
  variables,
} from '@terrane/hcl';
import { functionAt } from '../config/function-at.ts';

/** Outputs of earlier runs by name; undefined for a run that was not executed. */
export type RunOutputs = ReadonlyMap<string, Value | undefined>;

/** The position of an expression in a test file. */
export type TestPlace = 'run' | 'provider' | 'file';

/** Returns the references of an expression in a test file, and their syntax errors. */
export function testReferences(e: Expression): {
  readonly references: readonly Reference[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const references: Reference[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const traversal of variables(e)) {
    const parsed = parseTestReference(traversal);
    diagnostics.push(...parsed.diagnostics);
    if (parsed.reference !== undefined) references.push(parsed.reference);
  }
  return { references, diagnostics };
}

/** The values that expressions of a test file can refer to. */
export interface TestValues {
  readonly variables: ReadonlyMap<string, Value>;
  readonly runs: RunOutputs;
  readonly functions: ReadonlyMap<string, FunctionSpec>;
}

/**
 * Returns the scope of expressions of a test file other than assertions; undefined, with diagnostics, if they refer to
 * missing objects.
 */
export function testScope(
  place: TestPlace,
  expressions: Iterable<Expression>,
  values: TestValues,
  diagnostics: Diagnostic[],
): Scope | undefined {
  const problems: Diagnostic[] = [];
  for (const expression of expressions) {
    const { references, diagnostics: unreadable } = testReferences(expression);
    problems.push(...unreadable);
    for (const reference of references) checkReference(place, reference, values, problems);
  }
  diagnostics.push(...problems);
  return hasErrors(problems) ? undefined : new TestScope(values);
}

const RUN_HINTS: Readonly<Record<TestPlace, string>> = {
  run: 'You can only reference run blocks that are in the same test file and will execute before the current run block.',
  provider:
    'You can only reference run blocks that are in the same test file and will execute before the provider is required.',
  file: 'You can only reference run blocks that are in the same test file and will execute before the variable is used.',
};

const UNAVAILABLE: Readonly<Record<TestPlace, string>> = {
  run: 'is not available to the current run block. You can only reference variables defined at the file or global levels.',
  provider:
    'is not available to the current provider configuration. You can only reference variables defined at the file or global levels.',
  file: 'is not available to the current context. You can only reference global variables.',
};

const ALLOWED: Readonly<Record<TestPlace, string>> = {
  run: 'You can only reference earlier run blocks, file level, and global variables while defining variables from inside a run block.',
  provider:
    'You can only reference run blocks, file level, and global variables while defining variables from inside provider configurations.',
  file: 'You can only reference global variables within the test file variables block.',
};

function checkReference(
  place: TestPlace,
  reference: Reference,
  values: TestValues,
  diagnostics: Diagnostic[],
): void {
  const { subject, range } = reference;
  const fail = (summary: string, detail: string): void => {
    diagnostics.push(errorDiagnostic(summary, detail, range));
  };
  if (subject.kind === 'run') {
    const name = quoteText(subject.name);
    const value = values.runs.get(subject.name);
    if (!values.runs.has(subject.name)) {
      const reason = `The run block ${name} does not exist within this test file.`;
      fail('Reference to unknown run block', `${reason} ${RUN_HINTS[place]}`);
    } else if (value === undefined) {
      const reason = `The run block ${name} has not executed yet.`;
      fail('Reference to unavailable run block', `${reason} ${RUN_HINTS[place]}`);
    } else {
      const problems: Diagnostic[] = [];
      const { steps } = reference.traversal;
      const referenced = traverseRelative(value, steps, problems, reference.consumed);
      diagnostics.push(...problems);
      if (!hasErrors(problems) && !referenced.isWhollyKnown()) {
        fail(
          'Reference to unknown value',
          `The value for ${referenceText(reference)} is unknown. Run block ${name} is executing a "plan" operation, and the specified output value is only known after apply.`,
        );
      }
    }
  } else if (subject.kind !== 'variable') fail('Invalid reference', ALLOWED[place]);
  else if (!values.variables.has(subject.name)) {
    const subjectName = `The input variable ${quoteText(subject.name)}`;
    fail('Reference to unavailable variable', `${subjectName} ${UNAVAILABLE[place]}`);
  }
}

class TestScope implements Scope {
  readonly #objects = new Map<string, Value>();
  readonly #functions: ReadonlyMap<string, FunctionSpec>;

  constructor({ variables, runs, functions }: TestValues) {
    this.#functions = functions;
    this.#objects.set('var', object(variables));
    const completedRuns = [...runs].flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    this.#objects.set('run', object(new Map(completedRuns)));
  }

  resolve(traversal: Traversal): { readonly value: Value; readonly consumed: number } | undefined {
    const [root] = traversal.steps;
    const value = root?.kind === 'root' ? this.#objects.get(root.name) : undefined;
    return value === undefined ? undefined : { value, consumed: 1 };
  }

  peek(traversal: Traversal): Value | undefined {
    const resolution = this.resolve(traversal);
    if (resolution === undefined) return undefined;
    const problems: Diagnostic[] = [];
    const value = traverseRelative(
      resolution.value,
      traversal.steps,
      problems,
      resolution.consumed,
    );
    return problems.length > 0 ? undefined : value;
  }

  functionNamed(name: string, place?: Range): FunctionSpec | undefined {
    return functionAt(this.#functions, name, place);
  }

  functionNames(): Iterable<string> {
    return this.#functions.keys();
  }

  rootNames(): Iterable<string> {
    return this.#objects.keys();
  }
}

/** The values that assertions can refer to besides the module: outputs, earlier runs and variables of the test. */
export interface AssertionValues {
  readonly outputs: ReadonlyMap<string, Value>;
  readonly runs: RunOutputs;
  readonly variables: ReadonlyMap<string, Value>;
}

/** The scope of assertions: the scope of the module with the values of the test. */
export class AssertionScope implements Scope {
  readonly #module: Scope;
  readonly #values: AssertionValues;

  constructor(module: Scope, values: AssertionValues) {
    this.#module = module;
    this.#values = values;
  }

  resolve(
    traversal: Traversal,
    diagnostics: Diagnostic[],
  ): { readonly value: Value; readonly consumed: number } | undefined {
    // Syntax errors were reported before.
    const subject = parseTestReference(traversal).reference?.subject;
    if (subject === undefined) return undefined;
    const value = this.testValue(subject.kind, 'name' in subject ? subject.name : '');
    if (value !== undefined) return { value, consumed: 2 };
    if (subject.kind === 'output' || subject.kind === 'check' || subject.kind === 'run') {
      return { value: UNKNOWN, consumed: traversal.steps.length };
    }
    return this.#module.resolve(traversal, diagnostics);
  }

  peek(traversal: Traversal): Value | undefined {
    const subject = parseTestReference(traversal).reference?.subject;
    if (subject === undefined) return undefined;
    const testValue = this.testValue(subject.kind, 'name' in subject ? subject.name : '');
    if (testValue === undefined) return this.#module.peek?.(traversal);
    const problems: Diagnostic[] = [];
    const value = traverseRelative(testValue, traversal.steps, problems, 2);
    return problems.length > 0 ? undefined : value;
  }

  testValue(kind: string, name: string): Value | undefined {
    switch (kind) {
      case 'output':
        return this.#values.outputs.get(name);
      case 'run':
        return this.#values.runs.get(name);
      case 'variable':
        return this.#values.variables.get(name);
      default:
        return undefined;
    }
  }

  functionNamed(name: string, place?: Range): FunctionSpec | undefined {
    return this.#module.functionNamed(name, place);
  }

  functionNames(): Iterable<string> {
    return this.#module.functionNames();
  }

  rootNames(): Iterable<string> {
    return this.#module.rootNames();
  }
}
