import type { Reference, ResourceAddr } from '@terrane/addresses';
import { DYNAMIC, type Value } from '@terrane/cty';
import { isDeterminedByArguments } from '@terrane/functions';
import { type Diagnostic, type Expression, functionCalls, hasErrors } from '@terrane/hcl';
import { graphOf, orderOf } from '@terrane/graph';
import { type Awaitable, chainWith } from '@terrane/provider';
import { referencesInBody, referencesInExpression, referencesOf } from '../../lang/references.ts';
import type {
  ActionBlock,
  Check,
  CheckRule,
  Configuration,
  Import,
  Local,
  Module,
  ModuleCall,
  Output,
  ProviderBlock,
  Resource,
  Variable,
} from '../model.ts';
import {
  ephemeralOutputProblem,
  rootOutputProblem,
  selfReferenceProblem,
  sensitiveOutputProblem,
} from '../named-problems.ts';
import { deprecatedVariable, takeDeprecations } from '../deprecations.ts';
import { outputValue, takeOutputDeprecations } from '../output-value.ts';
import { neededByAction } from '../action-needs.ts';
import type { EvaluationPass } from '../evaluation-pass.ts';
import { ignoredInArgument } from '../ignored-attributes.ts';
import { importKeys } from '../import-keys.ts';
import { prepareVariable } from '../prepare-variable.ts';
import { providerKey } from '../provider-ref.ts';
import { providerBlockOf, resolveProvider } from '../resolve-provider.ts';
import { checkAction, standaloneActions, unsupportedActions } from './check-actions.ts';
import {
  checkBlock,
  checkDependsOn,
  checkExpression,
  checkReferences,
  checkRepetition,
  checkRule,
  checkValidations,
} from './check-evaluation.ts';
import { checkResource } from './check-resource.ts';
import { type CheckContext, CheckScope, type CheckValues, NOT_REPEATED } from './check-scope.ts';
import {
  type CheckSettings,
  type CheckVisitor,
  evaluateChecks,
  type FollowUp,
} from './check-visitor.ts';
import {
  type CheckOrder,
  edgesOf,
  indicesOf,
  isStillOrdered,
  keptDependencies,
  keptOrder,
  keptOutcome,
  type MemoNode,
  type MemoRun,
} from './check-memo.ts';
import { hasAllDependencies } from './all-dependencies.ts';
import { argumentsOf } from './module-arguments.ts';
import { structureProblems } from './structure-problems.ts';

/**
 * Validates a configuration independently of its input, as far as schemas allow: module arguments, provider
 * configurations, references to undeclared objects, bodies that do not match their schema, and expressions that fail
 * for every value of their unknowns. Dependents of an invalid declaration are not validated.
 */
export async function checkStatic(
  configuration: Configuration,
  settings: CheckSettings,
): Promise<readonly Diagnostic[]> {
  const structure = structureProblems(configuration);
  if (structure.length > 0) return structure;
  const unsupported = unsupportedActions(configuration, settings.schemas);
  if (unsupported.length > 0) return unsupported;
  await settings.pause?.();
  const check = new StaticCheck(configuration, settings);
  await check.prepare();
  if (!check.hasKnownOrder()) {
    const beginning = (await settings.visitor?.begin?.(check.isOrdered())) ?? [];
    if (beginning.length > 0) return beginning;
    await settings.pause?.();
  }
  return await check.run();
}

/** Evaluates the expressions of a declaration. */
type CheckDeclaration = (pass: EvaluationPass) => FollowUp | undefined | void;

/** A declaration with the declarations that must be valid before it is checked. */
interface CheckNode extends MemoNode {
  /** keeps the value that dependents see, if there is one */
  readonly values: Map<string, Value> | undefined;
  readonly check: CheckDeclaration;
}

/** The result of a declaration: its own errors, or those of its dependencies. */
interface Outcome {
  readonly failed: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** false if dependents need not be checked again */
  readonly isChanged: boolean;
}

/** The edges of the declarations, and an order of them unless some need each other. */
type DeclarationOrder = Pick<CheckOrder, 'edges'> & {
  readonly order: CheckOrder['order'] | undefined;
};

/** The check of a declaration that is in progress. */
interface CheckWork {
  readonly node: CheckNode;
  readonly diagnostics: Diagnostic[];
  /** the number of accesses to files before the check, if they are counted */
  readonly reads: number | undefined;
  /** false if the evaluation has read files */
  isPure: boolean;
  /** the number of diagnostics of the evaluation */
  before: number;
}

/** How a declaration is added. */
interface Added {
  /** the keys of further declarations that must be valid before */
  readonly more?: readonly string[];
  readonly values?: Map<string, Value>;
  /** true if the outcome depends on more than the parts and the references */
  readonly isVolatile?: boolean;
}

class StaticCheck implements CheckValues {
  readonly settings: CheckSettings;
  readonly #configuration: Configuration;
  readonly #visitor: CheckVisitor;
  readonly #nodes: CheckNode[] = [];
  readonly #locals: Map<string, Value> = new Map();
  /** The arguments of calls as validation rules see them. */
  readonly #checked: Map<string, Value> = new Map();

  #lastScope: CheckScope | undefined;
  readonly #memo: MemoRun | undefined;
  /** the order of an earlier validation, if it still holds */
  #keptOrder: CheckOrder | undefined;
  #order: DeclarationOrder | undefined;

  constructor(configuration: Configuration, settings: CheckSettings) {
    this.#configuration = configuration;
    this.#visitor = settings.visitor ?? {};
    this.settings = settings;
    const { memo, constants, schemas } = settings;
    if (memo !== undefined && constants === undefined)
      this.#memo = memo.begin(configuration, schemas);
  }

  /** Collects the declarations. */
  async prepare(): Promise<void> {
    for (const module of this.#configuration.modules.values()) await this.#addModule(module);
    await this.settings.pause?.();
  }

  /** Returns true if the declarations can be evaluated in some order, as far as an earlier validation shows. */
  hasKnownOrder(): boolean {
    if (this.#memo === undefined) return false;
    if (isStillOrdered(this.#memo, this.#nodes)) {
      this.#keptOrder = keptOrder(this.#memo, this.#nodes);
      return true;
    }
    this.#memo.countBuild();
    return false;
  }

  /** Returns true if the program of the configuration certainly has an order. Returns false if this is not certain. */
  isOrdered(): boolean {
    return (
      this.#memo === undefined &&
      hasAllDependencies(this.#configuration, this.#nodes) &&
      this.#newOrder().order !== undefined
    );
  }

  localValue(module: Module, name: string): Value | undefined {
    return this.#locals.get(keyIn(module, `local.${name}`));
  }

  /** Validates independent declarations concurrently. */
  async run(): Promise<readonly Diagnostic[]> {
    const { edges, order } = this.#keptOrder ?? this.#newOrder();
    // Declarations that need each other are the program's to report.
    if (order === undefined) return [];
    const outcomes: Awaitable<Outcome>[] = [];
    try {
      const { pause } = this.settings;
      for (let at = 0; at < order.length; at++) {
        const paused = pause?.();
        if (paused !== undefined) await paused;
        const i = order[at] ?? 0;
        const node = this.#nodes[i];
        if (node !== undefined)
          outcomes[i] = this.#checkAfter(node, edges[i] ?? NO_EDGES, outcomes);
      }
    } catch (error) {
      // Responses of providers to an abandoned validation are ignored.
      for (const outcome of outcomes)
        if (outcome instanceof Promise) outcome.catch(() => undefined);
      throw error;
    }
    const diagnostics: Diagnostic[] = [];
    for (let at = 0; at < order.length; at++) {
      const outcome = outcomes[order[at] ?? 0];
      const settled = outcome instanceof Promise ? await outcome : outcome;
      if (settled !== undefined && settled.diagnostics.length > 0)
        diagnostics.push(...settled.diagnostics);
    }
    this.#memo?.commit({ keys: this.#nodes.map(({ key }) => key), edges, order });
    return diagnostics;
  }

  /** Orders the declarations, once. */
  #newOrder(): DeclarationOrder {
    return (this.#order ??= this.#orderNodes());
  }

  #orderNodes(): DeclarationOrder {
    const indices = indicesOf(this.#nodes);
    const edges = this.#nodes.map((_node, i) => edgesOf(this.#nodes, i, indices));
    const { order, cycles } = orderOf(graphOf(edges));
    return { edges, order: cycles.length > 0 ? undefined : order };
  }

  /**
   * Checks a declaration unless a dependency failed. Synchronous if no dependency is pending.
   *
   * @param edges the indices of the outcomes of its dependencies
   */
  #checkAfter(
    node: CheckNode,
    edges: readonly number[],
    outcomes: readonly Awaitable<Outcome>[],
  ): Awaitable<Outcome> {
    let isFailed = false;
    let isChanged = false;
    for (let i = 0; i < edges.length; i++) {
      const outcome = outcomes[edges[i] ?? 0];
      if (outcome === undefined) continue;
      if (outcome instanceof Promise) return this.#checkLater(node, edges, outcomes);
      isFailed ||= outcome.failed;
      isChanged ||= outcome.isChanged;
    }
    return this.#check(node, isFailed, isChanged);
  }

  /** Checks a declaration when all its dependencies have an outcome. */
  #checkLater(
    node: CheckNode,
    edges: readonly number[],
    outcomes: readonly Awaitable<Outcome>[],
  ): Promise<Outcome> {
    const settling = edges.map(async (at) => await outcomes[at]);
    return Promise.all(settling).then((needed) => {
      const isFailed = needed.some((outcome) => outcome?.failed === true);
      const isChanged = needed.some((outcome) => outcome?.isChanged === true);
      return this.#check(node, isFailed, isChanged);
    });
  }

  #check(node: CheckNode, isFailed: boolean, isChanged: boolean): Awaitable<Outcome> {
    const memo = this.#memo;
    const previousOutcome = memo === undefined ? undefined : keptOutcome(memo, node);
    if (previousOutcome !== undefined && !isChanged) {
      memo?.next.set(node.key, previousOutcome);
      if (previousOutcome.value !== undefined) node.values?.set(node.key, previousOutcome.value);
      return {
        failed: previousOutcome.failed,
        diagnostics: previousOutcome.diagnostics,
        isChanged: false,
      };
    }
    if (isFailed) return this.#keep(node, true, [], true);
    memo?.countCheck();
    const reads = memo?.reads();
    const work: CheckWork = { node, diagnostics: [], reads, isPure: true, before: 0 };
    const evaluated = evaluateChecks(this.settings, work.diagnostics, node.check);
    return chainWith(evaluated, work, this.#continue);
  }

  /** Continues a check after the evaluation. */
  readonly #continue = (
    work: CheckWork,
    followUp: FollowUp | undefined | void,
  ): Awaitable<Outcome> => {
    const { diagnostics } = work;
    work.isPure = this.#memo?.reads() === work.reads;
    work.before = diagnostics.length;
    const followed = typeof followUp === 'function' ? followUp(diagnostics) : undefined;
    return chainWith(followed, work, this.#conclude);
  };

  readonly #conclude = ({ node, diagnostics, isPure, before }: CheckWork): Outcome => {
    // An error of a provider may be that of a connection or process.
    const isReusable = isPure && !hasErrors(diagnostics, before);
    return this.#keep(node, hasErrors(diagnostics), diagnostics, isReusable);
  };

  /** Returns the outcome of a declaration, and keeps it for the next validation. */
  #keep(
    node: CheckNode,
    failed: boolean,
    diagnostics: readonly Diagnostic[],
    isReusable: boolean,
  ): Outcome {
    const memo = this.#memo;
    if (memo === undefined)
      return failed || diagnostics.length > 0 ? { failed, diagnostics, isChanged: true } : VALID;
    const { key, parts, after, values } = node;
    const value = values?.get(key);
    const previous = memo.previous.get(key);
    // A scope leads to the whole validation, and through its memo to all before it.
    const kept = diagnostics.map(({ scope: _scope, ...diagnostic }) => diagnostic);
    memo.next.set(key, { parts, after, failed, diagnostics: kept, value, isReusable });
    const isChanged =
      previous === undefined ||
      previous.failed !== failed ||
      (previous.value === undefined) !== (value === undefined) ||
      (previous.value !== undefined && value !== undefined && !previous.value.rawEquals(value));
    return { failed, diagnostics: kept, isChanged };
  }

  #scope(module: Module, context: CheckContext = NOT_REPEATED): CheckScope {
    if (context !== NOT_REPEATED) return new CheckScope(this, module, context);
    // Most declarations of a module share this scope, and are checked one after the other.
    if (this.#lastScope?.module !== module)
      this.#lastScope = new CheckScope(this, module, NOT_REPEATED);
    return this.#lastScope;
  }

  #add(
    module: Module,
    key: string,
    parts: readonly unknown[],
    references: () => readonly Reference[],
    check: CheckDeclaration,
    { more = NO_KEYS, values, isVolatile = false }: Added = {},
  ): void {
    const fullKey = keyIn(module, key);
    const kept = isVolatile ? undefined : keptDependencies(this.#memo, fullKey, parts);
    const after = kept ?? dependencyKeys(module, references(), more);
    this.#nodes.push({ key: fullKey, parts, after, isVolatile, values, check });
  }

  async #addModule(module: Module): Promise<void> {
    const before = this.#nodes.length;
    const { pause } = this.settings;
    for (const variable of module.variables.values()) this.#addVariable(module, variable);
    await pause?.();
    for (const local of module.locals.values()) this.#addLocal(module, local);
    await pause?.();
    for (const output of module.outputs.values()) this.#addOutput(module, output);
    await pause?.();
    for (const resource of module.resources.values()) {
      this.#addResource(module, resource);
      const paused = pause?.();
      if (paused !== undefined) await paused;
    }
    for (const action of standaloneActions(module)) this.#addAction(module, action);
    for (const call of module.calls.values()) this.#addCall(module, call);
    for (const block of module.providers.values()) this.#addProvider(module, block);
    for (const check of module.checks.values()) this.#addCheck(module, check);
    this.#addImports(module);
    const inside = this.#nodes.slice(before).map(({ key }) => key);
    const below = Array.from(module.children.values(), (child) => keyIn(child, WHOLE));
    this.#add(module, WHOLE, [], NO_REFERENCES, () => undefined, {
      more: [...inside, ...below],
      isVolatile: true,
    });
  }

  #addLocal(module: Module, local: Local): void {
    const key = `local.${local.name}`;
    const references = () => referencesInExpression(local.expression).references;
    const check = (pass: EvaluationPass): void => {
      const { diagnostics } = pass;
      const problem = selfReferenceProblem(local);
      if (problem !== undefined) {
        diagnostics.push(problem);
        return;
      }
      const before = diagnostics.length;
      const scope = this.#scope(module);
      const value = checkExpression(local.expression, DYNAMIC, scope, diagnostics);
      const undeprecated = takeDeprecations(value, local.expression.range, module, diagnostics);
      const isConstant =
        diagnostics.length === before && this.#isConstant(module, local.expression, undeprecated);
      pass.commit(() => {
        this.#locals.set(keyIn(module, key), undeprecated);
        if (isConstant) this.settings.constants?.set(local, undeprecated);
      });
    };
    this.#add(module, key, [local], references, check, { values: this.#locals });
  }

  /**
   * Returns true if the value of an expression without diagnostics cannot change, so that a plan may use it. Even a known
   * value is not constant if the expression refers to values that only a plan has: `contains(["a", var.secret], "a")` is
   * true here, but sensitive in the plan.
   */
  #isConstant(module: Module, expression: Expression, value: Value): boolean {
    const { constants } = this.settings;
    if (constants === undefined || !value.isWhollyKnown() || value.containsMarked()) return false;
    const isFixed = ({ subject }: Reference): boolean => {
      if (subject.kind === 'path' || subject.kind === 'terraform') return true;
      const local = subject.kind === 'local' ? module.locals.get(subject.name) : undefined;
      return local !== undefined && constants.has(local);
    };
    return (
      referencesInExpression(expression).references.every(isFixed) &&
      // The plan records the results of other functions when it evaluates them.
      functionCalls(expression).every(({ name }) => isDeterminedByArguments(name))
    );
  }

  #addCall(module: Module, call: ModuleCall): void {
    const repetitions = [call.count, call.forEach, call.enabled].filter((e) => e !== undefined);
    const keys = (call.providers ?? []).flatMap(({ inParent }) => inParent.key ?? []);
    const references = () => [
      ...refsOf([...repetitions, ...keys]),
      ...referencesOf(call.dependsOn).references,
    ];
    this.#add(module, `module.${call.name}`, [call], references, ({ diagnostics }) => {
      const scope = this.#scope(module);
      checkRepetition(call, scope, this.#visitor, diagnostics);
      checkDependsOn(call.dependsOn, scope, diagnostics);
      const each = { count: call.count !== undefined, each: call.forEach !== undefined };
      const inner = this.#scope(module, { repetition: each });
      for (const key of keys) checkExpression(key, DYNAMIC, inner, diagnostics);
    });
  }

  #addProvider(module: Module, block: ProviderBlock): void {
    const schema = this.settings.schemas.provider(module.providerSource(block.name));
    if (schema === undefined || block.mocked === true) return;
    const references = () => referencesInBody(block.body, schema.provider.block).references;
    this.#add(module, `provider.${providerKey(block)}`, [block], references, ({ diagnostics }) => {
      const isEmpty = !hasErrors(block.body.content({ attributes: [], blocks: [] }).diagnostics);
      if (isEmpty) return;
      const value = checkBlock(
        block.body,
        schema.provider.block,
        this.#scope(module, block.forEach === undefined ? NOT_REPEATED : EACH_ONLY),
        diagnostics,
      );
      if (hasErrors(diagnostics)) return;
      return (reported) => this.#visitor.provider?.({ module, block, schema, value }, reported);
    });
  }

  #addCheck(module: Module, check: Check): void {
    const data = check.data === undefined ? [] : [keyIn(module, check.data.addr.text)];
    const references = () => refsOf(expressionsOf(check.asserts));
    const context = { ...NOT_REPEATED, check: check.name };
    const work = ({ diagnostics }: EvaluationPass): void => {
      const scope = this.#scope(module, context);
      for (const rule of check.asserts) {
        checkRule('assertion', rule, scope, this.#visitor, diagnostics);
      }
    };
    this.#add(module, `check.${check.name}`, [check], references, work, { more: data });
  }

  /** Adds `import` blocks; of the blocks for one resource, errors after the first one are omitted. */
  #addImports(module: Module): void {
    const latest = new Map<string, number>();
    for (const [index, block] of module.imports.entries()) {
      const target = `${block.toModule.text}|${block.toResource.text}`;
      const previous = latest.get(target);
      const more = previous === undefined ? [] : [keyIn(module, `import.${previous}`)];
      latest.set(target, index);
      this.#addImport(module, block, index, more);
    }
  }

  #addImport(module: Module, block: Import, index: number, more: readonly string[]): void {
    const { forEach, id, identity, to } = block;
    const inEach = [...importKeys(to), id, identity].filter((e) => e !== undefined);
    const outside = forEach === undefined ? [] : [forEach];
    const work = ({ diagnostics }: EvaluationPass): void => {
      const before = diagnostics.length;
      const each = { repetition: { count: false, each: forEach !== undefined } };
      const plain = this.#scope(module);
      const scope = this.#scope(module, each);
      for (const e of outside) checkReferences(referencesInExpression(e), plain, diagnostics);
      for (const e of inEach) checkReferences(referencesInExpression(e), scope, diagnostics);
      if (hasErrors(diagnostics, before)) return;
      this.#visitor.imports?.(module, block, scope, diagnostics);
    };
    const references = () => refsOf([...outside, ...inEach]);
    // The resource that is imported to matters too.
    const how: Added = { more, isVolatile: true };
    this.#add(module, `import.${index}`, [block], references, work, how);
  }

  #addValidations(module: Module, variable: Variable): void {
    const references = () => refsOf(expressionsOf(variable.validations));
    const argument = argumentsOf(module).get(variable.name);
    const work = ({ diagnostics }: EvaluationPass): void => {
      const input = this.#checked.get(keyIn(module, `var.${variable.name}`));
      const at = argument?.range ?? variable.range;
      checkValidations(variable, input, at, this.#scope(module), this.#visitor, diagnostics);
    };
    const parts = [variable, argument];
    this.#add(module, `validation.${variable.name}`, parts, references, work);
  }

  #addVariable(module: Module, variable: Variable): void {
    const { parent, call } = module;
    const key = `var.${variable.name}`;
    if (variable.validations.length > 0) this.#addValidations(module, variable);
    if (parent === undefined || call === undefined) {
      this.#add(module, key, [variable], NO_REFERENCES, () => undefined);
      return;
    }
    const expression = argumentsOf(module).get(variable.name);
    const outside: string[] = [];
    if (expression !== undefined) {
      for (const reference of referencesInExpression(expression).references)
        addKeys(parent, reference, outside);
    }
    this.#add(
      module,
      key,
      [variable, expression],
      NO_REFERENCES,
      (pass) => {
        const { diagnostics } = pass;
        if (expression === undefined) {
          const { checked } = prepareVariable(variable, undefined, undefined, module.path.text);
          pass.commit(() => this.#checked.set(keyIn(module, key), checked));
          return;
        }
        const before = diagnostics.length;
        const context = { repetition: { count: true, each: true } };
        const scope = this.#scope(parent, context);
        const evaluated = checkExpression(expression, DYNAMIC, scope, diagnostics);
        if (hasErrors(diagnostics, before)) return;
        const { range } = expression;
        const value = takeDeprecations(evaluated, range, module, diagnostics);
        if (variable.deprecated !== undefined && !value.isNull)
          diagnostics.push(deprecatedVariable(variable.deprecated, module, range));
        const prepared = prepareVariable(variable, value, expression.range, module.path.text);
        diagnostics.push(
          ...prepared.diagnostics,
          ...ignoredInArgument(expression, variable.constraint, variable.name),
        );
        pass.commit(() => this.#checked.set(keyIn(module, key), prepared.checked));
      },
      { more: outside, values: this.#checked },
    );
  }

  #addOutput(module: Module, output: Output): void {
    const rules = output.preconditions;
    const isRoot = module.path.isRoot;
    const references = () => [
      ...refsOf([output.expression, ...expressionsOf(rules)]),
      ...referencesOf(output.dependsOn).references,
    ];
    this.#add(module, `output.${output.name}`, [output], references, (pass) => {
      const { diagnostics } = pass;
      const undeclarable = isRoot ? rootOutputProblem(output) : undefined;
      if (undeclarable !== undefined) {
        diagnostics.push(undeclarable);
        return;
      }
      const scope = this.#scope(module);
      for (const rule of rules) {
        checkRule('outputPrecondition', rule, scope, this.#visitor, diagnostics);
      }
      if (hasErrors(diagnostics)) return;
      const before = diagnostics.length;
      const evaluated = checkExpression(output.expression, DYNAMIC, scope, diagnostics);
      if (diagnostics.length === before && this.#isConstant(module, output.expression, evaluated))
        pass.commit(() => this.settings.constants?.set(output, evaluated));
      const value = hasErrors(diagnostics)
        ? evaluated
        : outputValue(output, evaluated, scope, diagnostics);
      checkDependsOn(output.dependsOn, scope, diagnostics);
      const exposed = isRoot ? sensitiveOutputProblem(output, value) : undefined;
      if (exposed !== undefined) diagnostics.push(exposed);
      if (hasErrors(diagnostics)) return;
      const misplaced = ephemeralOutputProblem(output, value);
      if (misplaced !== undefined) diagnostics.push(misplaced);
      else takeOutputDeprecations(output, value, isRoot, module, diagnostics);
    });
  }

  #addResource(module: Module, resource: Resource): void {
    this.#add(
      module,
      resource.addr.text,
      [resource],
      () => this.#referencesOfResource(module, resource),
      ({ diagnostics }) => {
        const scopeIn = (context: CheckContext): CheckScope => this.#scope(module, context);
        return checkResource(module, resource, this.settings, scopeIn, diagnostics);
      },
      {
        more: this.#providerKeys(module, resource),
        isVolatile: resource.hasMetaArguments && hasFurtherReferences(resource),
      },
    );
  }

  /** Returns the references of a resource to others. */
  #referencesOfResource(module: Module, resource: Resource): readonly Reference[] {
    const { addr, provider } = resource;
    const schema = this.settings.schemas.resource(provider, addr.mode, addr.type);
    const inBody =
      schema === undefined ? [] : referencesInBody(resource.body, schema.block).references;
    if (!resource.hasMetaArguments) return withoutOwn(resource, inBody);
    const { count, forEach, enabled, preconditions, postconditions, actionTriggers } = resource;
    const before = [
      count,
      forEach,
      enabled,
      ...expressionsOf(preconditions),
      ...expressionsOf(postconditions),
      ...resource.replaceTriggeredBy,
      resource.providerLocal.key,
      ...actionTriggers.map(({ condition }) => condition),
    ].filter((expression) => expression !== undefined);
    return withoutOwn(resource, [
      ...refsOf(before),
      ...referencesOf(resource.dependsOn).references,
      ...inBody,
      ...this.#neededByTriggers(module, resource),
    ]);
  }

  #neededByTriggers(module: Module, { actionTriggers }: Resource): readonly Reference[] {
    return actionTriggers
      .flatMap((trigger) => trigger.actions)
      .flatMap(({ action: { text } }) => {
        const action = module.actions.get(text);
        return action === undefined ? [] : neededByAction(module, action, this.settings.schemas);
      });
  }

  /** An action that no resource triggers. */
  #addAction(module: Module, action: ActionBlock): void {
    const { schemas } = this.settings;
    this.#add(
      module,
      action.addr.text,
      [action],
      () => neededByAction(module, action, schemas),
      ({ diagnostics }) => {
        const scopeIn = (context: CheckContext): CheckScope => this.#scope(module, context);
        return checkAction(module, action, undefined, this.settings, scopeIn, diagnostics);
      },
      { more: this.#providerKeys(module, action), isVolatile: true },
    );
  }

  /** Returns the key of the provider block that serves a declaration, if the block exists. */
  #providerKeys(
    module: Module,
    { providerLocal }: Pick<Resource, 'providerLocal'>,
  ): readonly string[] {
    const address = resolveProvider(this.#configuration, module, providerLocal);
    const located = providerBlockOf(this.#configuration, address);
    return located === undefined
      ? NO_KEYS
      : [keyIn(located.module, `provider.${providerKey(located.block)}`)];
  }
}

const NO_EDGES: readonly number[] = [];

/** The outcome of nearly all declarations, unless outcomes are kept. */
const VALID: Outcome = { failed: false, diagnostics: [], isChanged: true };

const NO_REFERENCES = (): readonly Reference[] => [];
const NO_KEYS: readonly string[] = [];

/** Returns true if a resource refers to declarations that its dependencies do not include. */
function hasFurtherReferences({
  provisioners,
  connection,
  list,
  preventDestroyExpression,
  actionTriggers,
}: Resource): boolean {
  return (
    provisioners.length > 0 ||
    connection !== undefined ||
    list !== undefined ||
    preventDestroyExpression !== undefined ||
    actionTriggers.length > 0
  );
}

const EACH_ONLY: CheckContext = { repetition: { count: false, each: true } };

/** The key suffix of a module with all its declarations. */
const WHOLE = 'whole';

function keyIn(module: Module, key: string): string {
  return `${module.path.text}|${key}`;
}

function expressionsOf(rules: readonly CheckRule[]): Expression[] {
  return rules.flatMap((rule) => [rule.condition, rule.errorMessage]);
}

function refsOf(expressions: readonly Expression[]): Reference[] {
  return expressions.flatMap((e) => [...referencesInExpression(e).references]);
}

/** Returns the references of a resource without those to itself. */
function withoutOwn({ addr }: Resource, references: readonly Reference[]): readonly Reference[] {
  for (let i = 0; i < references.length; i++)
    if (refersTo(references[i] as Reference, addr)) return withoutReferencesTo(addr, references);
  return references;
}

function withoutReferencesTo(
  addr: ResourceAddr,
  references: readonly Reference[],
): readonly Reference[] {
  return references.filter((reference) => !refersTo(reference, addr));
}

function refersTo({ subject }: Reference, addr: ResourceAddr): boolean {
  return subject.kind === 'resource' && subject.resource === addr;
}

/** Returns the keys of the declarations that must be valid before one in a module with these references. */
function dependencyKeys(
  module: Module,
  references: readonly Reference[],
  more: readonly string[],
): readonly string[] {
  const { call, parent } = module;
  if (call === undefined) {
    if (references.length === 0) return more;
    const { subject } = references[0] as Reference;
    if (references.length + more.length === 1 && subject.kind === 'resource')
      return [keyIn(module, subject.resource.text)];
  }
  const keys: string[] = [];
  for (let i = 0; i < references.length; i++) addKeys(module, references[i] as Reference, keys);
  if (call !== undefined && parent !== undefined) keys.push(keyIn(parent, `module.${call.name}`));
  for (const key of more) keys.push(key);
  return keys;
}

/** Adds the keys of the declarations that a reference in a module refers to. */
function addKeys(module: Module, { subject }: Reference, keys: string[]): void {
  switch (subject.kind) {
    case 'variable':
      keys.push(keyIn(module, `var.${subject.name}`));
      return;
    case 'local':
      keys.push(keyIn(module, `local.${subject.name}`));
      return;
    case 'resource':
      keys.push(keyIn(module, subject.resource.text));
      return;
    case 'moduleCall': {
      keys.push(keyIn(module, `module.${subject.name}`));
      const child = module.children.get(subject.name);
      if (child === undefined) return;
      const { output } = subject;
      // A reference to the whole module refers to all its declarations.
      const isWhole = output === undefined || !child.outputs.has(output);
      keys.push(keyIn(child, isWhole ? WHOLE : `output.${output}`));
      return;
    }
    default:
  }
}
