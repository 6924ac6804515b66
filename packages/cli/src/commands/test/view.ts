import type { TestEvent } from '@terrane/engine';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import {
  cleanupFailedText,
  coverageText,
  interruptText,
  leftoversText,
  testDiagnosticLines,
  testFileText,
  testLines,
  testRunText,
  testSummaryText,
  wordWrap,
} from '@terrane/render';
import type { CommandContext } from '../../command.ts';
import type { World } from '../../world.ts';
import { both } from '../../views/both.ts';
import { JsonView } from '../../views/json-view.ts';
import type { LiveScreen } from '../../views/live-screen.ts';
import type { TaskProgress } from '../../views/task-progress.ts';
import { taskView } from '../../views/task-view.ts';
import type { View } from '../../views/view.ts';

/** The output of `test`, as text or JSON. */
export interface TestView {
  event(event: TestEvent): void;
  diagnostics(diagnostics: readonly Diagnostic[]): void;
  /** the options could not be understood */
  helpPrompt(command: string): void;
  interrupted(): void;
  interruptedTwice(): void;
  /** called at the end, regardless of the result */
  endProgress(): void;
}

const INTERRUPTED = `
Interrupt received.
Please wait for Terrane to exit or data loss may occur.
Gracefully shutting down...
`;
const INTERRUPTED_TWICE = `
Two interrupts received. Exiting immediately. Note that data loss may have occurred.
`;

/** Returns the view for the command line; `into` receives JSON output too. */
export function testView(context: CommandContext, json: boolean, into?: World): TestView {
  const view = json ? new JsonTests(context.world) : new HumanTests(context);
  return into === undefined ? view : both<TestView>(view, new JsonTests(into));
}

class HumanTests implements TestView {
  readonly #view: View;
  readonly #progress: TaskProgress | undefined;
  readonly #screen: LiveScreen | undefined;

  constructor(context: CommandContext) {
    const { view, progress, screen } = taskView(context);
    this.#view = view;
    this.#progress = progress;
    this.#screen = screen;
  }

  event(event: TestEvent): void {
    this.#print(event);
    if (this.#progress === undefined) return;
    noteProgress(this.#progress, event);
    if (event.kind === 'abstract') this.#screen?.start();
  }

  endProgress(): void {
    this.#progress?.clear();
    this.#screen?.stop();
  }

  #print(event: TestEvent): void {
    const view = this.#view;
    const { style } = view;
    switch (event.kind) {
      case 'abstract':
        return;
      case 'file':
        view.print(testFileText(event.file, event.progress, style));
        if (event.progress === 'complete') view.diagnostics(event.file.diagnostics);
        return;
      case 'run': {
        if (event.progress !== 'complete') return;
        const { run } = event;
        view.print(testRunText(run, style));
        view.diagnostics(run.diagnostics);
        // Separates results from preceding warnings.
        if (run.diagnostics.some(({ severity }) => severity === 'warning')) view.line();
        return;
      }
      case 'cleanup': {
        const { run, file, state, diagnostics } = event;
        if (hasErrors(diagnostics))
          view.complainPlainly(cleanupFailedText(view.named('Terrane'), file, run, style));
        view.diagnostics(diagnostics);
        const remaining = leftoversText(view.named('Terrane'), file, run, state, style);
        if (remaining === undefined) return;
        if (run.config.skipCleanup) view.print(remaining);
        else view.complainPlainly(remaining);
        return;
      }
      case 'interrupt':
        view.complainPlainly(interruptText(view.named('Terrane'), event, style));
        return;
      case 'coverage':
        view.print(coverageText(event.report, style));
        return;
      case 'conclusion':
        view.print(testSummaryText(event.suite, style));
    }
  }

  diagnostics(diagnostics: readonly Diagnostic[]): void {
    this.#view.diagnostics(diagnostics);
  }

  helpPrompt(command: string): void {
    this.#view.helpPrompt(command);
  }

  interrupted(): void {
    if (this.#progress !== undefined) this.#progress.isStopping = true;
    this.#view.notice(wordWrap(INTERRUPTED, this.#view.style.width));
  }

  interruptedTwice(): void {
    this.#view.notice(wordWrap(INTERRUPTED_TWICE, this.#view.style.width));
  }
}

/** Updates the progress of runs and clean-ups. */
function noteProgress(progress: TaskProgress, event: TestEvent): void {
  switch (event.kind) {
    case 'abstract':
      progress.total = event.suite.files.reduce((sum, { runs }) => sum + runs.length, 0);
      break;
    case 'run': {
      const { run, file } = event;
      const key = `${file.name} ${run.name}`;
      const name = `${file.name}, run ${JSON.stringify(run.name)}`;
      if (event.progress === 'starting') progress.begin(key, name, 'running');
      else if (event.progress === 'teardown') progress.begin(key, name, 'tearing down');
      else if (event.progress === 'complete') {
        // Runs that are skipped never began.
        progress.begin(key, name, 'running');
        progress.end(key);
      }
      break;
    }
    case 'cleanup':
      progress.end(`${event.file.name} ${event.run.name}`, false);
      break;
    case 'conclusion':
      progress.clear();
      break;
    case 'file':
    case 'interrupt':
    case 'coverage':
  }
}

class JsonTests implements TestView {
  readonly #world: World;
  readonly #view: JsonView;

  constructor(world: World) {
    this.#world = world;
    this.#view = new JsonView(world);
  }

  event(event: TestEvent): void {
    this.#world.stdout.write(testLines(event, new Date()));
  }

  diagnostics(diagnostics: readonly Diagnostic[]): void {
    this.#world.stdout.write(testDiagnosticLines(diagnostics, {}, new Date()));
  }

  helpPrompt(): void {
    // Programs do not read help.
  }

  interrupted(): void {
    this.#view.log(INTERRUPTED);
  }

  interruptedTwice(): void {
    this.#view.log(INTERRUPTED_TWICE);
  }

  endProgress(): void {
    // No progress is displayed.
  }
}
