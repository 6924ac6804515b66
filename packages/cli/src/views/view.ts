import {
  deprecationOrigin,
  isRemoteDeprecation,
  sortDiagnostics,
  type Diagnostic,
} from '@terrane/hcl';
import { compactWarnings, consolidate, diagnosticText, type TextStyle } from '@terrane/render';
import type { CommandContext } from '../command.ts';
import type { OutputStream, World } from '../world.ts';
import { readerWaits, type WaitLimits } from './reader-waits.ts';
import { paint } from './paint.ts';
import { showsLinks, sourceLinks } from './source-links.ts';
import { inProgramName } from './program-name.ts';

/**
 * Returns true if output is colored: on terminals, unless the user decides otherwise. Escape sequences in files and
 * pipes are of no use.
 */
function wantsColor(
  noColor: boolean,
  environment: World['environment'],
  isTerminal: boolean,
): boolean {
  if (noColor || (environment['NO_COLOR'] ?? '') !== '') return false;
  const forced = environment['FORCE_COLOR'] ?? '';
  if (forced !== '') return forced !== '0';
  return isTerminal && environment['TERM'] !== 'dumb';
}

/** Returns true unless the diagnostic is a deprecation warning that the user disabled. */
function isShown(diagnostic: Diagnostic, mode: CommandContext['deprecations']): boolean {
  if (mode === 'all' || deprecationOrigin(diagnostic) === undefined) return true;
  return mode === 'local' && !isRemoteDeprecation(diagnostic);
}

/** Prints the text output of a command. */
export class View {
  readonly #context: CommandContext;
  readonly #link: TextStyle['link'];
  readonly #colors: { readonly stdout: boolean; readonly stderr: boolean };

  constructor(context: CommandContext) {
    const { stdout, stderr, environment } = context.world;
    const color = (stream: OutputStream): boolean =>
      wantsColor(context.noColor, environment, stream.isTerminal);
    this.#context = context;
    if (showsLinks(environment)) this.#link = sourceLinks(context.directory, environment);
    this.#colors = { stdout: color(stdout), stderr: color(stderr) };
  }

  /** The current text style; the width follows the terminal. */
  get style(): TextStyle {
    return this.#styleOf('stdout');
  }

  get #errorStyle(): TextStyle {
    return this.#styleOf('stderr');
  }

  #styleOf(stream: 'stdout' | 'stderr'): TextStyle {
    const { world, automation, showSensitive } = this.#context;
    const { columns: width, isTerminal: terminal } = world[stream];
    const color = this.#colors[stream];
    const link = color && terminal ? this.#link : undefined;
    const countsForgotten = world.calledAs === 'tofu';
    return { color, width, automation, terminal, link, showSensitive, countsForgotten };
  }

  /** A text of Terrane with the name that the program was called by. */
  named(text: string): string {
    return inProgramName(text, this.#context.world);
  }

  /** A text, with control characters escaped on a terminal; or bytes as they are. */
  print(text: string | Uint8Array): void {
    this.#context.world.stdout.write(text);
  }

  /** Prints a long text part by part, as its reader consumes it; beyond the limits of the wait without waiting. */
  async printParts(parts: Iterable<string>, limits?: WaitLimits): Promise<void> {
    const waitForReader = readerWaits(this.#context.world.printRoom, limits);
    for (const part of parts) {
      this.print(part);
      await waitForReader();
    }
  }

  line(text = ''): void {
    this.#context.world.stdout.write(`${text}\n`);
  }

  /** Prints a line for debugging. */
  complain(text: string): void {
    const { color } = this.#errorStyle;
    this.#context.world.stderr.write(color ? `${paint(color, text, 'red')}\n` : `${text}\n`);
  }

  /** Prints a text verbatim to the error stream. */
  complainPlainly(text: string): void {
    this.#context.world.stderr.write(text);
  }

  /** A note in the error stream that is no error. */
  notice(text: string): void {
    this.#context.world.stderr.write(`${text}\n`);
  }

  /** Writes warnings to the output, errors to the error stream. */
  diagnostics(diagnostics: readonly Diagnostic[]): void {
    this.#show(diagnostics, false);
  }

  /** Prints diagnostics surrounded by blank lines, as older Terraform commands do. */
  separateDiagnostics(diagnostics: readonly Diagnostic[]): void {
    this.#show(diagnostics, true);
  }

  /** Writes all diagnostics to the error stream, because the command's output is data for programs. */
  besideData(diagnostics: readonly Diagnostic[]): void {
    for (const each of this.#consolidated(diagnostics))
      this.#context.world.stderr.write(`${diagnosticText(each, this.#errorStyle)}\n`);
  }

  /** Sorts diagnostics, and merges those with the same summary if enabled. */
  #consolidated(reported: readonly Diagnostic[]): readonly Diagnostic[] {
    const { consolidateWarnings, consolidateErrors, deprecations } = this.#context;
    let diagnostics: readonly Diagnostic[] = sortDiagnostics(reported).filter((each) =>
      isShown(each, deprecations),
    );
    if (consolidateWarnings) diagnostics = consolidate(diagnostics, 'warning', 1);
    if (consolidateErrors) diagnostics = consolidate(diagnostics, 'error', 1);
    return diagnostics;
  }

  #show(reported: readonly Diagnostic[], separate: boolean): void {
    if (reported.length === 0) return;
    const diagnostics = this.#consolidated(reported);
    if (diagnostics.length === 0) return;
    const { stdout, stderr } = this.#context.world;
    if (this.#context.compactWarnings && diagnostics.every((each) => each.severity === 'warning')) {
      const advice = this.named(
        'To see the full warning notes, run Terrane without -compact-warnings.',
      );
      const text = `\n${compactWarnings(diagnostics, this.style)}\n${advice}\n`;
      stdout.write(separate ? `${text}\n` : text);
      return;
    }
    for (const diagnostic of diagnostics) {
      const toErrors = diagnostic.severity === 'error';
      const text = diagnosticText(diagnostic, toErrors ? this.#errorStyle : this.style);
      (toErrors ? stderr : stdout).write(separate ? `${text}\n` : text);
    }
  }

  /** Prints how to get help for a command. */
  helpPrompt(command: string): void {
    this.#context.world.stderr.write(
      this.named(`\nFor more help on using this command, run:\n  terrane ${command} -help\n`),
    );
  }
}
