import type { PolicyCheck, RemoteRun } from '@terrane/backends';
import { confirm } from './confirm.ts';
import { backoff, elapsedText, type RemoteContext, RemoteProblem, RULE } from './remote-context.ts';

const POLL_MS = { least: 1000, most: 3000 };
const NOTICE_MS = 30_000;

/** Shows the cost estimate of a plan when it is available. */
export async function showCosts(context: RemoteContext, run: RemoteRun): Promise<void> {
  const { server } = context;
  if (run.costEstimate === undefined) return;
  const title = context.isCloud ? 'Cost Estimation' : 'Cost estimation';
  const heading = context.isCloud ? `[bold]${title}:\n` : `${title}:\n`;
  const { clock } = context.project.host;
  const started = clock.monotonicMs();
  let lastReport = started;
  for (let turn = 0; ; turn++) {
    await context.pause(backoff(POLL_MS.least, POLL_MS.most, turn));
    const estimate = await context.ask(
      'Failed to retrieve cost estimate',
      server.costEstimate(run.costEstimate),
    );
    const { status } = estimate;
    // A finished run has no further results.
    if (status !== 'finished' && hasFailed(run)) return;
    if (turn === 0) context.line(`\n${RULE}\n`);
    switch (status) {
      case 'finished': {
        const change = signedCost(estimate.delta);
        context.line(heading);
        context.line(`Resources: ${estimate.matched} of ${estimate.resources} estimated`);
        context.line(`           $${estimate.proposed}/mo ${change}`);
        if (run.policyChecks.length === 0 && isContinued(context, run)) context.line(`\n${RULE}`);
        return;
      }
      case 'pending':
      case 'queued': {
        const now = clock.monotonicMs();
        if (turn > 0 && now - lastReport <= NOTICE_MS) continue;
        lastReport = now;
        const elapsed = turn === 0 ? '' : ` (${elapsedText(now - started, 30)} elapsed)`;
        context.line(heading);
        context.line(`Waiting for cost estimate to complete...${elapsed}\n`);
        continue;
      }
      case 'skipped_due_to_targeting':
        context.line(heading);
        context.line(
          'Not available for this plan, because it was created with the -target option.',
        );
        context.line(`\n${RULE}`);
        return;
      case 'errored':
        context.line(`${title} errored.\n`);
        context.line(`\n${RULE}`);
        return;
      case 'canceled':
        throw RemoteProblem.of(`${title} canceled.`);
      default:
        throw RemoteProblem.of(`Unknown or unexpected cost estimate state: ${status}`);
    }
  }
}

/** Formats a change of costs. @throws RemoteProblem for a text that is no number */
function signedCost(delta: string): string {
  const parsed = Number(delta);
  if (delta.trim() === '' || Number.isNaN(parsed)) {
    throw RemoteProblem.of(
      `Unexpected error: strconv.ParseFloat: parsing ${JSON.stringify(delta)}: invalid syntax`,
    );
  }
  return `${parsed < 0 ? '-' : '+'}$${delta.replace('-', '')}`;
}

/** Shows the results of policy checks, and prompts for an override of soft failures. */
export async function checkPolicies(context: RemoteContext, run: RemoteRun): Promise<void> {
  const { server } = context;
  if (run.policyChecks.length === 0) return;
  context.line(`\n${RULE}\n`);
  for (const [index, id] of run.policyChecks.entries()) {
    const log = await context.ask(
      'Failed to retrieve policy check logs',
      server.policyLog(id, context.pause),
    );
    const check = await context.ask('Failed to retrieve policy check', server.policyCheck(id));
    if (hasFailed(run) && ['pending', 'queued', 'unreachable'].includes(check.status)) continue;
    const name = nameOf(context, check);
    context.line(context.isCloud ? `[bold]${name}:\n` : `${name}:\n`);
    const lines = log.split('\n');
    if (lines.at(-1) === '') lines.pop();
    for (const line of lines) context.line(line.replace(/\r$/, ''));
    switch (check.status) {
      case 'passed':
        if (isContinued(context, run) || index < run.policyChecks.length - 1) {
          context.line(`\n${RULE}`);
        }
        break;
      case 'errored':
        throw RemoteProblem.of(`${name} errored.`);
      case 'hard_failed':
        throw RemoteProblem.of(`${name} hard failed.`);
      case 'soft_failed':
        await override(context, run, check, name);
        context.rule();
        break;
      default:
        throw RemoteProblem.of(`Unknown or unexpected policy state: ${check.status}`);
    }
  }
}

async function override(
  context: RemoteContext,
  run: RemoteRun,
  check: PolicyCheck,
  name: string,
): Promise<void> {
  const { server, request, ports } = context;
  const browser = context.isCloud ? 'the browser' : 'a browser';
  const runLink = `\nTo view this run in ${browser}, visit:\n${context.urlOf(run.id)}\n`;
  if (request.operation === 'plan' || !check.isOverridable || !check.mayOverride) {
    throw RemoteProblem.of(`${name} soft failed.\n${runLink}`);
  }
  const overridePolicies = async (): Promise<void> =>
    await context.ask(
      `Failed to override policy check.\n${runLink}`,
      server.override('policy-checks', check.id),
    );
  if (context.autoApprove) return await overridePolicies();
  if (context.isCloud && !ports.input) {
    throw RemoteProblem.of(
      'Cannot override soft failed policy checks when -input=false. Please open the run in the UI to override.',
    );
  }
  const question = {
    id: 'override',
    query: '\nDo you want to override the soft failed policy check?',
    description: "Only 'override' will be accepted to override.",
  };
  let confirmation: Awaited<ReturnType<typeof confirm>>;
  try {
    confirmation = await confirm(context, question, run, 'override');
  } catch (error) {
    if (!(error instanceof RemoteProblem)) throw error;
    throw RemoteProblem.of(`Failed to override: ${error.message}\n${runLink}\n`);
  }
  if (confirmation === 'here') return await overridePolicies();
  context.line(`The run needs to be manually overridden or discarded.\n`);
  context.header(run.id);
}

function nameOf({ isCloud }: RemoteContext, { scope }: PolicyCheck): string {
  const words = isCloud ? 'Policy Check' : 'policy check';
  if (scope === 'organization') return `Organization ${words}`;
  return scope === 'workspace' ? `Workspace ${words}` : `Unknown policy check (${scope})`;
}

function hasFailed({ status }: RemoteRun): boolean {
  return status === 'canceled' || status === 'errored';
}

function isContinued({ request }: RemoteContext, run: RemoteRun): boolean {
  return run.hasChanges && request.operation === 'apply';
}
