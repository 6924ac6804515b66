import { unknownOf, UNKNOWN, type Value } from '@terrane/cty';
import { type Diagnostic, evaluate, type Range, type Scope } from '@terrane/hcl';
import { deprecatedVariable, takeDeprecations } from '../config/deprecations.ts';
import { outputValue, takeOutputDeprecations } from '../config/output-value.ts';
import {
  ephemeralOutputProblem,
  infiniteOutputProblem,
  rootOutputProblem,
  selfReferenceProblem,
  sensitiveOutputProblem,
} from '../config/named-problems.ts';
import type { EvaluationPass } from '../config/evaluation-pass.ts';
import { prepareVariable } from '../config/prepare-variable.ts';
import type { Variable } from '../config/model.ts';
import { evaluateConditions, evaluateValidations } from './conditions.ts';
import type { Evaluation } from './evaluation.ts';
import { errorCount, evaluateExpansion } from './expansion.ts';
import type { ModuleCells } from './module-cells.ts';
import type {
  CallNode,
  CheckNode,
  LocalNode,
  OutputNode,
  ProgramNode,
  ValidationNode,
  VariableNode,
} from './node.ts';

/** The nodes that only evaluate expressions. */
export type NamedNode = VariableNode | ValidationNode | LocalNode | OutputNode | CallNode;

/** Returns true if evaluating the node only evaluates expressions. */
export function isNamed(node: ProgramNode): node is NamedNode {
  switch (node.kind) {
    case 'variable':
    case 'validation':
    case 'local':
    case 'output':
    case 'call':
      return true;
    default:
      return false;
  }
}

/** Settings of a run for evaluating named values. */
export interface NamedSettings {
  /** The final values of the root module's variables. */
  readonly inputs: ReadonlyMap<string, Value>;
  /** The variables that the caller set, to warn of deprecated ones; undefined to omit these warnings. */
  readonly suppliedInputs?: ReadonlyMap<string, Value> | undefined;
  /** ranges of the values of root variables that were set in files */
  readonly inputRanges?: ReadonlyMap<string, Range> | undefined;
  /** Errors of unsuitable input values, by root variable. */
  readonly unsuitable?: ReadonlyMap<string, readonly Diagnostic[]> | undefined;
  /** When applying, the root outputs whose values the plan knows: they are not evaluated again. */
  readonly plannedOutputs?: ReadonlyMap<string, Value>;
  /** Severity of failed output preconditions; none evaluated where undefined. */
  readonly conditionSeverity: Diagnostic['severity'] | undefined;
}

/** Works out a node in every instance of its module. */
export function evaluateNamed(
  evaluation: Evaluation,
  node: NamedNode,
  settings: NamedSettings,
  pass: EvaluationPass,
): void {
  if (node.kind === 'validation') pass.commit(() => declareVariable(evaluation, node));
  // Without an instance of the module no condition can fail.
  if (node.kind === 'output' && settings.conditionSeverity !== undefined)
    pass.commit(() =>
      evaluation.checks.expect(within(node.module.path.text, `output.${node.output.name}`), []),
    );
  for (const cells of evaluation.instancesOf(node.module)) {
    switch (node.kind) {
      case 'variable':
        evaluateVariable(evaluation, node.variable, cells, settings, pass);
        break;
      case 'validation':
        evaluateValidation(evaluation, node, cells, settings, pass);
        break;
      case 'local':
        evaluateLocal(evaluation, node, cells, pass);
        break;
      case 'output':
        evaluateOutput(evaluation, node, cells, settings, pass);
        break;
      case 'call':
        expandCall(evaluation, node, cells, pass);
        break;
    }
  }
}

function expandCall(
  evaluation: Evaluation,
  node: CallNode,
  cells: ModuleCells,
  pass: EvaluationPass,
): void {
  const scope = evaluation.scope(cells);
  const expansion = evaluateExpansion(
    node.call,
    scope,
    false,
    pass.diagnostics,
    evaluation.deferring,
    () => cells.instance.child(node.call.name, undefined).text,
  );
  if (expansion !== undefined)
    pass.commit(() => void evaluation.expandCall(cells, node.call.name, expansion));
}

function evaluateLocal(
  evaluation: Evaluation,
  node: LocalNode,
  cells: ModuleCells,
  pass: EvaluationPass,
): void {
  const { diagnostics } = pass;
  const { name, expression } = node.local;
  const constant = evaluation.constants?.get(node.local);
  if (constant !== undefined) {
    pass.commit(() => cells.setLocal(name, constant));
    return;
  }
  const problem = selfReferenceProblem(node.local);
  if (problem !== undefined) {
    diagnostics.push(problem);
    return;
  }
  const scope = evaluation.scope(cells);
  const value = evaluate(expression, scope, diagnostics);
  const undeprecated = takeDeprecations(value, expression.range, scope.warnsFor, diagnostics);
  pass.commit(() => cells.setLocal(name, undeprecated));
}

function evaluateVariable(
  evaluation: Evaluation,
  variable: Variable,
  cells: ModuleCells,
  settings: NamedSettings,
  pass: EvaluationPass,
): void {
  const { diagnostics } = pass;
  const { name } = variable;
  if (cells.parent !== undefined) {
    const { value, checked } = argument(evaluation, variable, cells, cells.parent, diagnostics);
    pass.commit(() => cells.setVariable(name, value, checked));
    return;
  }
  diagnostics.push(...(settings.unsuitable?.get(name) ?? []));
  const { deprecated, deprecatedRange } = variable;
  const supplied = settings.suppliedInputs?.get(name);
  if (deprecated !== undefined && deprecatedRange !== undefined) {
    if (supplied !== undefined && supplied.isKnown && !supplied.isNull)
      diagnostics.push(
        deprecatedVariable(deprecated, cells.module, deprecatedRange, variable.range),
      );
  }
  let value = settings.inputs.get(name) ?? UNKNOWN;
  if (variable.sensitive) value = value.mark('sensitive');
  if (variable.ephemeral) value = value.mark('ephemeral');
  // Input values are sensitive only if declared so.
  const marks = new Set(value.marks);
  const isHidden = marks.delete('sensitive');
  const checked = isHidden ? value.unmark().withMarks(marks) : value;
  pass.commit(() => cells.setVariable(name, value, checked));
}

/** Returns the converted argument of a module call for a variable. */
function argument(
  evaluation: Evaluation,
  variable: Variable,
  cells: ModuleCells,
  parent: ModuleCells,
  diagnostics: Diagnostic[],
): { readonly value: Value; readonly checked: Value } {
  const call = cells.module.call;
  const callArgument = call?.body.justAttributes().attributes.get(variable.name);
  let value: Value | undefined;
  let range: Range | undefined = call?.range;
  if (callArgument !== undefined) {
    const before = errorCount(diagnostics);
    range = callArgument.expression.range;
    value = evaluate(
      callArgument.expression,
      evaluation.scope(parent, cells.repetition),
      diagnostics,
    );
    const warnsFor = evaluation.warns ? cells.module : undefined;
    value = takeDeprecations(value, range, warnsFor, diagnostics);
    if (errorCount(diagnostics) > before) {
      const unknown = unknownOf(variable.type);
      return { value: unknown, checked: unknown };
    }
    if (variable.deprecated !== undefined && !value.isNull && evaluation.warns) {
      diagnostics.push(deprecatedVariable(variable.deprecated, cells.module, range));
    }
  }
  const prepared = prepareVariable(variable, value, range, cells.instance.text);
  diagnostics.push(...prepared.diagnostics);
  return prepared;
}

function evaluateOutput(
  evaluation: Evaluation,
  node: OutputNode,
  cells: ModuleCells,
  settings: NamedSettings,
  pass: EvaluationPass,
): void {
  const { diagnostics } = pass;
  const { output } = node;
  const isRoot = cells.parent === undefined;
  const undeclarable = isRoot ? rootOutputProblem(output) : undefined;
  if (undeclarable !== undefined) {
    diagnostics.push(undeclarable);
    return;
  }
  const before = errorCount(diagnostics);
  const scope = evaluation.scope(cells);
  if (settings.conditionSeverity !== undefined && output.preconditions.length > 0) {
    checkOutput(evaluation, node, cells, scope, settings.conditionSeverity, pass);
    if (errorCount(diagnostics) > before) return;
  }
  const planned =
    isRoot && !output.ephemeral ? settings.plannedOutputs?.get(output.name) : undefined;
  if (planned !== undefined) {
    const displayedValue = output.sensitive ? planned.mark('sensitive') : planned;
    pass.commit(() => cells.setOutput(output.name, displayedValue));
    return;
  }
  const evaluated =
    evaluation.constants?.get(output) ?? evaluate(output.expression, scope, diagnostics);
  if (errorCount(diagnostics) > before) return;
  let value = outputValue(output, evaluated, scope, diagnostics);
  const exposed = isRoot ? sensitiveOutputProblem(output, value) : undefined;
  if (exposed !== undefined) diagnostics.push(exposed);
  if (errorCount(diagnostics) > before) return;
  const misplaced =
    ephemeralOutputProblem(output, value) ??
    (isRoot ? infiniteOutputProblem(output, value) : undefined);
  if (misplaced !== undefined) {
    diagnostics.push(misplaced);
    return;
  }
  value = takeOutputDeprecations(output, value, isRoot, scope.warnsFor, diagnostics);
  if (output.sensitive) value = value.mark('sensitive');
  if (output.ephemeral) value = value.mark('ephemeral');
  pass.commit(() => cells.setOutput(output.name, value));
}

function checkOutput(
  evaluation: Evaluation,
  node: OutputNode,
  cells: ModuleCells,
  scope: Scope,
  severity: Diagnostic['severity'],
  pass: EvaluationPass,
): void {
  const text = `output.${node.output.name}`;
  const configAddr = within(node.module.path.text, text);
  pass.commit(() => evaluation.checks.declare('output_value', configAddr));
  const checked = {
    configAddr,
    address: within(cells.instance.text, text),
    book: evaluation.checks,
  };
  evaluateConditions(
    'outputPrecondition',
    node.output.preconditions,
    checked,
    scope,
    severity,
    pass,
  );
}

/** Evaluates the assertions of a check block in every instance of its module; failures are warnings. */
export function evaluateCheck(evaluation: Evaluation, node: CheckNode, pass: EvaluationPass): void {
  const configAddr = within(node.module.path.text, `check.${node.check.name}`);
  pass.commit(() => {
    evaluation.checks.declare('check', configAddr);
    evaluation.checks.expect(configAddr, []);
  });
  for (const cells of evaluation.instancesOf(node.module))
    evaluateAssertions(evaluation, node, cells, pass);
}

function evaluateAssertions(
  evaluation: Evaluation,
  node: CheckNode,
  cells: ModuleCells,
  pass: EvaluationPass,
): void {
  const text = `check.${node.check.name}`;
  const configAddr = within(node.module.path.text, text);
  const address = within(cells.instance.text, text);
  const { checks } = evaluation;
  const status = checks.status(configAddr, address);
  if (status === 'fail' || status === 'error') return;
  const checked = { configAddr, address, book: checks };
  evaluateConditions(
    'assertion',
    node.check.asserts,
    checked,
    evaluation.scope(cells),
    'warning',
    pass,
  );
}

function declareVariable(evaluation: Evaluation, node: ValidationNode): void {
  evaluation.checks.declare(
    'input_variable',
    within(node.module.path.text, `var.${node.variable.name}`),
  );
  evaluation.checks.expect(within(node.module.path.text, `var.${node.variable.name}`), []);
}

function evaluateValidation(
  evaluation: Evaluation,
  node: ValidationNode,
  cells: ModuleCells,
  settings: NamedSettings,
  pass: EvaluationPass,
): void {
  const { name } = node.variable;
  const plain = cells.checkedVariables.get(name);
  if (plain === undefined) return;
  const value = node.variable.sensitive ? plain.mark('sensitive') : plain;
  const text = `var.${name}`;
  const checked = {
    configAddr: within(node.module.path.text, text),
    address: within(cells.instance.text, text),
    book: evaluation.checks,
  };
  const outside = evaluation.scope(cells);
  const scope = withVariable(outside, name, value);
  const messageVariable = { scope: withVariable(outside, name, plain), value };
  const called = cells.module.call?.body.justAttributes().attributes.get(name);
  const at = called?.expression.range ?? settings.inputRanges?.get(name) ?? node.variable.range;
  evaluateValidations(node.rules, checked, scope, at, false, pass, messageVariable);
}

/** Returns the scope in which a variable has the value under validation instead of its final value. */
export function withVariable(scope: Scope, name: string, value: Value): Scope {
  return {
    resolve(traversal, diagnostics) {
      const [root, attribute] = traversal.steps;
      if (
        root?.kind === 'root' &&
        root.name === 'var' &&
        attribute?.kind === 'attr' &&
        attribute.name === name
      ) {
        return { value, consumed: 2 };
      }
      return scope.resolve(traversal, diagnostics);
    },
    functionNamed: (called, place) => scope.functionNamed(called, place),
    functionNames: () => scope.functionNames(),
    rootNames: () => scope.rootNames(),
  };
}

function within(module: string, text: string): string {
  return module === '' ? text : `${module}.${text}`;
}
