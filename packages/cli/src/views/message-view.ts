import { stripVTControlCharacters } from 'node:util';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { TextStyle } from '@terrane/render';
import type { World } from '../world.ts';
import type { CommandView, ForPrograms } from './command-view.ts';
import { JsonView } from './json-view.ts';

/** The JSON output of commands with few messages: an object per line. */
export class MessageView implements CommandView {
  readonly style: TextStyle = { color: false, width: 78 };
  readonly #world: World;
  readonly #view: JsonView;

  constructor(world: World) {
    this.#world = world;
    this.#view = new JsonView(world);
  }

  named(text: string): string {
    return this.#view.named(text);
  }

  line(text: string = '', programs: ForPrograms = {}): void {
    const { message = plain(text), level = 'info', type, members } = programs;
    if (message === '') return;
    this.#view.note(message, { ...members, ...(type === undefined ? {} : { type }) }, level);
  }

  print(): void {
    // Programs do not respond to prompts.
  }

  complain(text: string, programs?: ForPrograms): void {
    if (programs?.message !== undefined) {
      this.#view.note(programs.message, {}, 'error');
      return;
    }
    // Lines that are broken for terminals are one.
    const [summary = '', ...detail] = plain(text)
      .replace(/^Error: /, '')
      .split('\n\n')
      .map((paragraph) => paragraph.replaceAll(/ *\n */g, ' '));
    this.#view.diagnostics([errorDiagnostic(summary, detail.join('\n\n'))]);
  }

  complainPlainly(): void {
    // Programs do not read help.
  }

  notice(text: string): void {
    this.complain(text);
  }

  diagnostics(diagnostics: readonly Diagnostic[]): void {
    this.#view.diagnostics(diagnostics);
  }

  separateDiagnostics(diagnostics: readonly Diagnostic[]): void {
    this.#view.diagnostics(diagnostics);
  }

  document(json: string): void {
    this.#world.stdout.write(`${json}\n`);
  }
}

/** A text without colors and the space around it. */
function plain(text: string): string {
  return stripVTControlCharacters(text).trim();
}
