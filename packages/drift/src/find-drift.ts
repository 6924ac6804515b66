import type { InstanceAddr } from '@terrane/addresses';
import { NULL, type Path, type Value, valueAt } from '@terrane/cty';
import type { Configuration, OutputChange, Plan, PlannedChange } from '@terrane/engine';
import { type Diagnostic, hasErrors, warningDiagnostic } from '@terrane/hcl';
import {
  type Outcome,
  type PlanRequest,
  type Project,
  type ReadOnlyRun,
  type RunPorts,
  selectedWorkspace,
  withReadOnlyRun,
} from '@terrane/ops';
import { pathWords, planJson, Secrets, secretsOf } from '@terrane/render';
import { attributeDifferences, type Difference } from './attribute-differences.ts';
import { configuredArgument, isIgnoredByConfiguration } from './configured-argument.ts';
import { locationOf } from './location.ts';
import {
  DRIFT_LEVELS,
  type DriftedAttribute,
  type DriftEntry,
  type DriftLevel,
  type DriftReport,
  highestOf,
  isAtLeast,
} from './model.ts';
import { NO_PREDICTION, Predictor } from './predict.ts';
import { ReadOnlyCalls } from './read-only-provider.ts';
import { ReferenceIndex } from './reference-index.ts';
import { hasSecrets, reportedValue, withSchemaMarks } from './reported-value.ts';
import { AppliedRules } from './rules/applied-rules.ts';
import { readRules } from './rules/read-rules.ts';
import { ruleFunctions } from './rules/rule-functions.ts';

/** The options of a drift run. */
export interface DriftRequest extends Pick<
  PlanRequest,
  'variables' | 'parallelism' | 'targets' | 'targetTexts' | 'excludes' | 'excludeTexts' | 'state'
> {
  /** the lowest level that raises an alarm; default: `referenced` */
  readonly threshold?: DriftLevel;
  /** path of the ignore rules; default: `drift.hcl`, if it exists */
  readonly rulesPath?: string;
  /**
   * Lets providers plan the changes that are predicted, which determines whether an object is replaced. Without it, no
   * call but reads reaches a provider.
   */
  readonly providersPlan?: boolean;
}

/**
 * Compares the objects in the state with those that exist. Neither stores nor locks anything: the state is read as a
 * snapshot, and providers receive only calls that read. The report is undefined after errors that prevent any result;
 * errors of single objects leave the report incomplete.
 */
export async function findDrift(
  project: Project,
  request: DriftRequest,
  ports: RunPorts,
): Promise<Outcome<DriftReport>> {
  const { files, clock } = project.host;
  const { rules, diagnostics: rulesProblems } = await readRules(files, request.rulesPath);
  if (hasErrors(rulesProblems)) return { diagnostics: rulesProblems };
  const functions = await ruleFunctions(project);
  const applied = new AppliedRules(rules, functions, clock.now());
  const calls = new ReadOnlyCalls(request.providersPlan === true ? 'provider' : 'local');
  const guarded: Project = {
    ...project,
    wrapProvider: (provider, source) => calls.wrap(provider, source),
  };
  const { threshold: _threshold, rulesPath: _path, providersPlan: _plan, ...options } = request;
  const planRequest: PlanRequest = { ...options, mode: 'refresh-only', refresh: true, replace: [] };
  const workspace = (await selectedWorkspace(project)).name;
  const outcome = await withReadOnlyRun(
    guarded,
    planRequest,
    ports,
    async (run): Promise<Outcome<DriftReport>> => {
      const refreshed = await run.plan(planRequest);
      if (refreshed.result === undefined) return { diagnostics: refreshed.diagnostics };
      const finder = new DriftFinder(refreshed.result, calls, applied);
      const predicted = await predict(run, planRequest, refreshed.result, request);
      const entries = finder.entries(predicted.result);
      const threshold = request.threshold ?? 'referenced';
      const isWhole = request.targets.length === 0 && (request.excludes?.length ?? 0) === 0;
      const warnings = [...predicted.diagnostics, ...applied.diagnostics];
      const report: DriftReport = {
        entries,
        alarms: entries.filter((each) => !each.isIgnored && isAtLeast(each.level, threshold)),
        threshold,
        workspace,
        timestamp: refreshed.result.timestamp,
        isComplete: refreshed.result.complete,
        expiredRules: applied.expired,
        // Rules for objects that were not selected are of use in other runs.
        unusedRules: isWhole && refreshed.result.complete ? applied.unused : [],
        diagnostics: warnings,
      };
      return { result: report, diagnostics: refreshed.diagnostics };
    },
  );
  const diagnostics = [...rulesProblems, ...outcome.diagnostics];
  const report = 'result' in outcome ? outcome.result : undefined;
  return report === undefined ? { diagnostics } : { result: report, diagnostics };
}

/** Plans over the refreshed state. Errors make predictions unavailable. */
async function predict(
  run: ReadOnlyRun,
  request: PlanRequest,
  refreshed: Plan,
  { providersPlan = false }: DriftRequest,
): Promise<Outcome<Predictor>> {
  if (!hasDrift(refreshed)) return { diagnostics: [] };
  const planRequest: PlanRequest = { ...request, mode: 'normal', refresh: false };
  const { result, diagnostics } = await run.plan(planRequest, refreshed.priorState);
  if (result === undefined || hasErrors(diagnostics)) {
    if (refreshed.errored) return { diagnostics: [] };
    return { diagnostics: [unpredictable(diagnostics)] };
  }
  return {
    result: await Predictor.open(run.project, result, refreshed, providersPlan),
    diagnostics: [],
  };
}

/** Returns true if a refresh-only plan may have found drift. */
function hasDrift({ errored, applyable }: Plan): boolean {
  return errored || applyable;
}

function unpredictable(diagnostics: readonly Diagnostic[]): Diagnostic {
  const error = diagnostics.find(({ severity }) => severity === 'error');
  return warningDiagnostic(
    'Unknown effect of drift',
    `The drift was determined, but the effect of a plan on it was not, because planning failed: ${error?.summary ?? 'the run was interrupted'}. Run a plan to see all errors.`,
  );
}

/** Builds the entries of a report from a refresh-only plan. */
class DriftFinder {
  readonly #plan: Plan;
  readonly #calls: ReadOnlyCalls;
  readonly #rules: AppliedRules;
  readonly #references: ReferenceIndex;
  /** those of the state, of the refreshed objects and of the variables */
  readonly #secrets: Secrets;

  constructor(plan: Plan, calls: ReadOnlyCalls, rules: AppliedRules) {
    this.#plan = plan;
    this.#calls = calls;
    this.#rules = rules;
    this.#references = new ReferenceIndex(plan.configuration, plan.schemas);
    this.#secrets = hasDrift(plan) ? secretsOf(planJson(plan)) : new Secrets();
  }

  /** Returns the entries, none if and only if applying the refresh-only plan would change nothing. */
  entries(predictor: Predictor | undefined): readonly DriftEntry[] {
    const { drift, outputs, adopted } = this.#plan;
    if (!hasDrift(this.#plan)) return [];
    const entries: DriftEntry[] = [];
    const drifted = new Set<InstanceAddr>();
    for (const change of drift) {
      if (change.action === 'no-op' || change.deposed !== undefined) continue;
      drifted.add(change.addr);
      entries.push(this.#ofInstance(change, predictor));
    }
    for (const change of outputs)
      if (isStored(change)) entries.push(this.#ofOutput(change, predictor));
    const records = new Set<InstanceAddr>();
    for (const event of adopted) {
      if (event.kind !== 'put' && event.kind !== 'settled') continue;
      if (!drifted.has(event.addr) && isManaged(event.addr)) records.add(event.addr);
    }
    for (const addr of records) entries.push(this.#ofRecord(addr, predictor));
    return entries.sort(
      (a, b) => DRIFT_LEVELS.indexOf(a.level) - DRIFT_LEVELS.indexOf(b.level) || byAddress(a, b),
    );
  }

  #ofInstance(change: PlannedChange, predictor: Predictor | undefined): DriftEntry {
    const { addr, provider, action } = change;
    const { mode, type } = addr.resource.resource;
    const schema = this.#plan.schemas.resource(provider.provider, mode, type);
    const before = this.#secrets.marked(withSchemaMarks(change.before, schema));
    const after = this.#secrets.marked(withSchemaMarks(change.after, schema));
    const isVanished = action === 'delete';
    const prediction = predictor?.ofInstance(addr, isVanished) ?? NO_PREDICTION;
    const common = { address: addr.text, kind: 'resource', isVanished, prediction } as const;
    const resource = this.#resource(addr);
    const location = resource === undefined ? {} : { location: locationOf(resource.range) };
    if (isVanished) {
      const rule = this.#rules.ignoring({
        address: addr.text,
        attribute: undefined,
        before,
        after,
      });
      return {
        ...common,
        ...location,
        level: 'vanished',
        changes: [],
        isIgnored: rule !== undefined,
        ...(rule === undefined ? {} : { ignoredBy: rule }),
      };
    }
    const planned = predictor?.planned(addr)?.after;
    const isSecret = (path: Path): boolean =>
      [before, after, planned].some((value) => value !== undefined && isSecretAt(value, path));
    const changes = attributeDifferences(before, after).map((difference) =>
      this.#ofAttribute(addr, difference, resource, schema, isSecret(difference.path)),
    );
    return { ...common, ...location, ...levelOf(changes) };
  }

  #ofAttribute(
    addr: InstanceAddr,
    { path, before, after }: Difference,
    resource: Resource | undefined,
    schema: ReturnType<Plan['schemas']['resource']>,
    isSecret: boolean,
  ): DriftedAttribute {
    const config = this.#calls.configurations.get(addr.text);
    const configuredAt = configuredArgument(path, resource, schema, config);
    const isCovered = isIgnoredByConfiguration(path, resource);
    const references = this.#references.at(addr, path);
    const isArgument = configuredAt !== undefined && !isCovered;
    const text = pathWords(path);
    const rule = this.#rules.ignoring({
      address: addr.text,
      attribute: text,
      before: valueOrNull(before, after),
      after: valueOrNull(after, before),
    });
    return {
      path: text,
      level: isArgument ? 'configured' : references.length > 0 ? 'referenced' : 'noise',
      before: reportedValue(before, isSecret),
      after: reportedValue(after, isSecret),
      ...(configuredAt === undefined ? {} : { configuredAt }),
      isIgnoredByConfiguration: isCovered,
      references,
      ...(rule === undefined ? {} : { ignoredBy: rule }),
    };
  }

  #ofOutput(change: OutputChange, predictor: Predictor | undefined): DriftEntry {
    const { name, sensitive } = change;
    const before = this.#secrets.marked(change.before);
    const after = this.#secrets.marked(change.after);
    const address = `output.${name}`;
    const output = this.#plan.configuration.root.outputs.get(name);
    const isSecret = sensitive || hasSecrets(before) || hasSecrets(after);
    // Another value of an output may also be due to the configuration.
    const isCaused = predictor?.isCaused(name) ?? true;
    const rule = this.#rules.ignoring({
      address,
      attribute: '',
      before: isSecret ? before.mark('sensitive') : before,
      after: isSecret ? after.mark('sensitive') : after,
    });
    const attribute: DriftedAttribute = {
      path: '',
      level: isCaused ? 'referenced' : 'noise',
      before: change.action === 'create' ? { kind: 'absent' } : reportedValue(before, isSecret),
      after: change.action === 'delete' ? { kind: 'absent' } : reportedValue(after, isSecret),
      isIgnoredByConfiguration: false,
      references: [],
      ...(rule === undefined ? {} : { ignoredBy: rule }),
    };
    return {
      address,
      kind: 'output',
      isVanished: false,
      ...(output === undefined ? {} : { location: locationOf(output.range) }),
      ...levelOf([attribute]),
      prediction: predictor?.ofOutput(name) ?? NO_PREDICTION,
    };
  }

  #ofRecord(addr: InstanceAddr, predictor: Predictor | undefined): DriftEntry {
    const resource = this.#resource(addr);
    return {
      address: addr.text,
      kind: 'record',
      level: 'noise',
      isVanished: false,
      ...(resource === undefined ? {} : { location: locationOf(resource.range) }),
      changes: [],
      isIgnored: false,
      prediction: predictor?.ofRecord() ?? NO_PREDICTION,
    };
  }

  #resource({ resource: { module, resource } }: InstanceAddr): Resource | undefined {
    const { modules } = this.#plan.configuration;
    return modules.get(module.path.text)?.resources.get(resource.text);
  }
}

type Resource = NonNullable<ReturnType<Configuration['root']['resources']['get']>>;

/** Returns the level of an entry: of the changes that are not ignored, or of all if all are. */
function levelOf(
  changes: readonly DriftedAttribute[],
): Pick<DriftEntry, 'level' | 'changes' | 'isIgnored'> {
  const open = changes.filter(({ ignoredBy }) => ignoredBy === undefined);
  const isIgnored = changes.length > 0 && open.length === 0;
  const level = highestOf((isIgnored ? changes : open).map((each) => each.level));
  return { level, changes, isIgnored };
}

/** Returns true if the value at a path, a part of it or a value that contains it is sensitive. */
function isSecretAt(value: Value, path: Path): boolean {
  for (let length = 0; length < path.length; length++) {
    const container = valueAt(value, path.slice(0, length));
    if (container === undefined) return false;
    if (container.hasMark('sensitive') || container.hasMark('ephemeral')) return true;
  }
  return hasSecrets(valueAt(value, path));
}

/** Returns a value for conditions; null, as sensitive as the other value, if it is missing. */
function valueOrNull(value: Value | undefined, other: Value | undefined): Value {
  if (value !== undefined) return value;
  const absent = NULL;
  return hasSecrets(other) ? absent.mark('sensitive') : absent;
}

/** Returns true if a refresh-only apply stores the output; an unknown value is not stored. */
function isStored({ action, after }: OutputChange): boolean {
  if (action !== 'update' && action !== 'create') return action !== 'no-op';
  return after.isWhollyKnown();
}

function isManaged({ resource }: InstanceAddr): boolean {
  return resource.resource.mode === 'managed';
}

function byAddress(a: DriftEntry, b: DriftEntry): number {
  return a.address < b.address ? -1 : a.address > b.address ? 1 : 0;
}
