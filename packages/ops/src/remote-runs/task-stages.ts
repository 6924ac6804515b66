import type { PolicyEvaluation, RemoteRun, TaskResult, TaskStage } from '@terrane/backends';
import { confirm } from './confirm.ts';
import { backoff, elapsedText, type RemoteContext, RemoteProblem, RULE } from './remote-context.ts';

const POLL_MS = { least: 4000, most: 12_000 };
const RESULT_WIDTH = 50;
const EVALUATION_RULE = '--------------------------------\n';

/** Statuses of policy evaluations without a result. */
const PENDING: ReadonlySet<string> = new Set(['running', 'pending', 'queued']);

/** Final statuses of stages. */
const ENDED: ReadonlySet<string> = new Set(['passed', 'failed', 'canceled', 'errored']);

/** Returns the task stages of a run by their position (`post_plan`). Older servers have none. */
export async function taskStagesOf(
  context: RemoteContext,
  run: RemoteRun,
): Promise<ReadonlyMap<string, string>> {
  const asking = async (): Promise<ReadonlyMap<string, string>> => {
    try {
      return (await context.server.run(run.id, 'task_stages')).taskStages;
    } catch (error) {
      const isOld = error instanceof Error && error.message.endsWith('Invalid include parameter');
      if (isOld) return new Map();
      throw error;
    }
  };
  return await context.ask('Failed to retrieve run', asking());
}

/** Waits for a stage of a run, and shows its results; `remote` only waits. */
export async function waitForStage(
  context: RemoteContext,
  run: RemoteRun,
  stages: ReadonlyMap<string, string>,
  name: 'pre_plan' | 'post_plan' | 'pre_apply',
): Promise<void> {
  const id = stages.get(name);
  if (id === undefined) return;
  if (context.isCloud) await new StageView(context, run, name).show(id);
  else await waitSilently(context, id);
}

async function waitSilently(context: RemoteContext, id: string): Promise<void> {
  for (let turn = 0; ; turn++) {
    await context.pause(backoff(POLL_MS.least, POLL_MS.most, turn));
    const { status } = await readStage(context, id);
    switch (status) {
      case 'pending':
      case 'running':
        continue;
      case 'passed':
      case 'unreachable':
        return;
      case 'canceled':
      case 'errored':
      case 'failed':
        throw RemoteProblem.of(`Task Stage '${id}': ${status}.`);
      case 'awaiting_override':
        throw RemoteProblem.of(`Task Stage '${id}' awaiting override.`);
      default:
        throw RemoteProblem.of(`Task stage '${id}' has invalid status: ${status}`);
    }
  }
}

async function readStage(context: RemoteContext, id: string): Promise<TaskStage> {
  return await context.ask('Failed to retrieve task stage', context.server.taskStage(id));
}

const TITLES = {
  pre_plan: 'Pre-plan Tasks',
  post_plan: 'Post-plan Tasks',
  pre_apply: 'Pre-apply Tasks',
} as const;

/** Displays a part of a stage; returns its progress text while it is running, otherwise undefined. */
type Part = (stage: TaskStage) => Promise<string | undefined>;

class StageView {
  readonly #context: RemoteContext;
  readonly #run: RemoteRun;
  readonly #started: number;

  constructor(context: RemoteContext, run: RemoteRun, name: keyof typeof TITLES) {
    this.#context = context;
    this.#run = run;
    this.#started = context.project.host.clock.monotonicMs();
    context.line(`\n[bold]${TITLES[name]}:\n`);
  }

  async show(id: string): Promise<void> {
    const context = this.#context;
    const first = await readStage(context, id);
    const parts: Part[] = [];
    if (first.results.length > 0) parts.push(this.#resultsPart());
    if (first.evaluations.length > 0) parts.push(this.#evaluationsPart());
    for (let turn = 0; ; turn++) {
      await context.pause(backoff(POLL_MS.least, POLL_MS.most, turn));
      const stage = await readStage(context, id);
      const { status } = stage;
      switch (status) {
        case 'pending':
          continue;
        case 'running':
          await this.#isOpen(parts, stage);
          continue;
        case 'passed':
          if (!(await this.#isOpen(parts, stage))) return;
          context.rule();
          continue;
        case 'canceled':
        case 'errored':
        case 'failed':
          if (!(await this.#isOpen(parts, stage))) {
            throw RemoteProblem.of(`Task Stage ${status}.`);
          }
          context.rule();
          continue;
        case 'awaiting_override':
          if (await this.#isOpen(parts, stage)) continue;
          if (await this.#override(stage)) {
            context.rule();
            continue;
          }
          context.rule();
          return;
        case 'unreachable':
          return;
        default:
          throw RemoteProblem.of(`Invalid Task stage status: ${status} `);
      }
    }
  }

  /** Shows new results; returns true if a part is still running. */
  async #isOpen(parts: readonly Part[], stage: TaskStage): Promise<boolean> {
    for (const part of parts) {
      const progress = await part(stage);
      if (progress === undefined) continue;
      this.#elapsed(progress, progress.length);
      return true;
    }
    return false;
  }

  #elapsed(text: string, width: number): void {
    const { clock } = this.#context.project.host;
    const elapsed = elapsedText(clock.monotonicMs() - this.#started, 1);
    this.#context.line(`${text.padEnd(width)}[dim](${elapsed} elapsed)`);
  }

  #end(): void {
    this.#context.line(`\n${RULE}\n`);
  }

  #resultsPart(): Part {
    let isShown = false;
    return (stage) => {
      const { results } = stage;
      if (isShown) return Promise.resolve(undefined);
      if (results.some(({ status }) => status === 'unreachable')) {
        this.#context.line('Skipping task results.');
        this.#end();
        return Promise.resolve(undefined);
      }
      const isPending = ({ status }: TaskResult): boolean =>
        status === 'running' || status === 'pending';
      const pending = results.filter(isPending).length;
      const passed = results.filter(({ status }) => status === 'passed').length;
      const failed = results.length - pending - passed;
      if (pending > 0) {
        return Promise.resolve(
          `${pending} tasks still pending, ${passed} passed, ${failed} failed ... `,
        );
      }
      this.#elapsed(`All tasks completed! ${passed} passed, ${failed} failed`, RESULT_WIDTH);
      this.#context.line();
      this.#results(results, failed);
      isShown = true;
      return Promise.resolve(undefined);
    };
  }

  #results(results: readonly TaskResult[], failed: number): void {
    const context = this.#context;
    const sub = (text: string): void => context.line(`[reset]│ ${text}`);
    const mandatory = results.filter(
      ({ status, level }) => status !== 'passed' && level === 'mandatory',
    );
    for (const { name, status, level, message, url } of results) {
      const displayResult =
        status === 'passed'
          ? `[green]${capital(status)}`
          : `[red]${capital(status)} (${capital(level)})`;
      sub(`${name} ⸺   ${displayResult}`);
      if (message !== '') sub(`[dim]${message}`);
      if (url !== '') sub(`[dim]Details: ${url}`);
      sub('');
    }
    let overall = failed > 0 ? '[green]Passed with advisory failures' : '[green]Passed';
    const [first] = mandatory;
    if (first !== undefined) {
      overall = '[red]Failed';
      context.line(
        mandatory.length > 1
          ? `[reset][bold][red]Error:[reset][bold]the run failed because ${mandatory.length} mandatory tasks are required to succeed`
          : `[reset][bold][red]Error: [reset][bold]the run failed because the run task, ${first.name}, is required to succeed`,
      );
    }
    sub('');
    sub(`[bold]Overall Result: ${overall}`);
    this.#end();
  }

  #evaluationsPart(): Part {
    let [isBegun, isShown] = [false, false];
    return async ({ status: stageStatus, evaluations }) => {
      const context = this.#context;
      if (!isBegun) {
        context.line(`${RULE}\n`);
        context.line('[bold]Policy Evaluations\n');
        isBegun = true;
      }
      if (isShown) return undefined;
      const unreachable = evaluations.findIndex(({ status }) => status === 'unreachable');
      if (unreachable >= 0) {
        context.line('Skipping policy evaluation.');
        this.#end();
        return undefined;
      }
      const pending = evaluations.filter(({ status }) => PENDING.has(status));
      if (pending.length > 0 && !ENDED.has(stageStatus)) return 'Evaluating ... ';
      isShown = true;
      // The server ignores pending results after the end of the stage.
      if (pending.length > 0 && pending.length === evaluations.length) {
        context.line('Skipping policy evaluation.');
        this.#end();
        return undefined;
      }
      for (const evaluation of evaluations) await this.#evaluation(evaluation, stageStatus);
      if (pending.length > 0) {
        context.line(
          `Skipping ${pending.length} pending policy evaluation(s) because task stage is ${stageStatus}.`,
        );
        this.#end();
      }
      return undefined;
    };
  }

  async #evaluation(evaluation: PolicyEvaluation, stageStatus: string): Promise<void> {
    const { id, isOpa, total } = evaluation;
    const context = this.#context;
    const kind = isOpa ? 'OPA' : 'Sentinel';
    const { result, meaning } = evaluationResult(evaluation, kind, stageStatus);
    context.line(EVALUATION_RULE);
    context.line(`[bold]${kind} Policy Evaluation\n`);
    context.line(`[bold]→→ Overall Result: ${result}`);
    context.line(`[dim] ${meaning}`);
    context.line(`${total} policies evaluated\n`);
    const sets = await context.ask(
      'Failed to retrieve policy set outcomes',
      context.server.policySetOutcomes(id),
    );
    for (const [index, { name, outcomes }] of sets.entries()) {
      context.line(`→ Policy set ${index + 1}: [bold]${name} (${outcomes.length})`);
      for (const outcome of outcomes) {
        context.line(`  ↳ Policy name: [bold]${outcome.name}`);
        if (outcome.status === 'passed') context.line('     | [green][bold]✓ Passed');
        else if (outcome.status === 'failed') {
          context.line(
            outcome.isAdvisory ? '     | [blue][bold]Ⓘ Advisory' : '     | [red][bold]× Failed',
          );
        }
        const description =
          outcome.description === '' ? 'No description available' : outcome.description;
        context.line(`     | [dim]${description}`);
      }
    }
  }

  /** Prompts for an override of failed policies; returns true if the stage must be read again. */
  async #override(stage: TaskStage): Promise<boolean> {
    const context = this.#context;
    context.line(EVALUATION_RULE);
    context.line('→→ [bold]Override');
    const runLink = `\nTo view this run in a browser, visit:\n${context.urlOf(this.#run.id)}\n`;
    const question = {
      id: '→→ [bold]Override',
      query: '\nDo you want to override the failed policies?',
      description: "Only 'override' will be accepted to override.",
    };
    let confirmation: Awaited<ReturnType<typeof confirm>>;
    try {
      confirmation = await confirm(context, question, this.#run, 'override');
    } catch (error) {
      if (!(error instanceof RemoteProblem)) throw error;
      throw RemoteProblem.of(`Failed to override: ${error.message}\n${runLink}\n`);
    }
    if (confirmation === 'elsewhere') {
      context.line(`The run needs to be manually overridden or discarded.\n${runLink}\n`);
      return false;
    }
    await context.ask(
      `Failed to override policy check.\n${runLink}`,
      context.server.override('task-stages', stage.id),
    );
    return true;
  }
}

/** Returns the text for the result of a policy evaluation, with Terraform's message. */
function evaluationResult(
  { status, advisoryFailed }: PolicyEvaluation,
  kind: string,
  stageStatus: string,
): { readonly result: string; readonly meaning: string } {
  if (status === 'passed') {
    return {
      result: `[green]PASSED${advisoryFailed > 0 ? ' (with advisory)' : ''}`,
      meaning: `This result means that all ${kind} policies passed and the protected behavior is allowed`,
    };
  }
  if (PENDING.has(status)) {
    return {
      result: '[dim]skipped',
      meaning: `Pending policy evaluation skipped as task stage is ${stageStatus}.`,
    };
  }
  return {
    result: '[red]FAILED',
    meaning: `This result means that one or more ${kind} policies failed. More than likely, this was due to the discovery of violations by the main rule and other sub rules`,
  };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
