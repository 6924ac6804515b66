import type { InstanceAddr } from '@terrane/addresses';
import type {
  InspectedRun,
  Inspector,
  OverriddenRule,
  Plan,
  PlanInspection,
  PlannedChange,
} from '@terrane/engine';
import type { Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from '@terrane/hcl';
import type { Host } from '@terrane/host';
import { planJson, type Secrets, secretsOf } from '@terrane/render';
import type { FiledPolicy, PolicySet } from '../evaluate/policy-set.ts';
import type { PolicyResult } from '../evaluate/result.ts';
import type { PolicyOperation } from '../language/model.ts';
import { policyReportJson } from '../report/report-json.ts';
import { checkerDiagnostics, judgementDiagnostics } from './enforce.ts';
import { sendPolicyRequest } from './http-request.ts';
import type {
  Checker,
  CheckerResult,
  Judgement,
  PerformedOverride,
  PolicyMoment,
  PolicyReport,
} from './model.ts';
import type { Overrides } from './overrides.ts';
import { PlanWorld } from './plan-world.ts';
import { runChecker } from './run-checker.ts';
import { changeSubject, changeSubjects, type PolicySubject, runSubjects } from './subjects.ts';

/** Policies of a subject that the plan could not decide. */
interface Undecided {
  readonly subject: PolicySubject;
  readonly policies: Set<FiledPolicy>;
  /** of a resource: its instance */
  readonly addr?: InstanceAddr;
}

/** Options of an inspector. */
export interface PolicyInspectorOptions {
  readonly set: PolicySet;
  readonly checkers: readonly Checker[];
  readonly overrides: Overrides;
  /** failures of the plan are warnings */
  readonly isReportOnly: boolean;
  readonly host: Host;
  readonly signal?: AbortSignal;
}

/**
 * Evaluates policies for a plan and for the changes of its apply. What the plan cannot decide, because values are
 * unknown, is evaluated before the provider makes the change, and for the last time after the apply.
 */
export class PolicyInspector implements Inspector {
  readonly #options: PolicyInspectorOptions;
  readonly #judgements: Judgement[] = [];
  readonly #checkerResults: CheckerResult[] = [];
  readonly #undecided = new Map<string, Undecided>();
  /** instances whose change was made */
  readonly #made = new Set<string>();
  #plan: Plan | undefined;
  #world: PlanWorld | undefined;
  #run: InspectedRun | undefined;
  #secrets: Secrets | undefined;

  constructor(options: PolicyInspectorOptions) {
    this.#options = options;
  }

  /** The results so far. A policy that was decided later is listed once, with its decision. */
  get report(): PolicyReport {
    const { set } = this.#options;
    return {
      judgements: this.#judgements,
      checkers: this.#checkerResults,
      policies: set.size,
      files: set.files.length,
      digest: set.digest,
    };
  }

  overridden(): readonly OverriddenRule[] {
    return [
      ...this.#judgements.flatMap(({ override, result, object }) =>
        override === undefined ? [] : [ruleOf(override, result.policy.address, object.address)],
      ),
      ...this.#checkerResults.flatMap(({ override, checker }) =>
        override === undefined ? [] : [ruleOf(override, `checker.${checker.name}`, '')],
      ),
    ];
  }

  async inspectPlan(plan: Plan, run: InspectedRun): Promise<PlanInspection> {
    const { host } = this.#options;
    this.#judgements.length = 0;
    this.#checkerResults.length = 0;
    this.#undecided.clear();
    this.#plan = plan;
    this.#secrets = undefined;
    this.#run = run;
    const earlier = plan.annotations?.get('policy_results');
    if (earlier !== undefined) this.#options.overrides.adopt(earlier, this.#options.set.digest);
    this.#world = new PlanWorld(
      plan,
      (type, config) => this.#runNow().readData(type, config),
      (url, headers) => sendPolicyRequest(host.http, url, headers),
    );
    const diagnostics: Diagnostic[] = [];
    const evaluation = this.#options.set.evaluation(this.#world);
    for (const subject of runSubjects(run)) {
      await this.#judge(subject, this.#policiesFor(subject), evaluation, 'plan', diagnostics);
    }
    for (const change of plan.changes) {
      for (const subject of changeSubjects(plan, change)) {
        const policies = this.#policiesFor(subject);
        if (policies.length > 0)
          await this.#judge(subject, policies, evaluation, 'plan', diagnostics, change.addr);
      }
    }
    diagnostics.push(...(await this.#runCheckers(plan)));
    const annotations = new Map([['policy_results', policyReportJson(this.report)]]);
    return {
      diagnostics: this.#options.isReportOnly ? diagnostics.map(asWarning) : diagnostics,
      annotations,
    };
  }

  async beforeChange(change: PlannedChange): Promise<readonly Diagnostic[]> {
    const plan = this.#plan;
    const world = this.#world;
    const operation = operationOf(change);
    const key = keyOf(change.addr.text, operation);
    const undecided = this.#undecided.get(key);
    if (plan === undefined || world === undefined || undecided === undefined) return [];
    const subject = changeSubject(plan, change, operation);
    const { type } = change.addr.resource.resource;
    if (operation !== 'delete') world.set(type, change.addr.text, change.after);
    this.#undecided.delete(key);
    const diagnostics: Diagnostic[] = [];
    const evaluation = this.#options.set.evaluation(world);
    const policies = [...undecided.policies];
    await this.#judge(subject, policies, evaluation, 'before-change', diagnostics, change.addr);
    return diagnostics;
  }

  afterChange(addr: InstanceAddr, object: Value | undefined): void {
    this.#made.add(addr.text);
    this.#world?.set(addr.resource.resource.type, addr.text, object);
  }

  async afterApply(run: InspectedRun): Promise<readonly Diagnostic[]> {
    const world = this.#world;
    if (world === undefined || this.#undecided.size === 0) return [];
    this.#run = run;
    const diagnostics: Diagnostic[] = [];
    const evaluation = this.#options.set.evaluation(world);
    const current = new Map(runSubjects(run).map((each) => [each.object.address, each] as const));
    for (const { subject, policies, addr } of [...this.#undecided.values()]) {
      const { address } = subject.object;
      // A change that was not made has its own error, and its policies have nothing to judge.
      if (addr !== undefined && !this.#made.has(address)) continue;
      const value = addr === undefined ? undefined : world.value(subject.target, address);
      const final =
        value === undefined
          ? (current.get(address) ?? subject)
          : { ...subject, values: { ...subject.values, attrs: value } };
      await this.#judge(final, [...policies], evaluation, 'after-apply', diagnostics, addr);
    }
    return diagnostics;
  }

  #runNow(): InspectedRun {
    if (this.#run === undefined) throw new Error('no run is being inspected');
    return this.#run;
  }

  #policiesFor({ object, target }: PolicySubject): readonly FiledPolicy[] {
    const { kind, operation } = object;
    return kind === 'plan' ? [] : this.#options.set.policiesFor(kind, target, operation);
  }

  async #judge(
    subject: PolicySubject,
    policies: readonly FiledPolicy[],
    evaluation: ReturnType<PolicySet['evaluation']>,
    moment: PolicyMoment,
    diagnostics: Diagnostic[],
    addr?: InstanceAddr,
  ): Promise<void> {
    for (const filed of policies) {
      const evaluated = await evaluation.evaluate(filed, subject.values);
      if (evaluated === undefined) {
        this.#forget(subject, filed);
        continue;
      }
      const result = this.#withoutCopies(evaluated);
      if (result.outcome === 'unknown') this.#keepUndecided(subject, filed, addr);
      if (result.outcome === 'unknown' && moment === 'after-apply')
        diagnostics.push(neverDecided(subject, result));
      const judgement = this.#judgementOf(subject, result, moment);
      this.#record(judgement);
      diagnostics.push(...judgementDiagnostics(judgement));
    }
  }

  /** Removes copies of sensitive values, which carry no mark, from the messages of a result. */
  #withoutCopies(result: PolicyResult): PolicyResult {
    const isSilent = result.enforcements.every(({ message }) => message === undefined);
    if (isSilent) return result;
    return {
      ...result,
      enforcements: result.enforcements.map(({ message, ...rest }) => ({
        ...rest,
        ...(message === undefined ? {} : { message: this.#withoutSecrets(message) }),
      })),
    };
  }

  #withoutSecrets(message: string): string {
    if (this.#plan === undefined) return message;
    this.#secrets ??= secretsOf(planJson(this.#plan));
    return this.#secrets.hiddenIn(message);
  }

  #keepUndecided(subject: PolicySubject, filed: FiledPolicy, addr: InstanceAddr | undefined): void {
    const key = keyOf(subject.object.address, subject.object.operation);
    const existing = this.#undecided.get(key);
    if (existing !== undefined) existing.policies.add(filed);
    else
      this.#undecided.set(key, {
        subject,
        policies: new Set([filed]),
        ...(addr === undefined ? {} : { addr }),
      });
  }

  #judgementOf(subject: PolicySubject, result: PolicyResult, moment: PolicyMoment): Judgement {
    const { policy, level, outcome } = result;
    const canOverride =
      level === 'mandatory_overridable' && (outcome === 'fail' || outcome === 'error');
    const override = canOverride
      ? this.#options.overrides.of(policy.name, policy.address)
      : undefined;
    return {
      object: subject.object,
      result,
      moment,
      ...(override === undefined ? {} : { override }),
    };
  }

  /** Adds a judgement, or replaces the one that could not be decided before. */
  #record(judgement: Judgement): void {
    const index = judgement.moment === 'plan' ? -1 : this.#indexOf(judgement);
    if (index < 0) this.#judgements.push(judgement);
    else this.#judgements[index] = judgement;
  }

  #indexOf({ object, result }: Judgement): number {
    return this.#judgements.findIndex(
      (each) =>
        each.result.policy === result.policy &&
        each.object.address === object.address &&
        each.object.operation === object.operation,
    );
  }

  /** Removes a judgement that was not decided: the final values are excluded by the filter. */
  #forget(subject: PolicySubject, { policy }: FiledPolicy): void {
    const index = this.#judgements.findIndex(
      (each) =>
        each.result.policy === policy &&
        each.result.outcome === 'unknown' &&
        each.object.address === subject.object.address &&
        each.object.operation === subject.object.operation,
    );
    if (index >= 0) this.#judgements.splice(index, 1);
  }

  async #runCheckers(plan: Plan): Promise<readonly Diagnostic[]> {
    const { checkers, host, overrides, signal } = this.#options;
    if (checkers.length === 0) return [];
    const json = planJson(plan);
    const results = await Promise.all(
      checkers.map(async (checker): Promise<CheckerResult> => {
        const { outcome, messages: reported } = await runChecker(host, checker, json, signal);
        // The plan that checkers receive contains sensitive values.
        const messages = reported.map((message) => this.#withoutSecrets(message));
        const canOverride = checker.level === 'mandatory_overridable' && outcome !== 'pass';
        const override = canOverride ? overrides.of(checker.name, checker.name) : undefined;
        return { checker, outcome, messages, ...(override === undefined ? {} : { override }) };
      }),
    );
    this.#checkerResults.push(...results);
    return results.flatMap((result) => checkerDiagnostics(result));
  }
}

const asWarning = (diagnostic: Diagnostic): Diagnostic => ({ ...diagnostic, severity: 'warning' });

function ruleOf(
  { reason, by, at }: PerformedOverride,
  rule: string,
  object: string,
): OverriddenRule {
  return { rule, object, reason, by, at };
}

function keyOf(address: string, operation: PolicyOperation | undefined): string {
  return `${operation ?? ''} ${address}`;
}

function operationOf({ action }: PlannedChange): PolicyOperation {
  if (action === 'update' || action === 'delete') return action;
  return 'create';
}

function neverDecided({ object }: PolicySubject, { policy, level }: PolicyResult): Diagnostic {
  const make = level === 'advisory' ? warningDiagnostic : errorDiagnostic;
  return make(
    `Policy "${policy.name}" cannot be decided`,
    `After the apply, values that ${policy.address} needs for ${object.address} are still unknown, because changes are deferred or were not made. Apply again.`,
    object.range,
    { address: object.address },
  );
}
