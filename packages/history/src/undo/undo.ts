import {
  type Configuration,
  isOpenCreate,
  type Plan,
  type PlanPurpose,
  type ReadState,
  type Resource,
  type StateEvent,
} from '@terrane/engine';
import { errorDiagnostic, hasErrors, type Diagnostic, warningDiagnostic } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import {
  apply,
  type ApplyOutcome,
  type ApplyPorts,
  type ConfigurationSnapshot,
  loadSnapshot,
  type Outcome,
  plan as makePlanFile,
  type PlanOutcome,
  type PlanRequest,
  type Project,
  type RunPorts,
} from '@terrane/ops';
import { parseTarget } from '@terrane/addresses';
import { openHistory, unreadable } from '../read/history.ts';
import type { RunStart, RunSummary } from '../record/model.ts';
import { type ClassifiedAction, classifyUndo } from './classify.ts';
import { goalFiles, withoutAdded } from './goal-files.ts';
import { reinstatements } from './reinstate.ts';
import { type UndoTarget, undoTarget } from './undo-target.ts';

/** Options of an undo. */
export interface UndoRequest extends Omit<PlanRequest, 'mode' | 'snapshot'> {
  /** the run to undo; default: the last one that changed objects */
  readonly run?: string;
  /** addresses whose lossy actions are accepted */
  readonly allowLossy: readonly string[];
}

/** A change of an object that the undo would revert, and that the run to undo did not make. */
export interface UndoConflict {
  readonly address: string;
  /** the later run; undefined for a change outside of all runs */
  readonly run: RunSummary | undefined;
}

/** The actions of an undo, and the changes that it cannot revert. */
export interface UndoReport {
  readonly run: Pick<RunStart, 'id' | 'started' | 'who' | 'command'>;
  readonly actions: readonly ClassifiedAction[];
  readonly conflicts: readonly UndoConflict[];
  /** lossy actions that were not accepted, and impossible ones that were not excluded */
  readonly refused: readonly ClassifiedAction[];
}

/** Receives the report, after the plan was made and before it is saved or applied. */
export type ShowReport = (plan: Plan, report: UndoReport) => void | Promise<void>;

/** Plans the undo of a run, and saves the plan if `out` is not empty. Changes nothing else. */
export async function planUndo(
  project: Project,
  request: UndoRequest,
  ports: RunPorts,
  showReport: ShowReport,
  out: string,
): Promise<PlanOutcome> {
  const prepared = await prepareUndo(project, request);
  if (prepared.result === undefined) return { diagnostics: prepared.diagnostics };
  const { planRequest, review } = prepared.result;
  return await makePlanFile(project, planRequest, { ...ports, review: review(showReport) }, out);
}

/** Plans the way back from a run, prompts for approval and applies the plan. */
export async function applyUndo(
  project: Project,
  request: UndoRequest,
  ports: ApplyPorts,
  showReport: ShowReport,
): Promise<ApplyOutcome> {
  if (ports.approval === undefined) throw new TypeError('an undo is applied only with approval');
  const prepared = await prepareUndo(project, request);
  if (prepared.result === undefined) return { diagnostics: prepared.diagnostics };
  const { planRequest, review } = prepared.result;
  const reviewing = { ...ports, review: review(showReport) };
  return await apply(project, { ...planRequest, autoApprove: false }, reviewing);
}

interface PreparedUndo {
  readonly planRequest: PlanRequest;
  readonly review: (show: ShowReport) => NonNullable<RunPorts['review']>;
}

async function prepareUndo(project: Project, request: UndoRequest): Promise<Outcome<PreparedUndo>> {
  const { result: opened, diagnostics } = await openHistory(project, request.state);
  if (opened === undefined) return { diagnostics };
  let target: UndoTarget | Diagnostic;
  try {
    const { file } = await opened.opened.manager.read();
    target = await undoTarget(opened.history, request.run, file);
  } catch (error) {
    return { diagnostics: [unreadable(error)] };
  }
  if ('severity' in target) return { diagnostics: [target] };
  const latest = await loadSnapshot(project, {
    files: target.latest.files,
    variables: target.latest.variables,
    purpose: purposeOf(target),
  });
  if (latest.configuration === undefined || hasErrors(latest.diagnostics))
    return { diagnostics: latest.diagnostics };
  const { snapshot, forgotten, mode, problems } = await goalOf(
    project,
    target,
    latest.configuration,
  );
  if (snapshot === undefined) return { diagnostics: problems };
  const { run: _run, allowLossy, ...options } = request;
  const targets = options.targets.length > 0 ? undefined : target.run.targets;
  const planRequest: PlanRequest = {
    ...options,
    ...(targets === undefined ? {} : targetsOf(targets)),
    mode,
    snapshot,
  };
  const { configuration } = latest;
  const reinstated = new Set<string>();
  const waiting = new Set<string>();
  const initialEvents: PlanRequest['initialEvents'] = (state, openCreations) => {
    const newKey = (): string => Buffer.from(project.host.random.bytes(4)).toString('hex');
    const restored = reinstatements(state, target.before, openCreations, newKey);
    for (const event of restored.events)
      if (event.kind === 'restore') reinstated.add(event.addr.text);
    for (const { text } of restored.waiting) waiting.add(text);
    return restored.events;
  };
  const goal = { target, latest: configuration, forgotten, reinstated, waiting };
  const review =
    (show: ShowReport): NonNullable<RunPorts['review']> =>
    (plan, state) =>
      reviewUndo(goal, plan, state, allowLossy, show);
  return { result: { planRequest: { ...planRequest, initialEvents }, review }, diagnostics: [] };
}

function targetsOf(texts: readonly string[]): Pick<PlanRequest, 'targets' | 'targetTexts'> {
  const targets = texts.flatMap((text) => {
    const { target } = parseTarget(text);
    return target === undefined ? [] : [target];
  });
  return { targets, targetTexts: texts };
}

/** Returns the configuration to plan with: that before the run, or the latest one if everything is to be destroyed. */
async function goalOf(
  project: Project,
  target: UndoTarget,
  latest: Configuration,
): Promise<{
  readonly snapshot?: ConfigurationSnapshot;
  readonly forgotten: ReadonlySet<string>;
  readonly mode: PlanRequest['mode'];
  readonly problems: readonly Diagnostic[];
}> {
  const { goal } = target;
  const purpose = purposeOf(target);
  const imported = [...target.imported];
  if (goal === undefined && imported.length === 0) {
    const { files, variables } = target.latest;
    const snapshot = { files, variables, purpose };
    return { snapshot, forgotten: new Set(), mode: 'destroy', problems: [] };
  }
  // Without a configuration before the run, an empty one lets imported objects be forgotten.
  const goalTexts = goal === undefined ? new Map<string, string>() : withoutAdded(goal.files);
  const base = { files: goalTexts, variables: goal?.variables ?? new Map(), purpose };
  const withFile = goalTexts.size === 0 ? { ...base, files: new Map([['main.tf', '\n']]) } : base;
  const loaded = await loadSnapshot(project, withFile);
  if (loaded.configuration === undefined || hasErrors(loaded.diagnostics))
    return { forgotten: new Set(), mode: 'normal', problems: loaded.diagnostics };
  const completed = goalFiles(target, withFile, loaded.configuration, latest);
  const { files, variables, forgotten } = completed;
  return { snapshot: { files, variables, purpose }, forgotten, mode: 'normal', problems: [] };
}

/** Returns what the history records of the plan, also if it is saved and applied later. */
function purposeOf({ run }: UndoTarget): PlanPurpose {
  return { operation: 'undo', reverts: run.id };
}

/** The target of an undo, and the steps that it needs in addition to the plan. */
interface UndoGoal {
  readonly target: UndoTarget;
  /** the configuration that was applied last */
  readonly latest: Configuration;
  /** addresses of imported objects that are forgotten instead of destroyed */
  readonly forgotten: ReadonlySet<string>;
  /** addresses whose former object was deposed, and becomes current again */
  readonly reinstated: ReadonlySet<string>;
  /** addresses whose former object was deposed, and waits for the result of an interrupted creation */
  readonly waiting: ReadonlySet<string>;
}

async function reviewUndo(
  { target, latest, forgotten, reinstated, waiting }: UndoGoal,
  plan: Plan,
  state: ReadState,
  allowLossy: readonly string[],
  show: ShowReport,
): Promise<readonly Diagnostic[]> {
  const actions = classifyUndo(plan, target, { forgotten, reinstated });
  const isAccepted = ({ address }: ClassifiedAction): boolean => allowLossy.includes(address);
  const lossy = actions.filter((each) => each.class === 'lossy' && !isAccepted(each));
  const harmful = actions.filter((each) => each.class === 'impossible' && each.action !== 'no-op');
  const refused = [...lossy, ...harmful];
  const conflicts = conflictsOf(target, plan, actions);
  const { id, started, who, command } = target.run;
  await show(plan, { run: { id, started, who, command }, actions, conflicts, refused });
  return [
    ...openOperations(plan, state),
    ...interruptedReplacements(plan, waiting),
    ...protectedObjects(plan, latest),
    ...(harmful.length === 0 ? [] : [impossibleError(harmful, id)]),
    ...(lossy.length === 0 ? [] : [lossyError(lossy, id)]),
    ...unknownAllowances(allowLossy, actions),
    ...formerSecrets(plan),
  ];
}

/** Returns the objects with actions that later runs changed, or that were changed outside of all runs. */
function conflictsOf(
  { later }: UndoTarget,
  plan: Plan,
  actions: readonly ClassifiedAction[],
): readonly UndoConflict[] {
  const changed = new Set(
    actions.filter(({ action }) => action !== 'no-op').map(({ address }) => address),
  );
  const conflicts: UndoConflict[] = [];
  for (const { run, addresses } of later)
    for (const address of addresses) if (changed.has(address)) conflicts.push({ address, run });
  for (const { addr, action } of plan.drift)
    if (action !== 'no-op' && changed.has(addr.text))
      conflicts.push({ address: addr.text, run: undefined });
  return conflicts;
}

/** Returns the addresses of interrupted creations whose results the plan determined. */
function settledCreations({ adopted }: Plan): ReadonlySet<string> {
  const settled = new Set<string>();
  const note = (event: StateEvent): void => {
    if (event.kind === 'batch') event.events.forEach(note);
    else if (event.kind === 'settled') settled.add(event.addr.text);
  };
  adopted.forEach(note);
  return settled;
}

/**
 * Returns an error for objects that a deposed one could replace, if the plan has just determined the result of the
 * interrupted creation: the plan would create a second object in place of one that still exists.
 */
function interruptedReplacements(plan: Plan, waiting: ReadonlySet<string>): readonly Diagnostic[] {
  const settled = settledCreations(plan);
  const known = [...waiting].filter((address) => settled.has(address));
  if (known.length === 0) return [];
  return [
    errorDiagnostic(
      'Interrupted replacement',
      `An interrupted run was to replace ${known.join(', ')}. The former objects still exist as deposed ones, and become current again once the state has the result of the creation. Record it, and repeat the undo:\n    ${programCommand('apply -refresh-only')}`,
    ),
  ];
}

/** Returns an error for operations whose results the plan could not determine. */
function openOperations(plan: Plan, { interrupted }: ReadState): readonly Diagnostic[] {
  const settled = settledCreations(plan);
  const open = interrupted.filter(isOpenCreate).filter(({ addr }) => !settled.has(addr.text));
  if (open.length === 0) return [];
  const names = open.map(({ addr }) => `\n  - ${addr.text}`).join('');
  return [
    errorDiagnostic(
      'Open operations',
      `An interrupted run left operations with unknown results, so an undo could miss objects:${names}\n\nSettle them first. To list them:\n    ${programCommand('state recover')}`,
    ),
  ];
}

/** Returns errors for objects whose present configuration prevents that they are destroyed. */
function protectedObjects(plan: Plan, latest: Configuration): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const { addr, action, deposed } of plan.changes) {
    if (deposed !== undefined || !DESTROYING.has(action)) continue;
    const { module, resource } = addr.resource;
    const declared: Resource | undefined = latest.modules
      .get(module.path.text)
      ?.resources.get(resource.text);
    if (declared?.preventDestroy !== true) continue;
    diagnostics.push(
      errorDiagnostic(
        'Instance cannot be destroyed',
        `Resource ${addr.text} has lifecycle.prevent_destroy set in the configuration that was applied last, but the undo would destroy it. Either apply without prevent_destroy first, or leave the object out of the undo with -exclude.`,
        undefined,
        { address: addr.text },
      ),
    );
  }
  return diagnostics;
}

const DESTROYING: ReadonlySet<string> = new Set([
  'delete',
  'delete-then-create',
  'create-then-delete',
]);

function impossibleError(harmful: readonly ClassifiedAction[], run: string): Diagnostic {
  const lines = harmful.map(({ address, reason = '' }) => `\n  - ${address}: ${reason}`).join('');
  const options = harmful.map(({ address }) => shellQuoted(`-exclude=${address}`)).join(' ');
  return errorDiagnostic(
    'Impossible actions',
    `These actions cannot restore the objects from before the run, and are harmful:${lines}\n\nThe plan was not saved or applied. To undo the rest:\n    ${programCommand(`undo ${options} ${run}`)}`,
  );
}

function lossyError(refused: readonly ClassifiedAction[], run: string): Diagnostic {
  const lines = refused.map(({ address, reason = '' }) => `\n  - ${address}: ${reason}`).join('');
  const options = [...new Set(refused.map(({ address }) => address))]
    .map((address) => shellQuoted(`-allow-lossy=${address}`))
    .join(' ');
  return errorDiagnostic(
    'Lossy actions',
    `These actions do not restore the objects from before the run:${lines}\n\nThe plan was not saved or applied. To accept them, name each one:\n    ${programCommand(`undo ${options} ${run}`)}\n\nTo leave objects as they are, use -exclude=ADDRESS.`,
  );
}

/** Quotes a word for a shell; keys of instances may contain quotes. */
function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns warnings for accepted addresses without a lossy action. */
function unknownAllowances(
  allowLossy: readonly string[],
  actions: readonly ClassifiedAction[],
): readonly Diagnostic[] {
  const lossy = new Set(
    actions.filter((each) => each.class === 'lossy').map(({ address }) => address),
  );
  return allowLossy
    .filter((address) => !lossy.has(address))
    .map((address) =>
      warningDiagnostic(
        'Unused option -allow-lossy',
        `The plan has no lossy action for ${address}.`,
      ),
    );
}

/** Returns a warning if an update restores former values of sensitive attributes. */
function formerSecrets(plan: Plan): readonly Diagnostic[] {
  const addresses = plan.changes
    .filter(({ action, before, after }) => {
      if (action !== 'update') return false;
      const marked = after.unmarkDeepWithPaths().paths.length > 0;
      return marked && before.hasMarkDeep('sensitive');
    })
    .map(({ addr }) => `\n  - ${addr.text}`);
  if (addresses.length === 0) return [];
  return [
    warningDiagnostic(
      'Former values of sensitive attributes',
      `Objects with sensitive attributes are changed back:${addresses.join('')}\n\nIf a secret was rotated because it became known, set the present value with -var, or change it again afterwards.`,
    ),
  ];
}
