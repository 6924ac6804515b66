import { type Diagnostic, errorDiagnostic, sortDiagnostics, warningDiagnostic } from '@terrane/hcl';
import { diagnosticJsonText, indentJson, type TextStyle } from '@terrane/render';
import type { CommandContext } from '../command.ts';
import type { CommandView, ForPrograms } from './command-view.ts';
import { inProgramName } from './program-name.ts';

/**
 * Collects the output of a command into one JSON document: a member with the result, and the diagnostics. Commands of
 * Terraform 1.16 and later print it.
 */
export class DocumentView implements CommandView {
  readonly style: TextStyle = { color: false, width: 78 };
  readonly #context: CommandContext;
  readonly #diagnostics: Diagnostic[] = [];
  #result: string | undefined;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  /** Sets the result, as JSON text. */
  result(json: string): void {
    this.#result = json;
  }

  print(): void {
    // The document is printed at the end.
  }

  /** Prints the document; `empty` is the result of a command that failed. */
  finish(member: string, empty: string): void {
    const diagnostics = sortDiagnostics(this.#diagnostics).map(diagnosticJsonText).join(',');
    const text = `{"format_version":"1.0","${member}":${this.#result ?? empty},"diagnostics":[${diagnostics}]}`;
    this.#context.world.stdout.write(`${indentJson(text)}\n`);
  }

  named(text: string): string {
    return inProgramName(text, this.#context.world);
  }

  line(text: string = '', programs: ForPrograms = {}): void {
    if (programs.level === 'warn') this.#diagnostics.push(warningDiagnostic(text.trim(), ''));
  }

  complain(text: string): void {
    this.#diagnostics.push(errorDiagnostic(text.trim(), ''));
  }

  complainPlainly(): void {
    // Programs do not read help.
  }

  notice(text: string): void {
    this.complain(text);
  }

  diagnostics(diagnostics: readonly Diagnostic[]): void {
    this.#diagnostics.push(...diagnostics);
  }

  separateDiagnostics(diagnostics: readonly Diagnostic[]): void {
    this.#diagnostics.push(...diagnostics);
  }

  document(): void {
    // An empty line separates the result from the output of other views.
  }
}

/** Returns true if `-json` prints one document. When called as `tofu`, the program prints JSON lines instead. */
export function printsDocument(
  { values }: { readonly values: { readonly json: boolean } },
  { world }: CommandContext,
): boolean {
  return values.json && world.calledAs !== 'tofu';
}
