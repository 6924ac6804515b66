import {
  AbsResource,
  ActionInstanceAddr,
  type ActionTarget,
  type InstanceAddr,
  type TargetAddr,
  targetContains,
} from '@terrane/addresses';
import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import { callersOf, referencesOfAction } from '../config/action-needs.ts';
import { actionConfig } from '../evaluate/action-config.ts';
import type { ProgramNode } from '../evaluate/node.ts';
import type { Program } from '../evaluate/program.ts';
import { keysOf } from '../evaluate/repetition.ts';
import { type KnownAction, knownAction } from '../objects/known-action.ts';
import { planInvocation } from './invocation.ts';
import type { PlanRun } from './run.ts';

/** Returns the nodes of an action invocation: the action, and its triggering resources if it refers to its caller. */
export function invocationNodes(
  program: Program,
  target: ActionTarget | undefined,
): readonly ProgramNode[] {
  if (target === undefined) return [];
  const module = program.configuration.modules.get(target.module.path.text);
  const node = module === undefined ? undefined : program.find(module, target.action.text);
  if (module === undefined || node?.kind !== 'action') return [];
  const callers = [...usedCallers(program, { module, action: node.action })];
  return [node, ...callers.flatMap((text) => program.find(module, text) ?? [])];
}

/** An error if the configuration does not declare the action to invoke. */
export function undeclaredInvoke(
  { configuration }: Program,
  target: ActionTarget | undefined,
): readonly Diagnostic[] {
  if (target === undefined) return [];
  const module = configuration.modules.get(target.module.path.text);
  return module?.actions.has(target.action.text) === true ? [] : [invokeNotFound(target)];
}

function invokeNotFound(target: ActionTarget): Diagnostic {
  return errorDiagnostic(`invoke target ${target.text} not found`, '');
}

/** Returns the resources that an action refers to as its caller. */
function usedCallers(
  { schemas }: Pick<Program, 'schemas'>,
  { module, action }: Pick<KnownAction, 'module' | 'action'>,
): ReadonlySet<string> {
  const asks = referencesOfAction(action, schemas).some(({ subject }) => subject.kind === 'caller');
  return asks ? callersOf(module, action) : new Set();
}

/** Plans the invocation of an action that the user requested, with stored values. */
export async function planInvoke(
  run: PlanRun,
  target: ActionTarget,
  targets: readonly TargetAddr[],
): Promise<readonly Diagnostic[]> {
  const { program } = run.evaluation;
  const module = program.configuration.modules.get(target.module.path.text);
  const known = module === undefined ? undefined : knownAction(run, module, target.action.text);
  const cells = run.evaluation.find(target.module);
  const expansion = cells?.actions.get(target.action.text);
  if (known === undefined || expansion === undefined) {
    return [invokeNotFound(target)];
  }
  const keys = keysOf(expansion);
  if (target.key !== undefined && !keys.includes(target.key)) {
    return [errorDiagnostic(`invoked target ${target.text} not found`, '')];
  }
  const diagnostics: Diagnostic[] = [];
  const callers = callersIn(run, target, known, targets, diagnostics);
  if (hasErrors(diagnostics)) return diagnostics;
  for (const caller of callers) {
    for (const key of target.key === undefined ? keys : [target.key]) {
      const addr = new ActionInstanceAddr(target.module, target.action, key);
      await planOne(run, addr, known, caller, diagnostics);
    }
  }
  return diagnostics;
}

/** Returns the calling instances; `undefined` represents no caller, if the action does not use it. */
function callersIn(
  run: PlanRun,
  target: ActionTarget,
  known: KnownAction,
  targets: readonly TargetAddr[],
  diagnostics: Diagnostic[],
): readonly (InstanceAddr | undefined)[] {
  const callingResources = usedCallers(run.evaluation.program, known);
  if (callingResources.size === 0) return [undefined];
  const callers: InstanceAddr[] = [];
  for (const text of callingResources) {
    const resource = known.module.resources.get(text);
    if (resource === undefined) continue;
    const abs = AbsResource.of(target.module, resource.addr);
    const cell = run.evaluation.find(target.module)?.resources.get(text);
    const existing = [...(cell?.values.keys() ?? [])].map((key) => abs.instance(key));
    if (existing.length === 0) {
      diagnostics.push(
        errorDiagnostic(
          'Partially applied configuration',
          `Caller ${abs.config.text} not found for action ${target.text}. The resource instance calling the action has not yet been created. Please run a complete plan/apply cycle to ensure the state matches the configuration before using the -invoke argument.`,
        ),
      );
    }
    const isTargeted = (addr: InstanceAddr): boolean =>
      targets.length === 0 || targets.some((target) => targetContains(target, addr));
    callers.push(...existing.filter(isTargeted));
  }
  return callers;
}

async function planOne(
  run: PlanRun,
  addr: ActionInstanceAddr,
  known: KnownAction,
  caller: InstanceAddr | undefined,
  diagnostics: Diagnostic[],
): Promise<void> {
  const cell = run.evaluation
    .find(addr.module)
    ?.resources.get(caller?.resource.resource.text ?? '');
  const self = caller === undefined ? undefined : cell?.values.get(caller.key);
  const config = await actionConfig(run.evaluation, addr, known, self, undefined, diagnostics);
  if (config === undefined) return;
  if (!config.isWhollyKnown()) {
    diagnostics.push(
      errorDiagnostic(
        'Partially applied configuration',
        `The action ${addr.text} contains unknown values while planning. This means it is referencing resources that have not yet been created, please run a complete plan/apply cycle to ensure the state matches the configuration before using the -invoke argument.`,
        known.action.range,
      ),
    );
    return;
  }
  const trigger = { kind: 'invoke', ...(caller === undefined ? {} : { caller }) } as const;
  const invocation = { addr, known, trigger, config, callerText: undefined };
  const planned = await planInvocation(run, invocation, diagnostics);
  if (planned !== undefined && planned !== 'deferred') run.invocations.push(planned);
}
