import type { Diagnostic } from '@terrane/hcl';
import type { TextStyle } from '@terrane/render';

/** How programs are told something, where that is not in the words that people read. */
export interface ForPrograms {
  readonly message?: string;
  readonly level?: 'info' | 'warn';
  /** what kind of message it is; without it one for the record only */
  readonly type?: string;
  /** further members of the message */
  readonly members?: Readonly<Record<string, string | readonly string[]>>;
}

/** What commands show that tell their few messages to people or to programs. */
export interface CommandView {
  readonly style: TextStyle;
  /** A text of ours, with the name that the program was called by. */
  named(text: string): string;
  /** A message. */
  line(text?: string, programs?: ForPrograms): void;
  /** Text that only people get, such as a question. */
  print(text: string): void;
  /** What went wrong; programs get a diagnostic of it where there is no other message for them. */
  complain(text: string, programs?: ForPrograms): void;
  /** What goes into the error stream for people only, such as the help of the command. */
  complainPlainly(text: string): void;
  /** What went wrong, without color. */
  notice(text: string): void;
  diagnostics(diagnostics: readonly Diagnostic[]): void;
  /** The same with space around, for people. */
  separateDiagnostics(diagnostics: readonly Diagnostic[]): void;
  /** A document for programs only, as it is. */
  document(json: string): void;
}
