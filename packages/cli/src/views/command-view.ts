import type { Diagnostic } from '@terrane/hcl';
import type { TextStyle } from '@terrane/render';

/** The JSON form of a message, if it differs from the text. */
export interface ForPrograms {
  readonly message?: string;
  readonly level?: 'info' | 'warn';
  /** the message type; without it, a plain log message */
  readonly type?: string;
  /** further members of the message */
  readonly members?: Readonly<Record<string, string | readonly string[]>>;
}

/** The output of commands that print few messages, as text or JSON. */
export interface CommandView {
  readonly style: TextStyle;
  /** A text of Terrane with the name that the program was called by. */
  named(text: string): string;
  /** A message. */
  line(text?: string, programs?: ForPrograms): void;
  /** Prints text that is not part of JSON output, such as a prompt. */
  print(text: string): void;
  /** Reports an error. JSON output has a diagnostic unless `programs` contains another message. */
  complain(text: string, programs?: ForPrograms): void;
  /** Writes text to the error stream, but not to JSON output, such as the help of a command. */
  complainPlainly(text: string): void;
  /** Reports an error without color. */
  notice(text: string): void;
  diagnostics(diagnostics: readonly Diagnostic[]): void;
  /** Variant with surrounding empty lines in text output. */
  separateDiagnostics(diagnostics: readonly Diagnostic[]): void;
  /** Prints a JSON document verbatim. */
  document(json: string): void;
}
