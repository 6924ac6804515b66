import { type FunctionSpec, quoteText, UNKNOWN, type Value } from '@terrane/cty';
import {
  type Configuration,
  dialectRules,
  type InputValue,
  parseInput,
  prepareVariable,
  type RunOutputs,
  type TestRun,
  testReferences,
  testScope,
  type Variable,
} from '@terrane/engine';
import {
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  hasErrors,
  type Range,
  warningDiagnostic,
} from '@terrane/hcl';

/** A value for a variable in a run. */
export interface TestValue {
  readonly value: Value;
  readonly source: InputValue['source'];
  readonly range?: Range | undefined;
}

/** The sources of a file's variables. */
export interface VariableSources {
  /** values from outside of the tests */
  readonly globals: ReadonlyMap<string, InputValue>;
  /** values of the file's `variables` block */
  readonly file: ReadonlyMap<string, Expression>;
  /** variables declared in the file, to which external values are converted */
  readonly definitions: ReadonlyMap<string, Variable>;
  /** the outputs of earlier runs */
  readonly runs: RunOutputs;
  readonly functions: ReadonlyMap<string, FunctionSpec>;
}

/**
 * The variables of the file and external variables in one run. They are evaluated for each run, because the run's
 * configuration determines how text is parsed.
 */
export class RunVariables {
  readonly #sources: VariableSources;
  readonly #configuration: Configuration;
  readonly #globals = new Map<string, TestValue>();
  readonly #files = new Map<string, TestValue>();
  /** The file's variables under evaluation, to detect cycles. */
  readonly #under = new Set<string>();

  constructor(sources: VariableSources, configuration: Configuration) {
    this.#sources = sources;
    this.#configuration = configuration;
  }

  /** The value of a variable, the file's before that of the outside; undefined where neither has one. */
  get(name: string, diagnostics: Diagnostic[]): TestValue | undefined {
    return this.#ofFile(name, diagnostics) ?? this.#global(name, diagnostics);
  }

  #global(name: string, diagnostics: Diagnostic[]): TestValue | undefined {
    const existing = this.#globals.get(name);
    const input = this.#sources.globals.get(name);
    if (existing !== undefined) return existing;
    const definition = this.#sources.definitions.get(name);
    if (input === undefined) return definition && this.#defined(definition, diagnostics);
    const declared = definition ?? this.#configuration.root.variables.get(name);
    const problems: Diagnostic[] = [];
    const parsed = parseInput(declared ?? { name, parsing: 'hcl' }, input, problems);
    diagnostics.push(...problems);
    if (definition !== undefined && !hasErrors(problems)) {
      return this.#defined(definition, diagnostics, { ...input, value: parsed });
    }
    const value: TestValue = hasErrors(problems)
      ? { value: UNKNOWN, source: 'caller' }
      : { value: parsed, source: input.source, range: input.range };
    this.#globals.set(name, value);
    return value;
  }

  /** Returns the value of a variable that a `variable` block of the file declares: the input, or its default. */
  #defined(
    definition: Variable,
    diagnostics: Diagnostic[],
    input?: InputValue & { readonly value: Value },
  ): TestValue {
    const prepared = prepareVariable(definition, input?.value, input?.range, '', input?.source);
    diagnostics.push(...prepared.diagnostics);
    const { name, range } = definition;
    const value: TestValue = { value: prepared.value, source: 'caller', range };
    this.#globals.set(name, value);
    return value;
  }

  #ofFile(name: string, diagnostics: Diagnostic[]): TestValue | undefined {
    const existing = this.#files.get(name);
    const expression = this.#sources.file.get(name);
    if (existing !== undefined || expression === undefined) return existing;
    const problems: Diagnostic[] = [];
    this.#under.add(name);
    const variables = this.#usedByFile(expression, problems);
    this.#under.delete(name);
    let value: TestValue = { value: UNKNOWN, source: 'caller' };
    if (!hasErrors(problems)) {
      const { functions, runs } = this.#sources;
      const values = { variables: variables, runs, functions };
      const scope = testScope('file', [expression], values, problems);
      if (scope !== undefined) {
        const evaluated = evaluate(expression, scope, problems);
        value = {
          value: hasErrors(problems) ? UNKNOWN : evaluated,
          source: 'caller',
          range: expression.range,
        };
      }
    }
    diagnostics.push(...problems);
    this.#files.set(name, value);
    return value;
  }

  /** Returns the variables that a variable of the file refers to: external ones, otherwise others of the file. */
  #usedByFile(expression: Expression, diagnostics: Diagnostic[]): ReadonlyMap<string, Value> {
    const values = new Map<string, Value>();
    const { references, diagnostics: unreadable } = testReferences(expression);
    for (const { subject } of references) {
      if (subject.kind !== 'variable') continue;
      const { name } = subject;
      const referred =
        this.#global(name, diagnostics) ??
        (this.#under.has(name) ? undefined : this.#ofFile(name, diagnostics));
      const value = referred?.value ?? this.#default(name, expression);
      if (value !== undefined) values.set(name, value);
    }
    diagnostics.push(...unreadable);
    return values;
  }

  /** Returns the values of the variables that expressions refer to, as far as they exist. */
  referredTo(
    expressions: Iterable<Expression>,
    diagnostics: Diagnostic[],
  ): ReadonlyMap<string, Value> {
    const values = new Map<string, Value>();
    for (const expression of expressions) {
      for (const { subject } of testReferences(expression).references) {
        if (subject.kind !== 'variable' || values.has(subject.name)) continue;
        const value =
          this.get(subject.name, diagnostics)?.value ?? this.#default(subject.name, expression);
        if (value !== undefined) values.set(subject.name, value);
      }
    }
    return values;
  }

  /** Returns the default of a configuration variable without an input, if the expression may refer to it. */
  #default(name: string, { range }: Expression): Value | undefined {
    const declared = this.#configuration.root.variables.get(name);
    if (declared?.default === undefined) return undefined;
    if (!dialectRules(range).testsSeeDefaults) return undefined;
    return prepareVariable(declared, undefined, undefined, '').value;
  }

  /**
   * Returns the values for a run: those of its own block, of the file, and external ones, for the variables that its
   * configuration declares or its assertions refer to. Those with defaults may be omitted.
   */
  valuesFor(
    run: TestRun,
    referred: ReadonlySet<string>,
    warns: boolean,
    diagnostics: Diagnostic[],
  ): ReadonlyMap<string, TestValue> {
    const declared = this.#configuration.root.variables;
    const relevant = new Set([...referred, ...declared.keys()]);
    const values = new Map<string, TestValue>();
    for (const [name, expression] of run.variables) {
      const value = this.#ofRun(expression, diagnostics);
      if (relevant.has(name)) {
        values.set(name, { value, source: 'caller', range: expression.range });
      } else if (warns) {
        diagnostics.push(
          warningDiagnostic(
            'Value for undeclared variable',
            `The module under test does not declare a variable named ${quoteText(name)}, but it is declared in run block ${quoteText(run.name)}.`,
            expression.range,
          ),
        );
      }
    }
    for (const name of relevant) {
      if (values.has(name)) continue;
      const value = this.get(name, diagnostics);
      if (value !== undefined) values.set(name, value);
    }
    for (const variable of declared.values()) {
      if (values.has(variable.name) || variable.default !== undefined) continue;
      diagnostics.push(
        errorDiagnostic(
          'No value for required variable',
          `The module under test for run block ${quoteText(run.name)} has a required variable ${quoteText(variable.name)} with no set value. Use a -var or -var-file command line argument or add this variable into a "variables" block within the test file or run block.`,
          variable.range,
        ),
      );
    }
    return values;
  }

  #ofRun(expression: Expression, diagnostics: Diagnostic[]): Value {
    const { functions, runs } = this.#sources;
    const variables = this.referredTo([expression], diagnostics);
    const scope = testScope('run', [expression], { variables, runs, functions }, diagnostics);
    return scope === undefined ? UNKNOWN : evaluate(expression, scope, diagnostics);
  }
}
