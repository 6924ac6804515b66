import type { Range } from '@terrane/hcl';
import type { CheckRule, Configuration, Module } from '../config/model.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { Plan } from '../plan/model.ts';

/** The coverage of a resource or data source. */
export interface ResourceCoverage {
  /** without keys */
  readonly address: string;
  readonly range: Range;
  /** planned: a plan had an instance of it; applied: a run applied such a plan */
  reached: 'none' | 'planned' | 'applied';
}

/** The outcomes of a condition that tests have exercised. */
export interface ConditionCoverage {
  /** the address of the object with the condition, without keys */
  readonly address: string;
  readonly kind: 'validation' | 'precondition' | 'postcondition' | 'assertion';
  readonly range: Range;
  held: boolean;
  failed: boolean;
}

/** The coverage of a configuration by its tests. */
export interface CoverageReport {
  readonly resources: readonly ResourceCoverage[];
  readonly conditions: readonly ConditionCoverage[];
}

/** Collects the coverage of the configuration under test. */
export class Coverage {
  readonly #resources = new Map<string, ResourceCoverage>();
  readonly #conditions = new Map<string, ConditionCoverage>();

  constructor(configuration: Configuration) {
    for (const module of configuration.modules.values()) this.#declare(module);
  }

  get report(): CoverageReport {
    return {
      resources: [...this.#resources.values()],
      conditions: [...this.#conditions.values()],
    };
  }

  /** Records a plan, and perhaps its apply, with the condition results of its evaluation. */
  note(plan: Plan | undefined, evaluation: Evaluation | undefined, applied: boolean): void {
    for (const { addr, action } of plan?.changes ?? []) {
      const resource = this.#resources.get(addr.config.text);
      if (resource === undefined || action === 'delete' || action === 'forget') continue;
      if (applied) resource.reached = 'applied';
      else if (resource.reached === 'none') resource.reached = 'planned';
    }
    for (const instance of applied ? (plan?.priorState.instances() ?? []) : []) {
      const resource = this.#resources.get(instance.config.text);
      // Data sources that a plan reads are no changes of it.
      if (resource !== undefined && instance.resource.resource.mode === 'data')
        resource.reached = 'applied';
    }
    for (const { configAddr, rule, status } of evaluation?.checks.conditions() ?? []) {
      const condition = this.#conditions.get(`${configAddr} ${rule}`);
      if (condition === undefined) continue;
      if (status === 'pass') condition.held = true;
      else if (status === 'fail') condition.failed = true;
    }
  }

  #declare(module: Module): void {
    const within = (text: string): string =>
      module.path.isRoot ? text : `${module.path.text}.${text}`;
    for (const { name, validations } of module.variables.values()) {
      this.#rules(within(`var.${name}`), 'validation', 'validation', validations);
    }
    for (const { addr, range, preconditions, postconditions } of module.resources.values()) {
      const address = within(addr.text);
      if (addr.mode !== 'ephemeral') {
        this.#resources.set(address, { address, range, reached: 'none' });
      }
      this.#rules(address, 'precondition', 'precondition', preconditions);
      this.#rules(address, 'postcondition', 'postcondition', postconditions);
    }
    for (const { name, preconditions } of module.outputs.values()) {
      this.#rules(within(`output.${name}`), 'precondition', 'outputPrecondition', preconditions);
    }
    for (const { name, asserts } of module.checks.values()) {
      this.#rules(within(`check.${name}`), 'assertion', 'assertion', asserts);
    }
  }

  #rules(
    address: string,
    kind: ConditionCoverage['kind'],
    rule: string,
    rules: readonly CheckRule[],
  ): void {
    for (const [index, { range }] of rules.entries()) {
      const condition = { address, kind, range, held: false, failed: false };
      this.#conditions.set(`${address} ${rule}.${index}`, condition);
    }
  }
}
