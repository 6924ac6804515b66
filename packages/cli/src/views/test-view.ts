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
import type { CommandContext } from '../command.ts';
import { JsonView } from './json-view.ts';
import { View } from './view.ts';

/** What `test` shows, in either of two forms. */
export interface TestView {
  event(event: TestEvent): void;
  diagnostics(diagnostics: readonly Diagnostic[]): void;
  /** the options could not be understood */
  helpPrompt(command: string): void;
  interrupted(): void;
  interruptedTwice(): void;
}

const INTERRUPTED = `
Interrupt received.
Please wait for Terrane to exit or data loss may occur.
Gracefully shutting down...
`;
const INTERRUPTED_TWICE = `
Two interrupts received. Exiting immediately. Note that data loss may have occurred.
`;

/** The view that the command line asks for. */
export function testView(context: CommandContext, json: boolean): TestView {
  return json ? new JsonTests(context) : new HumanTests(context);
}

class HumanTests implements TestView {
  readonly #view: View;

  constructor(context: CommandContext) {
    this.#view = new View(context);
  }

  event(event: TestEvent): void {
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
        // What comes after warnings stands apart from them.
        if (run.diagnostics.some(({ severity }) => severity === 'warning')) view.line();
        return;
      }
      case 'cleanup': {
        const { run, file, state, diagnostics } = event;
        if (hasErrors(diagnostics)) view.complainPlainly(cleanupFailedText(file, run, style));
        view.diagnostics(diagnostics);
        const left = leftoversText(file, run, state, style);
        if (left === undefined) return;
        if (run.config.skipCleanup) view.print(left);
        else view.complainPlainly(left);
        return;
      }
      case 'interrupt':
        view.complainPlainly(interruptText(event, style));
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
    this.#view.notice(wordWrap(INTERRUPTED, this.#view.style.width));
  }

  interruptedTwice(): void {
    this.#view.notice(wordWrap(INTERRUPTED_TWICE, this.#view.style.width));
  }
}

class JsonTests implements TestView {
  readonly #context: CommandContext;
  readonly #view: JsonView;

  constructor(context: CommandContext) {
    this.#context = context;
    this.#view = new JsonView(context.world);
  }

  event(event: TestEvent): void {
    this.#context.world.stdout.write(testLines(event, new Date()));
  }

  diagnostics(diagnostics: readonly Diagnostic[]): void {
    this.#context.world.stdout.write(testDiagnosticLines(diagnostics, {}, new Date()));
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
}
