import type { ActionInstanceAddr } from '@terrane/addresses';
import type { Value } from '@terrane/cty';
import { withoutEphemeral } from '@terrane/functions';
import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import type { KnownAction } from '../objects/known-action.ts';
import type { ActionBlock } from '../config/model.ts';
import { resolveProvider } from '../config/resolve-provider.ts';
import { actionDiagnostics, actionWhereabouts } from '../session/action-diagnostics.ts';
import type { InvocationTrigger, PlannedInvocation } from '../objects/change.ts';
import { ephemeralProblems } from './ephemeral.ts';
import type { PlanRun } from './run.ts';

/** An invocation before the provider has planned it. */
export interface WantedInvocation {
  readonly addr: ActionInstanceAddr;
  readonly known: KnownAction;
  readonly trigger: InvocationTrigger;
  readonly config: Value;
  /** the resource instance that is the caller, in messages */
  readonly callerText: string | undefined;
}

/**
 * Requests the provider's plan of an invocation. Undefined after errors; `deferred` if the provider defers the
 * triggering change, where it may.
 */
export async function planInvocation(
  run: Pick<PlanRun, 'evaluation' | 'sessions' | 'capabilities'>,
  { addr, known, trigger, config, callerText }: WantedInvocation,
  diagnostics: Diagnostic[],
): Promise<PlannedInvocation | 'deferred' | undefined> {
  const { module, action, schema } = known;
  const problems = ephemeralProblems(
    config,
    schema.block,
    action.config ?? action.block,
    addr.text,
  );
  diagnostics.push(...problems);
  if (problems.length > 0) return undefined;
  const { configuration } = run.evaluation.program;
  const providerAddr = resolveProvider(configuration, module, action.providerLocal);
  const opened = await run.sessions.open(providerAddr);
  diagnostics.push(...opened.diagnostics);
  const { provider } = opened;
  if (provider === undefined) return undefined;
  const response = await provider.planAction({
    type: addr.action.type,
    config: config.unmarkDeep().value,
    capabilities: run.capabilities,
    address: addr.text,
  });
  const where = actionWhereabouts(action, module.path, callerText);
  const planProblems = actionDiagnostics(response.diagnostics, where);
  diagnostics.push(...planProblems);
  if (response.deferred !== undefined) {
    if (trigger.kind === 'lifecycle' && run.evaluation.deferring) return 'deferred';
    diagnostics.push(deferredAction(addr, trigger, action));
    return undefined;
  }
  if (hasErrors(planProblems)) return undefined;
  return { addr, provider: providerAddr, trigger, config: withoutEphemeral(config) };
}

function deferredAction(
  addr: ActionInstanceAddr,
  trigger: InvocationTrigger,
  action: ActionBlock,
): Diagnostic {
  if (trigger.kind === 'invoke') {
    return errorDiagnostic(
      'Provider deferred an action',
      `The provider for ${addr.text} ordered the action deferred. This likely means you are executing the action against a configuration that hasn't been completely applied.`,
      action.range,
    );
  }
  return errorDiagnostic(
    'Provider deferred changes when Terraform did not allow deferrals',
    `The provider signaled a deferred action for "${addr.text}", but in this context deferrals are disabled. This is a bug in the provider, please file an issue with the provider developers.`,
  );
}
