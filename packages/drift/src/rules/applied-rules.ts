import { type FunctionSpec, str, type Value } from '@terrane/cty';
import {
  constantScope,
  type Diagnostic,
  evaluate,
  hasErrors,
  warningDiagnostic,
} from '@terrane/hcl';
import { locationOf } from '../location.ts';
import type { AppliedRule } from '../model.ts';
import type { IgnoreRule } from './read-rules.ts';

/** A change that rules may ignore. Values have their marks, so that messages do not show sensitive ones. */
export interface JudgedChange {
  readonly address: string;
  /** undefined for an object that vanished */
  readonly attribute: string | undefined;
  readonly before: Value;
  readonly after: Value;
}

/** The rules of a run, with a record of the rules that matched. */
export class AppliedRules {
  readonly #active: readonly IgnoreRule[];
  readonly #functions: ReadonlyMap<string, FunctionSpec>;
  readonly #used: Set<IgnoreRule> = new Set();
  readonly expired: readonly AppliedRule[];
  /** warnings about conditions that could not be decided */
  readonly diagnostics: Diagnostic[] = [];

  constructor(
    rules: readonly IgnoreRule[],
    functions: ReadonlyMap<string, FunctionSpec>,
    now: Date,
  ) {
    const isExpired = ({ endsAt }: IgnoreRule): boolean => endsAt <= now.getTime();
    this.#active = rules.filter((rule) => !isExpired(rule));
    this.expired = rules.filter(isExpired).map(appliedRule);
    this.#functions = functions;
  }

  /** Returns the first rule that ignores a change. */
  ignoring(change: JudgedChange): AppliedRule | undefined {
    const rule = this.#active.find((each) => this.#matches(each, change));
    if (rule === undefined) return undefined;
    this.#used.add(rule);
    return appliedRule(rule);
  }

  /** Returns the rules that have not expired and ignored nothing so far. */
  get unused(): readonly AppliedRule[] {
    return this.#active.filter((rule) => !this.#used.has(rule)).map(appliedRule);
  }

  #matches(rule: IgnoreRule, change: JudgedChange): boolean {
    const { address, attribute } = change;
    if (rule.vanished !== (attribute === undefined)) return false;
    if (!rule.address.matches(address)) return false;
    if (attribute !== undefined && rule.attribute?.matches(attribute) === false) return false;
    return rule.condition === undefined || this.#holds(rule, change);
  }

  #holds(rule: IgnoreRule, { address, attribute = '', before, after }: JudgedChange): boolean {
    if (rule.condition === undefined) return true;
    const scope = constantScope(
      { old: before, new: after, address: str(address), attribute: str(attribute) },
      this.#functions,
    );
    const problems: Diagnostic[] = [];
    const value = evaluate(rule.condition, scope, problems).unmark();
    const isBool = value.isKnown && !value.isNull && value.type.kind === 'bool';
    if (!hasErrors(problems) && isBool) return value.asBool();
    const reason = problems[0]?.detail ?? 'It is not true or false.';
    this.diagnostics.push(
      warningDiagnostic(
        'Undecided condition of a drift rule',
        `The condition cannot be decided for ${address}${attribute === '' ? '' : `, ${attribute}`}, so the rule does not apply: ${reason}`,
        rule.condition.range,
        { expression: rule.condition, scope },
      ),
    );
    return false;
  }
}

function appliedRule({ range, owner, reason, until }: IgnoreRule): AppliedRule {
  return { location: locationOf(range), owner, reason, until };
}
