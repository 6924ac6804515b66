import { programCommand } from '@terrane/host';
import type { Plan } from '@terrane/engine';
import { hasErrors } from '@terrane/hcl';
import {
  apply,
  plan,
  type Project,
  requestFor,
  selectedWorkspace,
  show,
  SILENT,
} from '@terrane/ops';
import type { AgentRules } from '../agent-rules.ts';
import { policyPorts } from '../policies.ts';
import { planningRequest } from '../planning-request.ts';
import { countsOf, type PlanStore } from '../plan-store.ts';
import { failure, page, plainProblems } from '../result.ts';
import type { AgentIdentity, Tickets } from '../tickets.ts';
import { argumentsOf, PAGE, PLANNING, textOf, type Tool } from '../tool.ts';

/** Tools with which an agent proposes changes, and applies those that the rules of the project permit. */
export function proposalTools(
  project: Project,
  plans: PlanStore,
  tickets: Tickets,
  rules: () => Promise<AgentRules>,
  agent: () => AgentIdentity,
): readonly Tool[] {
  return [
    {
      name: 'propose_apply',
      title: 'Propose a change',
      description: `Plans, stores the plan and returns a ticket. A person reviews and applies it with "${programCommand('mcp approve TICKET')}". If rules of the project permit every action, the tool apply_ticket can apply it.`,
      schema: argumentsOf(
        {
          ...PLANNING,
          reason: textOf('why the change is proposed, for the person who reviews it'),
          ...PAGE,
        },
        ['reason'],
      ),
      isReadOnly: true,
      run: async (args, signal) => {
        const { request, problems } = planningRequest(args);
        if (problems.length > 0) return failure('Invalid arguments.', problems);
        const { clock, random } = project.host;
        const policies = await policyPorts(project, signal);
        if (hasErrors(policies.diagnostics)) return failure(NO_POLICIES, policies.diagnostics);
        const path = await tickets.newPlanPath(random.uuid());
        const ports = { ...SILENT, ...policies.ports, ...(signal !== undefined && { signal }) };
        const { result, diagnostics } = await plan(project, request, ports, path);
        if (result === undefined || hasErrors(diagnostics)) {
          await project.host.files.remove(path);
          return failure('No plan could be created.', diagnostics);
        }
        if (!result.plan.applyable) {
          await project.host.files.remove(path);
          return { data: { proposed: false, message: 'There is nothing to change.' } };
        }
        const { id: planId, items } = plans.add(result.plan);
        const ticket = await tickets.create(path, {
          agent: agent(),
          reason: args.text('reason') ?? '',
          created: clock.now().toISOString(),
          workspace: (await selectedWorkspace(project)).name,
          counts: countsOf(items),
        });
        const refused = (await rules()).notPermitted(result.plan.changes);
        return {
          data: {
            ticket: ticket.id,
            digest: ticket.digest,
            plan_id: planId,
            counts: ticket.counts,
            permitted: refused.length === 0,
            needs_approval: page(
              refused.map(({ addr, action }) => ({ address: addr.text, action })),
              {},
            ),
            next:
              refused.length === 0
                ? 'Rules of the project permit this change: call apply_ticket.'
                : `A person must run: ${programCommand(`mcp approve ${ticket.id}`)}`,
            diagnostics: plainProblems(diagnostics),
          },
        };
      },
    },
    {
      name: 'ticket_status',
      title: 'Show a proposed change',
      description: 'Shows whether a proposed change was applied or rejected.',
      schema: argumentsOf({ ticket: textOf('ticket that propose_apply returned') }, ['ticket']),
      isReadOnly: true,
      run: async (args) => {
        const ticket = await tickets.read(args.text('ticket') ?? '');
        return ticket === undefined ? failure(NO_TICKET) : { data: ticket };
      },
    },
    {
      name: 'apply_ticket',
      title: 'Apply a permitted change',
      description:
        'Applies a proposed change if rules of the project permit each of its actions. Otherwise a person has to approve it.',
      schema: argumentsOf({ ticket: textOf('ticket that propose_apply returned') }, ['ticket']),
      isReadOnly: false,
      run: async (args, signal) => {
        const ticket = await tickets.read(args.text('ticket') ?? '');
        if (ticket === undefined) return failure(NO_TICKET);
        const problem = await tickets.problemOf(ticket);
        if (problem !== undefined) return failure(problem);
        const permitted = await rules();
        const { shown, diagnostics: readDiagnostics } = await show(
          project,
          tickets.planPath(ticket.id),
        );
        if (shown?.kind !== 'plan') return failure('The plan could not be read.', readDiagnostics);
        const refusal = refusalOf(shown.plan, permitted, ticket.id);
        if (refusal !== undefined) return failure(refusal);
        const policies = await policyPorts(project, signal);
        if (hasErrors(policies.diagnostics)) return failure(NO_POLICIES, policies.diagnostics);
        const ports = { ...SILENT, ...policies.ports, ...(signal !== undefined && { signal }) };
        const outcome = await apply(
          project,
          requestFor({ planPath: tickets.planPath(ticket.id), autoApprove: false }),
          {
            ...ports,
            // The plan is checked again at the apply, because the file may have been replaced since it was read.
            showSavedPlan: (applied) => {
              if (refusalOf(applied, permitted, ticket.id) !== undefined)
                throw new Error('the plan of the ticket was replaced while it was applied');
            },
            showPlan: () => undefined,
            showDiagnostics: () => undefined,
          },
        );
        const hasFailed = outcome.result === undefined || hasErrors(outcome.diagnostics);
        await tickets.close(ticket, hasFailed ? 'failed' : 'applied');
        return {
          data: { applied: !hasFailed, diagnostics: plainProblems(outcome.diagnostics) },
          isError: hasFailed,
        };
      },
    },
  ];
}

/** Returns why rules do not permit a plan; undefined if they do. */
function refusalOf(
  { changes, invocations }: Plan,
  rules: AgentRules,
  ticket: string,
): string | undefined {
  const refused = rules.notPermitted(changes);
  if (refused.length === 0 && invocations.length === 0) return undefined;
  const actions = refused.slice(0, 10).map(({ addr, action }) => `${action} ${addr.text}`);
  const unpermitted = actions.length === 0 ? 'the invocation of actions' : actions.join(', ');
  return `No rule permits ${unpermitted}. A person must run: ${programCommand(`mcp approve ${ticket}`)}`;
}

const NO_POLICIES = 'The policies of the CLI configuration could not be read.';
const NO_TICKET = 'There is no such ticket. The tool propose_apply creates tickets.';
