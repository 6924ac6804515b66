import type { RemoteRun } from '@terrane/backends';
import {
  colorize,
  isNewerPlan,
  logRecord,
  logText,
  planText,
  readGenerated,
  readRemotePlan,
  wordWrap,
} from '@terrane/render';
import { hasErrors } from '@terrane/hcl';
import { type GeneratedPart, writeGeneratedParts } from '../generated-config.ts';
import { type RemoteContext, RemoteProblem } from './remote-context.ts';

/** Log messages that the rendered plan replaces. */
const RENDERED_IN_PLAN: ReadonlySet<string> = new Set([
  'outputs',
  'change_summary',
  'planned_change',
]);
/** The log of an apply starts with the same lines as that of the plan. */
const REPEATED_LINES = 3;

/** Follows the log of a run's plan, then renders the plan if the log is structured. */
export async function showPlanLog(context: RemoteContext, run: RemoteRun): Promise<void> {
  const { server, request } = context;
  const log = server.log('plans', run.plan ?? '', context.pause);
  if (!context.isCloud) {
    for await (const line of linesOf(context, log)) context.line(line);
    return;
  }
  for await (const line of log) showLine(context, line, RENDERED_IN_PLAN);
  const ended = await server.run(run.id, 'workspace', 'plan');
  const { planned, workspace } = ended;
  const generatedPath =
    (planned?.status === 'errored' || planned?.status === 'finished') && planned.hasGenerated
      ? request.generateConfigOut
      : undefined;
  const isShown = !['errored', 'canceled', 'discarded'].includes(ended.status);
  const isStructured = workspace?.isStructured === true && canStructure(context);
  if (generatedPath === undefined && !(isShown && isStructured)) return;
  const json = await context.ask(
    'Failed to read JSON plan',
    server.planJson(ended.plan ?? '', true),
  );
  if (generatedPath !== undefined) await writeGeneratedOf(context, json, generatedPath);
  if (isShown && isStructured) await showPlan(context, json);
}

/** Follows the log of a run's apply. */
export async function showApplyLog(context: RemoteContext, run: RemoteRun): Promise<void> {
  const log = context.server.log('applies', run.apply ?? '', context.pause);
  let skipped = 0;
  for await (const line of linesOf(context, log)) {
    if (skipped++ < REPEATED_LINES) continue;
    if (context.isCloud) showLine(context, line);
    else context.line(line);
  }
}

/** Reads a log; failures have Terraform's messages. */
async function* linesOf(
  context: RemoteContext,
  log: AsyncGenerator<string>,
): AsyncGenerator<string> {
  if (context.isCloud) return yield* log;
  for (;;) {
    const next = await context.ask('Failed to retrieve logs', log.next());
    if (next.done === true) return;
    yield next.value;
  }
}

function showLine(
  context: RemoteContext,
  line: string,
  hiddenTypes: ReadonlySet<string> = new Set(),
): void {
  const { ports } = context;
  const record = logRecord(line);
  if (record === undefined) context.plain(line);
  else if (ports.record !== undefined) ports.record(line);
  else if (!hiddenTypes.has(record.type)) ports.print(logText(record, ports.style));
}

async function showPlan({ ports, ask, request }: RemoteContext, json: string): Promise<void> {
  // With -json, showLine has passed on the complete plan.
  if (ports.record !== undefined) return;
  const text = await ask(
    'Failed to decode JSON plan',
    Promise.resolve().then(() =>
      remotePlanText(json, { mode: request.mode, errored: false }, ports.style),
    ),
  );
  ports.print(text);
}

/** Renders a server's JSON plan as text. Throws if it cannot be parsed. */
export function remotePlanText(
  json: string,
  options: Parameters<typeof readRemotePlan>[1],
  style: RemoteContext['ports']['style'],
): string {
  const text = planText(readRemotePlan(json, options), style);
  return isNewerPlan(json)
    ? `${wordWrap(colorize(NEWER, style.color), style.width)}\n${text}`
    : text;
}

const NEWER =
  '\n[bold][red]Warning:[reset][bold] This plan was generated using a different version of Terraform, the diff presented here may be missing representations of recent features.';

/** Returns true if the server supports structured plan output. */
function canStructure({ server }: RemoteContext): boolean {
  if (server.appName !== 'Terraform Enterprise') return true;
  const match = /^v(\d+)-/.exec(server.release ?? '');
  return match !== null && Number(match[1]) >= 202302;
}

async function writeGeneratedOf(context: RemoteContext, json: string, path: string): Promise<void> {
  const parts: readonly GeneratedPart[] = readGenerated(json);
  const { diagnostics } = await writeGeneratedParts(context.project, parts, path);
  if (hasErrors(diagnostics)) throw new RemoteProblem(diagnostics);
}
