import {
  AbsResource,
  type InstanceAddr,
  type InstanceKey,
  type ModuleInstance,
} from '@terrane/addresses';
import { type FunctionSpec, type Path, str, unknownOf, type Value } from '@terrane/cty';
import { type FunctionPorts, functionTable } from '@terrane/functions';
import {
  type Diagnostic,
  type Expression,
  hasErrors,
  iterationScope,
  type KeyValueExpressions,
  type Scope,
} from '@terrane/hcl';
import { impliedType, type Schema } from '@terrane/provider';
import type { InputValue } from '../config/collect-variables.ts';
import { finalizeVariables, missingVariables } from '../config/finalize-variables.ts';
import type { Resource } from '../config/model.ts';
import { evaluateBody } from '../evaluate/body.ts';
import { drive, type NodeOutcome, evaluateExpressions } from '../evaluate/driver.ts';
import { Evaluation } from '../evaluate/evaluation.ts';
import { evaluateExpansion, type Repeatable } from '../evaluate/expansion.ts';
import { type ModuleCells, ResourceCell } from '../evaluate/module-cells.ts';
import { evaluateNamed, isNamed } from '../evaluate/named-values.ts';
import type { ProgramNode, ResourceNode } from '../evaluate/node.ts';
import { expansionOfKeys } from '../evaluate/prior-cell.ts';
import type { Program } from '../evaluate/program.ts';
import {
  type Expansion,
  keysOf,
  type Repetition,
  repetitionOf,
  repetitionOfKey,
} from '../evaluate/repetition.ts';
import type { ModuleScope } from '../evaluate/scope.ts';
import type { PlanFacts } from './facts.ts';
import { valueIn } from './values.ts';

/** Settings of the evaluation of expressions. */
export interface WorldSettings {
  readonly functions: FunctionPorts;
  readonly workspace: string;
  readonly cwd: string;
}

/** The context of an expression: a module instance, and the values of `count` and `each`. */
export interface Place {
  readonly module: ModuleInstance;
  /** the resource or call that `count` and `each` refer to, with the key of the instance */
  readonly within?: { readonly repeatable: Repeatable; readonly key: InstanceKey };
  /** the iterators of the `dynamic` blocks around it, and their collections */
  readonly iterators?: ReadonlyMap<string, Value>;
  readonly generators?: readonly Expression[];
}

/**
 * Results by expression and place. They are calculated once where the place is the same for all instances of a resource,
 * as that of `for_each`.
 */
export class SharedResults<T> {
  #byExpression = new WeakMap<Expression, Map<ModuleInstance, { readonly result: T }>>();

  of(expression: Expression, { module, within, iterators }: Place, find: () => T): T {
    if (within !== undefined || iterators !== undefined) return find();
    let byModule = this.#byExpression.get(expression);
    if (byModule === undefined) this.#byExpression.set(expression, (byModule = new Map()));
    let known = byModule.get(module);
    if (known === undefined) byModule.set(module, (known = { result: find() }));
    return known.result;
  }

  clear(): void {
    this.#byExpression = new WeakMap();
  }
}

/**
 * The current configuration evaluated twice: with the stored and with the planned objects. A difference between the two
 * is caused by a change of another resource; a difference between the first and the state by the configuration or a
 * variable.
 */
export class Worlds {
  readonly program: Program;
  readonly before: World;
  readonly after: World;
  /** the items of object constructors by name */
  readonly itemsByName: SharedResults<
    ReadonlyMap<string | undefined, readonly KeyValueExpressions[]>
  > = new SharedResults();
  /** the steps to the elements from which loops make objects, by the names of their entries; undefined if unknown */
  readonly elementsByName: SharedResults<ReadonlyMap<string | undefined, Path>> =
    new SharedResults();
  readonly #done: boolean[] = [];

  constructor(facts: PlanFacts, program: Program, settings: WorldSettings) {
    this.program = program;
    const variables = variablesOf(facts);
    const functions = functionTable(settings.functions, {
      baseDir: '.',
      pure: true,
      plantimestamp: str(facts.plan.timestamp),
    });
    this.before = new World(program, { ...settings, functions, variables }, (node, cells) =>
      storedCell(facts, node, cells),
    );
    const { deferred, deferredModules } = facts.plan;
    const deferring = deferred.length > 0 || deferredModules.length > 0;
    this.after = new World(
      program,
      { ...settings, functions, variables, deferring },
      (node, cells, world) => plannedCell(facts, node, cells, world),
    );
  }

  /** Evaluates nodes and their dependencies. */
  async prepare(nodes: Iterable<ProgramNode>): Promise<void> {
    const { dependencies } = this.program;
    const wanted = new Set<number>();
    const pending = [...nodes].map((node) => node.id);
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      if (wanted.has(id) || this.#done[id] === true) continue;
      wanted.add(id);
      for (const other of dependencies.edgesOf(id)) pending.push(other);
    }
    if (wanted.size === 0) return;
    for (const id of wanted) this.#done[id] = true;
    this.itemsByName.clear();
    this.elementsByName.clear();
    await this.before.work(wanted);
    await this.after.work(wanted);
  }
}

type CellMaker = (node: ResourceNode, cells: ModuleCells, world: World) => ResourceCell | undefined;

/** The evaluation of a configuration with one source of resource values. */
export class World {
  readonly evaluation: Evaluation;
  readonly #variables: ReadonlyMap<string, Value>;
  readonly #cell: CellMaker;
  readonly #expansions = new Map<ModuleCells, Map<Repeatable, Expansion | undefined>>();
  readonly #values = new SharedResults<Value | undefined>();

  constructor(
    program: Program,
    settings: Omit<WorldSettings, 'functions'> & {
      readonly functions: ReadonlyMap<string, FunctionSpec>;
      readonly variables: ReadonlyMap<string, Value>;
      /** true if instances may be unknown */
      readonly deferring?: boolean;
    },
    cell: CellMaker,
  ) {
    const { functions, cwd, workspace } = settings;
    const { deferring = false } = settings;
    this.evaluation = new Evaluation(program, {
      purpose: 'prior',
      functions,
      cwd,
      workspace,
      deferring,
    });
    this.#variables = settings.variables;
    this.#cell = cell;
  }

  /** Evaluates the nodes with these numbers, whose dependencies must be among them or evaluated before. */
  async work(wanted: ReadonlySet<number>): Promise<void> {
    const { evaluation } = this;
    this.#values.clear();
    const named = { inputs: this.#variables, conditionSeverity: undefined };
    const run = (node: ProgramNode): NodeOutcome | Promise<NodeOutcome> => {
      if (node.kind === 'validation') return [];
      if (isNamed(node)) {
        // The plan reports errors: here a value is known or unknown.
        const outcome = evaluateExpressions(evaluation, (pass) =>
          evaluateNamed(evaluation, node, named, pass),
        );
        return outcome instanceof Promise ? outcome.then(() => []) : [];
      }
      if (node.kind === 'resource') {
        for (const cells of evaluation.instancesOf(node.module)) {
          const cell = this.#cell(node, cells, this);
          if (cell !== undefined) cells.setResource(node.resource.addr.text, cell);
        }
      }
      return [];
    };
    await drive(evaluation.program, {
      run,
      excluded: (node) => !wanted.has(node.id),
      limit: 1,
    });
  }

  /** Evaluates an expression; undefined after errors, and if the module instance does not exist. */
  value(expression: Expression, place: Place): Value | undefined {
    return this.#values.of(expression, place, () => valueIn(expression, this.scope(place)));
  }

  /** Returns the scope of a location; undefined if its module instance does not exist. */
  scope(place: Place): Scope | undefined {
    const scope = this.moduleScope(place);
    if (scope === undefined || place.iterators === undefined) return scope;
    return iterationScope(scope, place.iterators);
  }

  /** Returns the scope of a location without iterators of `dynamic` blocks. */
  moduleScope(place: Place): ModuleScope | undefined {
    const cells = this.evaluation.find(place.module);
    if (cells === undefined) return undefined;
    return this.evaluation.scope(cells, this.#repetition(cells, place));
  }

  /** Returns the expansion of a resource or module call; undefined after errors. */
  expansion(cells: ModuleCells, repeatable: Repeatable): Expansion | undefined {
    let existing = this.#expansions.get(cells);
    if (existing === undefined) this.#expansions.set(cells, (existing = new Map()));
    if (!existing.has(repeatable)) {
      const problems: Diagnostic[] = [];
      existing.set(
        repeatable,
        evaluateExpansion(
          repeatable,
          this.evaluation.scope(cells),
          false,
          problems,
          this.evaluation.deferring,
        ),
      );
    }
    return existing.get(repeatable);
  }

  /** Evaluates the body of a resource; undefined after errors. */
  body(resource: Resource, schema: Schema, place: Place, addr: InstanceAddr): Value | undefined {
    const scope = this.moduleScope(place);
    if (scope === undefined) return undefined;
    const problems: Diagnostic[] = [];
    const value = evaluateBody(resource.body, schema.block, scope, addr.text, problems);
    return hasErrors(problems) ? undefined : value;
  }

  #repetition(cells: ModuleCells, { within }: Place): Repetition {
    if (within === undefined) return {};
    const { repeatable, key } = within;
    const expansion =
      repeatable.forEach === undefined ? undefined : this.expansion(cells, repeatable);
    return expansion?.kind === 'forEach' && typeof key === 'string' && expansion.each.has(key)
      ? repetitionOf(expansion, key)
      : repetitionOfKey(key);
  }
}

/** Returns the root variables of the plan; those that it does not store are unknown. */
function variablesOf({ plan }: PlanFacts): ReadonlyMap<string, Value> {
  const inputs = new Map<string, InputValue>();
  for (const [name, value] of plan.variables) inputs.set(name, { source: 'plan', value });
  for (const { name, type } of missingVariables(plan.configuration, inputs))
    inputs.set(name, { source: 'input', value: unknownOf(type) });
  return finalizeVariables(plan.configuration, inputs).values;
}

/** Returns a cell with the stored objects of a resource. */
function storedCell(
  facts: PlanFacts,
  { resource }: ResourceNode,
  { instance }: ModuleCells,
): ResourceCell | undefined {
  const { schemas, previousState } = facts.plan;
  const schema = schemas.resource(resource.provider, resource.addr.mode, resource.addr.type);
  if (schema === undefined) return undefined;
  const abs = AbsResource.of(instance, resource.addr);
  const storedKeys = previousState.resourceInstances(abs);
  const expansion = expansionOfKeys(resource, [...storedKeys.keys()]);
  const cell = new ResourceCell(resource, impliedType(schema.block), expansion);
  for (const [key, addr] of storedKeys) {
    const value = facts.stored(addr);
    if (value !== undefined) cell.set(key, value);
  }
  return cell;
}

/** Returns a cell with the planned objects of a resource. */
function plannedCell(
  facts: PlanFacts,
  { resource }: ResourceNode,
  cells: ModuleCells,
  world: World,
): ResourceCell | undefined {
  const { schemas } = facts.plan;
  const schema = schemas.resource(resource.provider, resource.addr.mode, resource.addr.type);
  if (schema === undefined) return undefined;
  const abs = AbsResource.of(cells.instance, resource.addr);
  const expansion =
    world.expansion(cells, resource) ?? expansionOfKeys(resource, facts.plannedKeys(abs));
  const cell = new ResourceCell(resource, impliedType(schema.block), expansion);
  for (const key of keysOf(expansion)) {
    const value = facts.planned(abs.instance(key));
    if (value !== undefined) cell.set(key, value);
  }
  return cell;
}
