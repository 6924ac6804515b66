import {
  AbsResource,
  type InstanceAddr,
  type InstanceKey,
  type ModuleInstance,
} from '@terrane/addresses';
import { str, unknownOf, type FunctionSpec, type Value } from '@terrane/cty';
import { type FunctionPorts, functionTable } from '@terrane/functions';
import {
  type Diagnostic,
  type Expression,
  hasErrors,
  iterationScope,
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

/** What expressions are worked out with. */
export interface WorldSettings {
  readonly functions: FunctionPorts;
  readonly workspace: string;
  readonly cwd: string;
}

/** Where a part of the configuration stands: a module instance, and what `count` and `each` mean. */
export interface Place {
  readonly module: ModuleInstance;
  /** the resource or call that `count` and `each` belong to, with the key of the instance */
  readonly within?: { readonly of: Repeatable; readonly key: InstanceKey };
  /** what `dynamic` blocks around it stand at, and what they repeat over */
  readonly iterators?: ReadonlyMap<string, Value>;
  readonly generators?: readonly Expression[];
}

/**
 * Today's configuration and variables worked out twice: with what the last run left of every resource,
 * and with what is planned. Where the two differ, a change of another resource is why; where the first
 * differs from what the state has, the configuration or a variable is.
 */
export class Worlds {
  readonly program: Program;
  readonly before: World;
  readonly after: World;
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

  /** Works out some nodes, and what they depend on. */
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
    await this.before.work(wanted);
    await this.after.work(wanted);
  }
}

type CellMaker = (node: ResourceNode, cells: ModuleCells, world: World) => ResourceCell | undefined;

/** The values of a configuration, with one answer to what the resources are. */
export class World {
  readonly evaluation: Evaluation;
  readonly #variables: ReadonlyMap<string, Value>;
  readonly #cell: CellMaker;
  readonly #expansions = new Map<ModuleCells, Map<Repeatable, Expansion | undefined>>();

  constructor(
    program: Program,
    settings: Omit<WorldSettings, 'functions'> & {
      readonly functions: ReadonlyMap<string, FunctionSpec>;
      readonly variables: ReadonlyMap<string, Value>;
      /** it may be left open which instances there are */
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

  /** Works out the nodes with these numbers; all that they depend on must be among them, or done. */
  async work(wanted: ReadonlySet<number>): Promise<void> {
    const { evaluation } = this;
    const named = { inputs: this.#variables, conditionSeverity: undefined };
    const run = (node: ProgramNode): NodeOutcome | Promise<NodeOutcome> => {
      if (node.kind === 'validation') return [];
      if (isNamed(node)) {
        // What is wrong is told by who plans: here a value is known, or it is not.
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

  /** Where the expressions of a place get their values; undefined where the place is not there. */
  scope(place: Place): Scope | undefined {
    const scope = this.moduleScope(place);
    if (scope === undefined || place.iterators === undefined) return scope;
    return iterationScope(scope, place.iterators);
  }

  /** The same without what `dynamic` blocks stand at. */
  moduleScope(place: Place): ModuleScope | undefined {
    const cells = this.evaluation.find(place.module);
    if (cells === undefined) return undefined;
    return this.evaluation.scope(cells, this.#repetition(cells, place));
  }

  /** Which instances something has, as far as that can be told. */
  expansion(cells: ModuleCells, of: Repeatable): Expansion | undefined {
    let known = this.#expansions.get(cells);
    if (known === undefined) this.#expansions.set(cells, (known = new Map()));
    if (!known.has(of)) {
      const problems: Diagnostic[] = [];
      known.set(
        of,
        evaluateExpansion(
          of,
          this.evaluation.scope(cells),
          false,
          problems,
          this.evaluation.deferring,
        ),
      );
    }
    return known.get(of);
  }

  /** What the body of a resource comes to; undefined where it cannot be told. */
  body(resource: Resource, schema: Schema, place: Place, addr: InstanceAddr): Value | undefined {
    const scope = this.moduleScope(place);
    if (scope === undefined) return undefined;
    const problems: Diagnostic[] = [];
    const value = evaluateBody(resource.body, schema.block, scope, addr.text, problems);
    return hasErrors(problems) ? undefined : value;
  }

  #repetition(cells: ModuleCells, { within }: Place): Repetition {
    if (within === undefined) return {};
    const { of, key } = within;
    const expansion = of.forEach === undefined ? undefined : this.expansion(cells, of);
    return expansion?.kind === 'forEach' && typeof key === 'string' && expansion.each.has(key)
      ? repetitionOf(expansion, key)
      : repetitionOfKey(key);
  }
}

/** All root variables, as the plan keeps them; what it does not keep is unknown. */
function variablesOf({ plan }: PlanFacts): ReadonlyMap<string, Value> {
  const given = new Map<string, InputValue>();
  for (const [name, value] of plan.variables) given.set(name, { source: 'plan', value });
  for (const { name, type } of missingVariables(plan.configuration, given))
    given.set(name, { source: 'input', value: unknownOf(type) });
  return finalizeVariables(plan.configuration, given).values;
}

/** A resource as the last run left it. */
function storedCell(
  facts: PlanFacts,
  { resource }: ResourceNode,
  { instance }: ModuleCells,
): ResourceCell | undefined {
  const { schemas, previousState } = facts.plan;
  const schema = schemas.resource(resource.provider, resource.addr.mode, resource.addr.type);
  if (schema === undefined) return undefined;
  const abs = AbsResource.of(instance, resource.addr);
  const stored = previousState.resourceInstances(abs);
  const expansion = expansionOfKeys(resource, [...stored.keys()]);
  const cell = new ResourceCell(resource, impliedType(schema.block), expansion);
  for (const [key, addr] of stored) {
    const value = facts.stored(addr);
    if (value !== undefined) cell.set(key, value);
  }
  return cell;
}

/** A resource as it is planned. */
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
