import { type ModuleInstance, ROOT_INSTANCE } from '@terrane/addresses';
import { bool, Bug, type FunctionSpec, NULL, type Value } from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';
import type { Awaitable } from '@terrane/provider';
import { evaluateOnce, type EvaluationPass } from '../config/evaluation-pass.ts';
import type { Configuration, Local, Module, Output } from '../config/model.ts';
import { CheckBook } from './check-book.ts';
import { declareChecks } from './declared-checks.ts';
import { CallCell, ModuleCells } from './module-cells.ts';
import type { ProviderSessions } from '../session/provider-sessions.ts';
import { FunctionResults } from './function-results.ts';
import type { Program } from './program.ts';
import { ProviderFunctions } from './provider-functions.ts';
import {
  type Expansion,
  keysOf,
  NO_REPETITION,
  type Repetition,
  repetitionOf,
} from './repetition.ts';
import { ModuleScope, type ScopeSettings } from './scope.ts';

/** The purpose of an evaluation, which decides what replaces values that are not evaluated. */
export type Purpose = 'plan' | 'apply' | 'prior';

/** Options of an {@link Evaluation}. */
export interface EvaluationOptions {
  readonly purpose: Purpose;
  /** True if uses of deprecated values cause warnings; by default while planning, so that each is reported once. */
  readonly warns?: boolean;
  readonly functions: ReadonlyMap<string, FunctionSpec>;
  /** Returns the functions of provider blocks, if they differ: there, functions that read files are not verified. */
  readonly providerBlockFunctions?: () => ReadonlyMap<string, FunctionSpec>;
  readonly cwd: string;
  readonly workspace: string;
  /** Providers, for their functions. */
  readonly sessions?: ProviderSessions;
  /** Values of expressions of locals and outputs that are evaluated already. */
  readonly constants?: ReadonlyMap<Local | Output, Value> | undefined;
  /** Earlier results of provider functions, which must be repeated. */
  readonly functionResults?: FunctionResults;
  /** True if an expansion may be unknown: objects that depend on it are deferred. */
  readonly deferring?: boolean;
  /** In tests: the outputs of overridden module instances, whose content is omitted. */
  readonly moduleOverride?: ModuleOverride | undefined;
}

/** Returns the outputs of an overridden module instance; undefined if it is not overridden. */
export type ModuleOverride = (instance: ModuleInstance) => ReadonlyMap<string, Value> | undefined;

/** The values of one run of a program: cells for every instance of every module. */
export class Evaluation {
  readonly program: Program;
  readonly purpose: Purpose;
  readonly root: ModuleCells;
  /** True if uses of deprecated values are reported as warnings. */
  readonly warns: boolean;
  /** True if the set of instances may be unknown. */
  readonly deferring: boolean;
  readonly checks: CheckBook = new CheckBook();
  /** Values of expressions of locals and outputs that are evaluated already. */
  readonly constants: ReadonlyMap<Local | Output, Value> | undefined;
  readonly #settings: ScopeSettings;
  readonly #providerBlockFunctions: (() => ReadonlyMap<string, FunctionSpec>) | undefined;
  #providerBlockSettings: ScopeSettings | undefined;
  readonly #moduleOverride: ModuleOverride | undefined;
  readonly #instances = new Map<Module, ModuleCells[]>();

  constructor(program: Program, options: EvaluationOptions) {
    this.program = program;
    this.purpose = options.purpose;
    this.constants = options.constants;
    this.warns = options.warns ?? options.purpose === 'plan';
    this.deferring = options.deferring === true;
    this.#moduleOverride = options.moduleOverride;
    this.#providerBlockFunctions = options.providerBlockFunctions;
    const { root } = program.configuration;
    declareChecks(this.checks, program.configuration);
    this.root = new ModuleCells(root, ROOT_INSTANCE, undefined, NO_REPETITION);
    this.#instances.set(root, [this.root]);
    this.#settings = {
      schemas: program.schemas,
      functions: options.functions,
      cwd: options.cwd,
      workspace: options.workspace,
      applying: bool(options.purpose === 'apply').mark('ephemeral'),
      providerFunctions:
        options.sessions === undefined
          ? undefined
          : new ProviderFunctions(
              options.sessions,
              program.schemas,
              options.functionResults ?? new FunctionResults(),
              this.#configuredFrom(options.purpose),
            ),
      warns: this.warns,
      complete: options.purpose === 'plan' || options.purpose === 'apply',
    };
  }

  /** The configuration whose provider blocks are used; undefined if the evaluation configures no providers. */
  #configuredFrom(purpose: Purpose): Configuration | undefined {
    return purpose === 'prior' ? undefined : this.program.configuration;
  }

  /** Returns the instances of a module, after every call above it is expanded. */
  instancesOf(module: Module): readonly ModuleCells[] {
    return this.#instances.get(module) ?? [];
  }

  /** Returns the cells of a module instance; undefined if no call creates it. */
  find(instance: ModuleInstance): ModuleCells | undefined {
    let cells: ModuleCells | undefined = this.root;
    const { names } = instance.path;
    for (let index = 0; index < names.length; index++) {
      cells = cells?.calls.get(names[index] ?? '')?.instances.get(instance.keys[index]);
    }
    return cells;
  }

  /** Records the expansion of a call and creates the cells of its instances. */
  expandCall(caller: ModuleCells, name: string, expansion: Expansion): CallCell {
    const child = caller.module.children.get(name);
    if (child === undefined) throw new Bug(`no module ${name}`);
    const cell = new CallCell(child, expansion);
    let all = this.#instances.get(child) ?? [];
    // A repeated expansion replaces the previous instances.
    if (caller.calls.has(name)) all = all.filter(({ parent }) => parent !== caller);
    this.#instances.set(child, all);
    caller.setCall(name, cell);
    for (const key of keysOf(expansion)) {
      const instance = caller.instance.child(name, key);
      const cells = new ModuleCells(child, instance, caller, repetitionOf(expansion, key));
      cell.instances.set(key, cells);
      const replaced = this.#moduleOverride?.(instance);
      if (replaced === undefined) all.push(cells);
      else {
        for (const { name: output, sensitive, ephemeral } of child.outputs.values()) {
          let value = replaced.get(output) ?? NULL;
          if (sensitive) value = value.mark('sensitive');
          if (ephemeral) value = value.mark('ephemeral');
          cells.setOutput(output, value);
        }
      }
    }
    return cell;
  }

  /** Evaluates expressions in passes, until all provider functions have responded: see `EvaluationPass`. */
  evaluate<T>(diagnostics: Diagnostic[], work: (pass: EvaluationPass) => T): Awaitable<T> {
    const { providerFunctions } = this.#settings;
    return providerFunctions === undefined
      ? evaluateOnce(diagnostics, work)
      : providerFunctions.evaluate(diagnostics, work);
  }

  /** The scope of the expressions of a module instance. */
  scope(cells: ModuleCells, repetition: Repetition = NO_REPETITION, self?: Value): ModuleScope {
    return new ModuleScope(this.#settings, cells, repetition, self);
  }

  /**
   * The scope of a provider block of a module instance. As in Terraform, files that it reads may change between plan
   * and apply, as short-lived credentials do.
   */
  providerBlockScope(cells: ModuleCells, repetition: Repetition): ModuleScope {
    this.#providerBlockSettings ??= {
      ...this.#settings,
      functions: this.#providerBlockFunctions?.() ?? this.#settings.functions,
    };
    return new ModuleScope(this.#providerBlockSettings, cells, repetition);
  }

  /**
   * The scope of an action's configuration. Objects that are evaluated after the action, such as other
   * resources that trigger it, are unknown.
   */
  actionScope(cells: ModuleCells, repetition: Repetition, caller: Value | undefined): ModuleScope {
    return new ModuleScope({ ...this.#settings, complete: false }, cells, repetition, caller);
  }

  /**
   * The scope and evaluator of expressions of one module instance that are evaluated after the run, such as those
   * of the console. Values that the run did not evaluate are unknown.
   */
  later(
    functions: ReadonlyMap<string, FunctionSpec>,
    sessions: ProviderSessions,
    cells: ModuleCells = this.root,
  ): { readonly scope: ModuleScope; readonly evaluate: Evaluation['evaluate'] } {
    const results = new FunctionResults();
    const providerFunctions = new ProviderFunctions(
      sessions,
      this.program.schemas,
      results,
      this.#configuredFrom(this.purpose),
    );
    const settings = { ...this.#settings, functions, providerFunctions, complete: false };
    return {
      scope: new ModuleScope(settings, cells, NO_REPETITION),
      evaluate: (diagnostics, work) => providerFunctions.evaluate(diagnostics, work),
    };
  }
}
