import { driftJson, findDrift } from '@terrane/drift';
import { hasErrors } from '@terrane/hcl';
import { explainPlan, plan, type Project, SILENT } from '@terrane/ops';
import { explanationJson } from '@terrane/render';
import { planningRequest } from '../planning-request.ts';
import { countsOf, type PlannedItem, type PlanStore, recordOf } from '../plan-store.ts';
import { failure, page, plainProblems, type ToolOutcome } from '../result.ts';
import { stateSecrets } from '../state-secrets.ts';
import { argumentsOf, PAGE, PLANNING, textOf, type Tool, type ToolArguments } from '../tool.ts';

/** Tools that plan, and explain the planned actions. */
export function planningTools(project: Project, plans: PlanStore): readonly Tool[] {
  return [
    {
      name: 'plan',
      title: 'Plan changes',
      description:
        'Plans what would change. Returns a plan id, counts by action and the first changes without their values. Nothing is changed and the state is not locked. Ask plan_changes for more.',
      schema: argumentsOf({ ...PLANNING, ...PAGE }),
      isReadOnly: true,
      run: async (args, signal) => {
        const { request, problems } = planningRequest(args);
        if (problems.length > 0) return failure('Invalid arguments.', problems);
        const ports = signal === undefined ? SILENT : { ...SILENT, signal };
        const { result, diagnostics } = await plan(project, request, ports);
        if (result === undefined) return failure('No plan could be created.', diagnostics);
        const { id, items } = plans.add(result.plan);
        const { applyable, complete, errored, drift } = result.plan;
        return {
          data: {
            plan_id: id,
            applyable,
            complete,
            counts: countsOf(items),
            changed_outside: drift.filter(({ action }) => action !== 'no-op').length,
            changes: page(items.map(headOf), args.page),
            diagnostics: plainProblems(diagnostics),
          },
          isError: errored,
        };
      },
    },
    {
      name: 'plan_changes',
      title: 'Show planned changes',
      description:
        'Shows changes of a plan with their values. Sensitive values are replaced by "(sensitive value)".',
      schema: argumentsOf(
        {
          plan_id: textOf('id that the tool plan returned'),
          address: textOf('only the object with this address'),
          outputs: { type: 'boolean', description: 'changes of outputs instead of objects' },
          ...PAGE,
        },
        ['plan_id'],
      ),
      isReadOnly: true,
      run: (args) => Promise.resolve(changesOf(args, plans)),
    },
    {
      name: 'explain',
      title: 'Explain a planned action',
      description:
        'Explains why something is planned or not, down to the line, variable or change outside that causes it.',
      schema: argumentsOf(
        {
          address: textOf('resource instance, resource, module, attribute, output.NAME or action'),
          plan_id: textOf('id that the tool plan returned'),
        },
        ['address', 'plan_id'],
      ),
      isReadOnly: true,
      run: async (args) => {
        const stored = plans.get(args.text('plan_id') ?? '');
        if (stored === undefined) return failure(NO_PLAN);
        const address = args.text('address') ?? '';
        const { result, diagnostics } = await explainPlan(project, stored.plan, address);
        if (result === undefined || hasErrors(diagnostics))
          return failure('There is no explanation.', diagnostics);
        const explanations: unknown[] = result.map((each) => JSON.parse(explanationJson(each)));
        const shown = page(explanations, args.page);
        return { data: { explanations: stored.secrets.removedFrom(shown) } };
      },
    },
    {
      name: 'drift',
      title: 'Find drift',
      description:
        'Reports objects that were changed outside, with severity and what a plan would do. Reads only.',
      schema: argumentsOf({
        level: {
          enum: ['vanished', 'configured', 'referenced', 'noise'],
          description: 'lowest level that counts; default: referenced',
        },
        targets: PLANNING['targets'] ?? {},
        ...PAGE,
      }),
      isReadOnly: true,
      run: async (args, signal) => {
        const { request, problems } = planningRequest(args);
        if (problems.length > 0) return failure('Invalid arguments.', problems);
        const ports = signal === undefined ? SILENT : { ...SILENT, signal };
        const level = args.text('level');
        const { result, diagnostics } = await findDrift(
          project,
          {
            ...request,
            ...(level === 'vanished' || level === 'configured' || level === 'noise'
              ? { threshold: level }
              : {}),
          },
          ports,
        );
        if (result === undefined) return failure('Drift could not be determined.', diagnostics);
        const { entries, ...rest } = recordOf(JSON.parse(driftJson(result)));
        const list: readonly unknown[] = Array.isArray(entries) ? entries : [];
        const secrets = await stateSecrets(project);
        return {
          data: {
            ...rest,
            entries: secrets.removedFrom(page(list, args.page)),
            problems: plainProblems(diagnostics),
          },
          isError: hasErrors(diagnostics),
        };
      },
    },
  ];
}

const NO_PLAN =
  'There is no plan with this id. Plans are kept until four newer ones exist; call the tool plan again.';

function headOf({ address, actions, reason }: PlannedItem): Omit<PlannedItem, 'before' | 'after'> {
  return { address, actions, ...(reason === undefined ? {} : { reason }) };
}

function changesOf(args: ToolArguments, plans: PlanStore): ToolOutcome {
  const stored = plans.get(args.text('plan_id') ?? '');
  if (stored === undefined) return failure(NO_PLAN);
  if (args.flag('outputs')) return { data: { outputs: stored.outputs } };
  const address = args.text('address');
  const items = stored.items.filter((each) => address === undefined || each.address === address);
  return { data: { changes: page(items, args.page) } };
}
