import { type ModulePath, type Reference, referenceableText } from '@terrane/addresses';
import { str, UNKNOWN, type Value } from '@terrane/cty';
import {
  type Body,
  decodeBody,
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  functionCalls,
  type FunctionReference,
  functionsInBody,
  hasErrors,
  type Range,
  type Scope,
  type Spec,
  type Traversal,
  variables,
  rootName,
  variablesInBody,
} from '@terrane/hcl';
import { referencesOf } from '../../lang/references.ts';
import { explainUnknownFunction } from '../unknown-function.ts';
import { parseInput } from '../finalize-variables.ts';
import type { Local, Variable } from '../model.ts';
import { prepareVariable } from '../prepare-variable.ts';
import { unavailable } from '../check/unavailable.ts';
import { ConstantScope, type ResolveOthers } from './constant-scope.ts';
import type { ConstantSettings } from './constant-settings.ts';

/** The use of a constant, as messages name it: `local.x`, `module.a:module.b.source`. */
export interface ConstantUse {
  readonly name: string;
  readonly range: Range;
}

/** The source of constants in a module: its declarations and the origin of its variables. */
export interface ConstantModuleSource {
  readonly path: ModulePath;
  /** `path.module` */
  readonly directory: string;
  readonly locals: ReadonlyMap<string, Local>;
  variable(name: string): (Variable & { readonly const?: boolean }) | undefined;
  /** the call, for all modules but the root */
  readonly call?: { readonly parent: ConstantModule; readonly body: Body } | undefined;
}

/** The result of an evaluation, shared by all its users: a value or diagnostics. */
interface Known {
  readonly value: Value;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Evaluates constant expressions of a module from variables, local values, `path` and `terraform.workspace`, without
 * providers or state, like OpenTofu's static evaluator: module sources and versions, backend settings, provider
 * configuration keys. Each value is evaluated once.
 */
export class ConstantModule {
  readonly settings: ConstantSettings;
  readonly #source: ConstantModuleSource;
  readonly #root: ConstantModule;
  readonly #locals = new Map<string, Known>();
  readonly #variables = new Map<string, Known>();
  /** the declarations under evaluation, outermost first */
  readonly #path: string[] = [];

  constructor(source: ConstantModuleSource, settings: ConstantSettings) {
    this.#source = source;
    this.settings = settings;
    let root: ConstantModule = this;
    for (let up = source.call?.parent; up !== undefined; up = up.#source.call?.parent) root = up;
    this.#root = root;
  }

  get directory(): string {
    return this.#source.directory;
  }

  get rootDirectory(): string {
    return this.#root.directory;
  }

  /** Evaluates an expression; unknown, with diagnostics, if it is not constant. Marks are preserved. */
  evaluate(expression: Expression, use: ConstantUse, diagnostics: Diagnostic[]): Value {
    return this.evaluateIn(expression, use, diagnostics).value;
  }

  /**
   * Variant of `evaluate` that also returns the scope of the value, for diagnostics; `others` resolves references to
   * non-constants.
   */
  evaluateIn(
    expression: Expression,
    use: ConstantUse,
    diagnostics: Diagnostic[],
    others?: ResolveOthers,
  ): { readonly value: Value; readonly scope?: Scope } {
    const scopeProblems: Diagnostic[] = [];
    const traversals = variables(expression);
    const scope = this.#scopeFor(traversals, functionCalls(expression), use, scopeProblems, others);
    diagnostics.push(...scopeProblems);
    if (hasErrors(scopeProblems) || scope === undefined) return { value: UNKNOWN };
    const problems: Diagnostic[] = [];
    const value = evaluate(expression, scope, problems);
    diagnostics.push(...problems.map((problem) => explainUnknownFunction(problem, scope)));
    return { value: hasErrors(problems) ? UNKNOWN : value, scope };
  }

  /** Loads the functions that a body calls, directly or through locals, before it is decoded after loading. */
  async prepare(body: Body, spec: Spec): Promise<void> {
    const mayCall =
      functionsInBody(body, spec).length > 0 ||
      variablesInBody(body, spec).some((traversal) => rootName(traversal) === 'local');
    if (mayCall) await this.settings.prepareFunctions?.();
  }

  /** Decodes a body by its specification; unknown, with diagnostics, if a part is not constant. */
  decodeBody(body: Body, spec: Spec, use: ConstantUse, diagnostics: Diagnostic[]): Value {
    const scopeProblems: Diagnostic[] = [];
    const called = functionsInBody(body, spec);
    const scope = this.#scopeFor(variablesInBody(body, spec), called, use, scopeProblems);
    diagnostics.push(...scopeProblems);
    if (hasErrors(scopeProblems) || scope === undefined) return UNKNOWN;
    const problems: Diagnostic[] = [];
    const value = decodeBody(body, spec, scope, problems);
    diagnostics.push(...problems.map((problem) => explainUnknownFunction(problem, scope)));
    return value;
  }

  /** Returns a scope with all referenced values; undefined, with diagnostics, if one is not constant. */
  #scopeFor(
    traversals: readonly Traversal[],
    called: readonly FunctionReference[],
    use: ConstantUse,
    diagnostics: Diagnostic[],
    others?: ResolveOthers,
  ): ConstantScope | undefined {
    const before = diagnostics.length;
    const constant =
      others === undefined
        ? traversals
        : traversals.filter((traversal) => others(traversal) === undefined);
    const parsed = referencesOf(constant);
    diagnostics.push(...parsed.diagnostics);
    if (hasErrors(diagnostics, before)) return undefined;
    const named = use.name;
    for (const { subject, range } of parsed.references) {
      const problem = problemOf(subject, named, range);
      if (problem !== undefined) diagnostics.push(problem);
    }
    for (const { name, range } of called) {
      if (!name.startsWith('provider::')) continue;
      const detail = `Unable to use ${name} in static context, which is required by ${named}`;
      diagnostics.push(errorDiagnostic('Provider function in static context', detail, range));
    }
    if (hasErrors(diagnostics, before)) return undefined;
    const values = new Map<string, Value>();
    for (const reference of parsed.references) {
      const text = referenceableText(reference.subject);
      if (values.has(text)) continue;
      const value = this.#value(reference, use, diagnostics);
      if (value !== undefined) values.set(text, value);
    }
    if (hasErrors(diagnostics, before)) return undefined;
    return new ConstantScope(this, values, others);
  }

  /** Returns the description of a construct of this module that needs a constant. */
  use(name: string, range: Range): ConstantUse {
    const { path } = this.#source;
    return { name: path.isRoot ? name : `${path.text}:${name}`, range };
  }

  #value(reference: Reference, use: ConstantUse, diagnostics: Diagnostic[]): Value | undefined {
    const { subject, range } = reference;
    switch (subject.kind) {
      case 'local': {
        const local = this.#source.locals.get(subject.name);
        if (local === undefined) {
          diagnostics.push(
            errorDiagnostic('Undefined local', `Undefined local local.${subject.name}`, range),
          );
          return undefined;
        }
        const inner = this.use(`local.${subject.name}`, local.range);
        return this.#remembered(this.#locals, inner, use, diagnostics, (problems) =>
          this.evaluate(local.expression, inner, problems),
        );
      }
      case 'variable': {
        const variable = this.#source.variable(subject.name);
        if (variable === undefined) {
          diagnostics.push(
            errorDiagnostic('Undefined variable', `Undefined variable var.${subject.name}`, range),
          );
          return undefined;
        }
        if (variable.const === false) {
          diagnostics.push(
            errorDiagnostic(
              'Unable to use variable in static context',
              `The variable "${variable.name}" cannot be used in a static context, because it is declared as "const = false".`,
              range,
            ),
          );
          return undefined;
        }
        return this.#variable(variable, use, diagnostics);
      }
      default:
        return this.#fixed(reference, diagnostics);
    }
  }

  /** Evaluates a variable that is declared constant. */
  requireConst(variable: Variable, diagnostics: Diagnostic[]): void {
    this.#variable(variable, undefined, diagnostics);
  }

  #variable(
    variable: Variable,
    use: ConstantUse | undefined,
    diagnostics: Diagnostic[],
  ): Value | undefined {
    const inner = this.use(`var.${variable.name}`, variable.range);
    return this.#remembered(this.#variables, inner, use, diagnostics, (problems) =>
      this.#argument(variable, problems),
    );
  }

  #fixed({ subject, range, traversal, consumed }: Reference, diagnostics: Diagnostic[]): Value {
    if (subject.kind === 'path') {
      if (subject.name === 'module') return str(this.directory);
      if (subject.name === 'root') return str(this.rootDirectory);
      if (subject.name === 'cwd') return str(this.settings.cwd);
    }
    if (subject.kind === 'terraform') {
      if (subject.name === 'workspace') return str(this.settings.workspace);
      if (subject.name === 'applying') {
        diagnostics.push(
          errorDiagnostic(
            'Invalid attribute in static context',
            'The applying attribute can not be used during static evaluation and is only valid in the plan and apply phases of execution',
            range,
          ),
        );
        return UNKNOWN;
      }
    }
    const problem = unavailable({ subject, range, traversal, consumed });
    if (problem !== undefined) diagnostics.push(problem);
    return UNKNOWN;
  }

  /** Evaluates a declaration once; every user of a failing one reports the failure. */
  #remembered(
    known: Map<string, Known>,
    inner: ConstantUse,
    use: ConstantUse | undefined,
    diagnostics: Diagnostic[],
    work: (problems: Diagnostic[]) => Value,
  ): Value | undefined {
    const at = this.#path.indexOf(inner.name);
    if (at !== -1) {
      const circle = [...this.#path.slice(at), inner.name].join(', which refers to ');
      diagnostics.push(
        errorDiagnostic(
          'Circular reference',
          `${inner.name} is self referential: ${circle}.`,
          inner.range,
        ),
      );
      return undefined;
    }
    let entry = known.get(inner.name);
    if (entry === undefined) {
      const problems: Diagnostic[] = [];
      this.#path.push(inner.name);
      const value = work(problems);
      this.#path.pop();
      entry = { value, diagnostics: problems };
      known.set(inner.name, entry);
    }
    diagnostics.push(...entry.diagnostics);
    if (!hasErrors(entry.diagnostics)) return entry.value;
    if (use === undefined) return undefined;
    diagnostics.push(
      errorDiagnostic(
        'Unable to compute static value',
        `${use.name} depends on ${inner.name} which is not available`,
        use.range,
      ),
    );
    return undefined;
  }

  #argument(variable: Variable, diagnostics: Diagnostic[]): Value {
    const { call, path } = this.#source;
    const scopeProblems: Diagnostic[] = [];
    const input =
      call === undefined
        ? this.input(variable, scopeProblems)
        : this.#passed(variable, call, scopeProblems);
    diagnostics.push(...scopeProblems);
    if (hasErrors(scopeProblems)) return UNKNOWN;
    const { value, range, source } = input;
    const prepared = prepareVariable(variable, value, range, path.text, source ?? 'caller');
    diagnostics.push(...prepared.diagnostics);
    return prepared.value;
  }

  input(variable: Variable, diagnostics: Diagnostic[]): Given {
    const input = this.settings.inputOf(variable.name);
    if (input !== undefined) {
      const value = parseInput(variable, input, diagnostics);
      return { value, range: input.range, source: input.source };
    }
    if (variable.default === undefined) {
      diagnostics.push(
        errorDiagnostic(
          'No value for required variable',
          `The root module input variable "${variable.name}" is not set, and has no default value. Use a -var or -var-file command line argument to provide a value for this variable.`,
          variable.range,
        ),
      );
    }
    return {};
  }

  #passed(
    variable: Variable,
    call: { readonly parent: ConstantModule; readonly body: Body },
    diagnostics: Diagnostic[],
  ): Given {
    const attribute = call.body.justAttributes().attributes.get(variable.name);
    if (attribute === undefined) {
      if (variable.default === undefined) {
        diagnostics.push(
          errorDiagnostic(
            'Missing required variable in module call',
            '',
            call.body.missingItemRange,
          ),
        );
      }
      return {};
    }
    const use = this.use(`var.${variable.name}`, attribute.range);
    const value = call.parent.evaluate(attribute.expression, use, diagnostics);
    return { value, range: attribute.expression.range };
  }
}

interface Given {
  readonly value?: Value | undefined;
  readonly range?: Range | undefined;
  readonly source?: Parameters<typeof prepareVariable>[4];
}

function problemOf(
  subject: Reference['subject'],
  needed: string,
  range: Range,
): Diagnostic | undefined {
  const text = referenceableText(subject);
  const detail = `Unable to use ${text} in static context, which is required by ${needed}`;
  switch (subject.kind) {
    case 'local':
    case 'variable':
    case 'path':
    case 'terraform':
      return undefined;
    case 'moduleCall':
      return subject.output === undefined
        ? errorDiagnostic('Dynamic value in static context', detail, range)
        : errorDiagnostic('Module output not supported in static context', detail, range);
    default:
      return errorDiagnostic('Dynamic value in static context', detail, range);
  }
}
