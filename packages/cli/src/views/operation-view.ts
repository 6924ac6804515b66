import type { Explanation, OutputState, Plan, PlannedChange, RunEvent } from '@terrane/engine';
import type { Diagnostic } from '@terrane/hcl';
import type { ChangeCounts, RemotePorts, Timings } from '@terrane/ops';
import {
  eventText,
  explanationsText,
  horizontalRule,
  outputsText,
  planOverviewText,
  planSummaryText,
  planTextParts,
  wordWrap,
} from '@terrane/render';
import { programCommand } from '@terrane/host';
import type { CommandContext } from '../command.ts';
import type { World } from '../world.ts';
import { both } from './both.ts';
import { canBeLive } from './can-be-live.ts';
import { readerWaits } from './reader-waits.ts';
import { JsonView } from './json-view.ts';
import { liveLines } from './live-lines.ts';
import { LiveScreen } from './live-screen.ts';
import { paint } from './paint.ts';
import { isDataRemoval, plannedCounts } from './planned-counts.ts';
import { RunProgress } from './run-progress.ts';
import { View } from './view.ts';

/** The time in milliseconds for which an apply waits for the reader of its plan: it outlives a reader that reads nothing. */
export const APPLY_PATIENCE = 1_000;

/** The results of policies, as text and as messages of the JSON stream. */
export interface PolicyOutput {
  readonly text: string;
  readonly messages: readonly {
    readonly text: string;
    readonly type: string;
    readonly members: Readonly<Record<string, unknown>>;
  }[];
}

/** The output of commands that plan and apply, as text or JSON. */
export interface OperationView {
  /** questions may be colored */
  readonly color: boolean;
  /** the world for prompts */
  readonly world: World;
  /** the output of remote runs */
  readonly remote: Pick<RemotePorts, 'print' | 'record' | 'style'>;
  event(event: RunEvent): void;
  /** ends the display of progress, regardless of the result, so that other output can be written */
  endProgress(): void;
  diagnostics(diagnostics: readonly Diagnostic[]): void;
  /** the options could not be understood */
  helpPrompt(command: string): void;
  /** prints the plan as its reader consumes it; `patience`: the longest wait in milliseconds, default: no limit */
  plan(plan: Plan, patience?: number): Promise<void>;
  /** prints explanations of the plan shown before */
  explanations(explanations: readonly Explanation[]): void;
  /** prints the results of policies */
  policies(results: PolicyOutput): void;
  /** called before a plan is executed, as far as its progress can be observed; with the durations of previous runs */
  readonly started?: (plan: Plan, timings: Timings) => void;
  /** called before a saved plan is applied */
  savedPlan(plan: Plan): void;
  /** prints the next step after a plan with changes */
  nextStep(savedTo: string | undefined, generatedTo: string | undefined): void;
  cancelled(mode: Plan['mode']): void;
  waiting(subject: 'lock' | 'unlock'): void;
  interrupted(): void;
  interruptedTwice(): void;
  complete(counts: ChangeCounts, destroy: boolean, stateOutPath: string): void;
  outputs(outputs: ReadonlyMap<string, OutputState>): void;
}

const INTERRUPTED = `
Interrupt received.
Please wait for Terrane to exit or data loss may occur.
Gracefully shutting down...
`;
const INTERRUPTED_TWICE = `
Two interrupts received. Exiting immediately. Note that data loss may have occurred.
`;
const STOPPING = 'Stopping operation...';
const WAITING = {
  lock: 'Acquiring state lock. This may take a few moments...',
  unlock: 'Releasing state lock. This may take a few moments...',
} as const;

/** Options of the text output. */
export interface OperationViewOptions {
  /** shows plans as a summary */
  readonly summary?: boolean;
  /** maximum number of parallel operations */
  readonly parallelism?: number;
  /** true if the JSON output already contains the versions */
  readonly isBegun?: boolean;
}

/** Returns the view for the command line; `into` receives JSON output too. */
export function operationView(
  context: CommandContext,
  json: boolean,
  options: OperationViewOptions = {},
  into?: World,
): OperationView {
  const view = json
    ? new JsonOperation(context.world, options.isBegun)
    : new HumanOperation(context, options);
  if (into === undefined) return view;
  const second = new JsonOperation(into, options.isBegun);
  const print = (text: string): void => {
    view.remote.print(text);
    second.remote.print(text);
  };
  return both<OperationView>(view, second, { remote: { ...view.remote, print } });
}

class HumanOperation implements OperationView {
  readonly color: boolean;
  readonly world: World;
  readonly started?: (plan: Plan, timings: Timings) => void;
  readonly remote: OperationView['remote'];
  readonly #view: View;
  readonly #options: OperationViewOptions;
  readonly #concise: boolean;
  readonly #progress: RunProgress | undefined;
  readonly #screen: LiveScreen | undefined;

  constructor(context: CommandContext, options: OperationViewOptions) {
    this.world = context.world;
    if (canBeLive(context)) {
      const now = (): number => Number(process.hrtime.bigint()) / 1e6;
      const progress = new RunProgress(now, options.parallelism ?? 1);
      const screen = new LiveScreen(context.world, (size) =>
        liveLines(progress, { ...size, color: this.color, nowMs: now() }),
      );
      this.#progress = progress;
      this.#screen = screen;
      this.world = { ...context.world, stdout: screen.stdout, stderr: screen.stderr };
      this.started = (plan, timings) => progress.start(plan, timings);
    }
    const view = new View({ ...context, world: this.world });
    this.#view = view;
    this.#options = options;
    this.#concise = context.concise;
    this.color = view.style.color;
    this.remote = { print: (text) => view.print(text), style: view.style };
  }

  event(event: RunEvent): void {
    const text = this.#concise ? undefined : eventText(event, this);
    if (text !== undefined) this.#view.line(text);
    this.#progress?.event(event);
    this.#screen?.start();
  }

  endProgress(): void {
    this.#progress?.reset();
    this.#screen?.stop();
  }

  diagnostics(diagnostics: readonly Diagnostic[]): void {
    this.endProgress();
    this.#view.diagnostics(diagnostics);
  }

  helpPrompt(command: string): void {
    this.#view.helpPrompt(command);
  }

  async plan(plan: Plan, patience?: number): Promise<void> {
    this.endProgress();
    const { style } = this.#view;
    const summary = this.#options.summary === true;
    if (summary) {
      this.#view.print(planSummaryText(plan, style));
      return;
    }
    const { rows } = this.world.stdout;
    if (this.#screen === undefined || rows === undefined) {
      const { onInterrupt } = this.world;
      await this.#view.printParts(planTextParts(plan, style), { patience, onInterrupt });
      return;
    }
    // A summary follows a plan that scrolled out of sight, where a person watches.
    const mostLines = 2 * rows;
    let lines = 1;
    for (const part of planTextParts(plan, style)) {
      this.#view.print(part);
      if (lines <= mostLines) lines += part.split('\n').length - 1;
    }
    if (lines > mostLines) this.#view.print(planOverviewText(plan, style));
  }

  explanations(explanations: readonly Explanation[]): void {
    if (explanations.length === 0) return;
    this.#view.print(`\nWhy:\n\n${explanationsText(explanations, this.#view.style)}`);
  }

  policies({ text }: PolicyOutput): void {
    this.#view.print(`\n${text}`);
  }

  savedPlan(): void {
    // The plan was shown when it was created.
  }

  nextStep(savedTo: string | undefined, generatedTo: string | undefined): void {
    const { style } = this.#view;
    if (style.automation === true) return;
    this.#view.line(horizontalRule(style));
    if (generatedTo !== undefined) {
      const message = `${this.#view.named('Terrane')} has generated configuration and written it to ${generatedTo}. Please review the configuration and edit it as necessary before adding it to version control.`;
      this.#view.line(wordWrap(`\n${message}`, style.width));
    }
    const text =
      savedTo === undefined
        ? this.#view.named(
            `Note: You didn't use the -out option to save this plan, so Terrane can't guarantee to take exactly these actions if you run "${programCommand('apply')}" now.`,
          )
        : `Saved the plan to: ${savedTo}\n\nTo perform exactly these actions, run the following command to apply:\n    ${this.#view.named('terrane apply')} ${JSON.stringify(savedTo)}`;
    this.#view.line(wordWrap(`\n${text}`, style.width));
  }

  cancelled(mode: Plan['mode']): void {
    this.#view.line(mode === 'destroy' ? 'Destroy cancelled.' : 'Apply cancelled.');
  }

  waiting(subject: 'lock' | 'unlock'): void {
    this.#view.line(WAITING[subject]);
  }

  interrupted(): void {
    if (this.#progress !== undefined) this.#progress.isStopping = true;
    this.#view.line(wordWrap(this.#view.named(INTERRUPTED), this.#view.style.width));
    this.#view.line(STOPPING);
  }

  interruptedTwice(): void {
    this.#view.notice(wordWrap(INTERRUPTED_TWICE, this.#view.style.width));
  }

  complete(counts: ChangeCounts, destroy: boolean, stateOutPath: string): void {
    this.endProgress();
    const { added, changed, removed, forgotten, imported, invoked, actionsFailed } = counts;
    const { color, width, countsForgotten } = this.#view.style;
    const forgets = countsForgotten === true && forgotten > 0 ? `, ${forgotten} forgotten` : '';
    const imports = imported > 0 ? `${imported} imported, ` : '';
    const text = destroy
      ? `Destroy complete! Resources: ${removed} destroyed.`
      : `Apply complete! Resources: ${imports}${added} added, ${changed} changed, ${removed} destroyed${forgets}.`;
    const failed = actionsFailed > 0 ? `, ${actionsFailed} failed` : '';
    const actions = invoked > 0 ? ` Actions: ${invoked} invoked${failed}.` : '';
    this.#view.print(paint(color, `\n${text}${actions}\n`, 'reset', 'bold', 'green'));
    if (stateOutPath === '' || added + changed === 0) return;
    const note = `The state of your infrastructure has been saved to the path below. This state is required to modify and destroy your infrastructure, so keep it safe. To inspect the complete state use the \`${programCommand('show')}\` command.`;
    this.#view.print(
      `\n${wordWrap(this.#view.named(note), width)}\n\nState path: ${stateOutPath}\n`,
    );
  }

  outputs(outputs: ReadonlyMap<string, OutputState>): void {
    this.#view.print(outputsText(outputs, this.#view.style));
  }
}

class JsonOperation implements OperationView {
  readonly color = false;
  readonly world: World;
  readonly remote: OperationView['remote'];
  readonly #view: JsonView;

  constructor(world: World, isBegun?: boolean) {
    const view = new JsonView(world, isBegun);
    this.world = world;
    this.#view = view;
    this.remote = {
      print: (text) => {
        if (text.trim() !== '') view.log(text.replace(/\n+$/, ''));
      },
      record: (line) => view.raw(line),
      style: { color: false, width: 78 },
    };
  }

  event(event: RunEvent): void {
    // The complete plan shows its changes itself.
    if (event.kind !== 'planned-change' && event.kind !== 'resource-drift') {
      this.#view.message({ kind: 'event', event });
    }
  }

  endProgress(): void {
    // Written lines are permanent.
  }

  diagnostics(diagnostics: readonly Diagnostic[]): void {
    this.#view.diagnostics(diagnostics);
  }

  helpPrompt(): void {
    // Programs do not read help.
  }

  async plan(plan: Plan, patience?: number): Promise<void> {
    const { printRoom, onInterrupt } = this.world;
    const waitForReader = readerWaits(printRoom, { patience, onInterrupt });
    for (const change of plan.drift) {
      // Moves are shown with the planned changes, if any.
      if (change.action === 'no-op' && plan.mode !== 'refresh-only') continue;
      this.#view.message({ kind: 'resource-drift', change });
      await waitForReader();
    }
    const { forget, ...counts } = plannedCounts(plan);
    for (const change of plan.changes) {
      if (isDataRemoval(change)) continue;
      if (!isReported(change)) continue;
      this.#view.message({ kind: 'planned-change', change });
      await waitForReader();
    }
    for (const invocation of plan.invocations)
      this.#view.message({ kind: 'planned-invocation', invocation });
    const actions = plan.invocations.length;
    this.#view.message({
      kind: 'change-summary',
      operation: 'plan',
      ...counts,
      forget: this.#forgotten(forget),
      actions,
    });
    if (plan.outputs.length > 0) this.#view.message({ kind: 'outputs', outputs: plan.outputs });
  }

  explanations(explanations: readonly Explanation[]): void {
    for (const explanation of explanations)
      this.#view.message({ kind: 'explanation', explanation });
  }

  policies({ messages }: PolicyOutput): void {
    for (const { text, type, members } of messages) this.#view.note(text, { ...members, type });
  }

  savedPlan(plan: Plan): void {
    for (const change of plan.changes) {
      if (change.action !== 'no-op' && !isDataRemoval(change)) {
        this.#view.message({ kind: 'planned-change', change });
      }
    }
  }

  nextStep(): void {
    // Programs need no advice.
  }

  cancelled(mode: Plan['mode']): void {
    this.#view.log(mode === 'destroy' ? 'Destroy cancelled' : 'Apply cancelled');
  }

  waiting(subject: 'lock' | 'unlock'): void {
    this.#view.note(WAITING[subject], {
      type: subject === 'lock' ? 'state_lock_acquire' : 'state_lock_release',
    });
  }

  interrupted(): void {
    this.#view.log(this.#view.named(INTERRUPTED));
    this.#view.log(STOPPING);
  }

  interruptedTwice(): void {
    this.#view.log(INTERRUPTED_TWICE);
  }

  complete(counts: ChangeCounts, destroy: boolean): void {
    const { added, changed, removed, forgotten, imported, invoked, actionsFailed } = counts;
    this.#view.message({
      kind: 'change-summary',
      operation: destroy ? 'destroy' : 'apply',
      add: added,
      change: changed,
      remove: removed,
      forget: this.#forgotten(forgotten),
      import: imported,
      actions: invoked,
      actionsFailed,
    });
  }

  /** The number of forgotten objects if the summary has it, as OpenTofu's does and Terraform's does not. */
  #forgotten(count: number): number | undefined {
    return this.world.calledAs === 'tofu' ? count : undefined;
  }

  outputs(outputs: ReadonlyMap<string, OutputState>): void {
    this.#view.message({ kind: 'outputs', outputs });
  }
}

function isReported(change: PlannedChange): boolean {
  return (
    change.action !== 'no-op' ||
    change.addr.text !== change.previousAddr.text ||
    change.importing !== undefined
  );
}
