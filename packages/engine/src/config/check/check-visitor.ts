import type { FunctionSpec, Value } from '@terrane/cty';
import type { Diagnostic, Expression, Range, Scope } from '@terrane/hcl';
import type { Awaitable, ProviderSchema, Schema } from '@terrane/provider';
import { evaluateOnce, type EvaluationPass } from '../evaluation-pass.ts';
import type { WarningScope } from '../deprecations.ts';
import type { CheckMemo } from './check-memo.ts';
import type {
  ActionBlock,
  CheckRule,
  Import,
  Local,
  Module,
  Output,
  ProviderBlock,
  Resource,
  Schemas,
  Variable,
} from '../model.ts';

/**
 * Additional validation during the evaluation of expressions, by stages with more information than schemas: providers,
 * and stages that depend on values. Each method is called only with objects that are free of errors so far. Objects
 * without a method are only evaluated.
 */
export interface CheckVisitor {
  /**
   * Returns errors that prevent any evaluation of the configuration. `isOrdered`: the declarations are known to have an
   * evaluation order.
   */
  readonly begin?: (isOrdered: boolean) => Awaitable<readonly Diagnostic[]>;
  /** `count`, `for_each` and `enabled` of a resource or call. */
  readonly repetition?: (at: Repeated, scope: WarningScope, diagnostics: Diagnostic[]) => void;
  /** The validation rules of a variable; in the scope it has the value that is checked, written at `at`. */
  readonly validations?: (
    variable: Variable,
    at: Range,
    scope: Scope,
    diagnostics: Diagnostic[],
  ) => void;
  /** The precondition of an output. */
  readonly precondition?: (rule: CheckRule, scope: WarningScope, diagnostics: Diagnostic[]) => void;
  /** validates an `import` block; the scope is that of its arguments, depending on `for_each` */
  readonly imports?: (
    module: Module,
    block: Import,
    scope: Scope,
    diagnostics: Diagnostic[],
  ) => void;
  /** The value of a provider block. */
  readonly provider?: (checked: CheckedBlock, diagnostics: Diagnostic[]) => Awaitable<void>;
  /** An argument of a `list` block that is not the provider's, with its value. */
  readonly listArgument?: (
    name: 'limit' | 'include_resource',
    value: Value,
    expression: Expression,
    scope: WarningScope,
    diagnostics: Diagnostic[],
  ) => void;
  /** The value of a resource's body. */
  readonly resource?: (checked: CheckedResource, diagnostics: Diagnostic[]) => Awaitable<void>;
  /** The value of an action's `config` block. */
  readonly action?: (checked: CheckedAction, diagnostics: Diagnostic[]) => Awaitable<void>;
}

/** A repeatable object. */
export interface Repeated {
  readonly count?: Expression;
  readonly forEach?: Expression;
  readonly enabled?: Expression;
  /** the owner of the keys in messages; default: "a resource" */
  readonly keyOwner?: string;
}

/** A provider block with its value. */
export interface CheckedBlock {
  readonly module: Module;
  readonly block: ProviderBlock;
  readonly schema: ProviderSchema;
  readonly value: Value;
}

/** A resource with the value of its body. */
export interface CheckedResource {
  readonly module: Module;
  readonly resource: Resource;
  readonly schema: Schema;
  readonly value: Value;
}

/** An action with the value of its `config` block, as one of the resources that trigger it sees it. */
export interface CheckedAction {
  readonly module: Module;
  readonly action: ActionBlock;
  /** the resource that triggers it; undefined where none does */
  readonly caller: Resource | undefined;
  readonly schema: Schema;
  readonly value: Value;
}

/** Provider functions, which may respond asynchronously: expressions that call them are evaluated in `evaluate`. */
export interface CalledFunctions {
  find(caller: { readonly module: Module }, name: string, place?: Range): FunctionSpec | undefined;
  /** evaluates in passes until all functions have responded */
  evaluate<T>(diagnostics: Diagnostic[], work: (pass: EvaluationPass) => T): Awaitable<T>;
}

/** Evaluates in passes, until all provider functions have responded. */
export function evaluateChecks<T>(
  { providerFunctions }: CheckSettings,
  diagnostics: Diagnostic[],
  work: (pass: EvaluationPass) => T,
): Awaitable<T> {
  return providerFunctions === undefined
    ? evaluateOnce(diagnostics, work)
    : providerFunctions.evaluate(diagnostics, work);
}

/** The continuation of a check after its evaluation, such as the validation by a provider. */
export type FollowUp = (diagnostics: Diagnostic[]) => Awaitable<void>;

/** Settings of static validation. */
export interface CheckSettings {
  readonly schemas: Schemas;
  readonly functions: ReadonlyMap<string, FunctionSpec>;
  /** provider functions; if absent, their results are unknown */
  readonly providerFunctions?: CalledFunctions;
  /** `path.cwd` */
  readonly cwd: string;
  /** `terraform.workspace` */
  readonly workspace: string;
  readonly visitor?: CheckVisitor;
  /**
   * Receives the values of the expressions of locals and outputs that are wholly known, unmarked and free of
   * diagnostics: they cannot change, so that planning need not evaluate them again.
   */
  readonly constants?: Map<Local | Output, Value>;
  /** outcomes of an earlier validation with the same settings; has no effect together with `constants` */
  readonly memo?: CheckMemo;
  /**
   * Called before each declaration, for callers that do other work in between: a promise interrupts the validation until
   * it resolves, and abandons it if it rejects.
   */
  readonly pause?: () => Promise<void> | undefined;
}
