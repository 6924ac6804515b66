import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { HCL } from './hcl-language.ts';

/** A problem in a file, with positions that begin at 1; the end is exclusive. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

const THEME = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--bg)', color: 'var(--fg)' },
  '.cm-scroller': { fontFamily: 'ui-monospace, monospace', fontSize: '13px', lineHeight: '1.5' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--raised) 45%, transparent)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--fg)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 30%, transparent) !important',
  },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--panel)',
    color: 'var(--fg)',
    borderColor: 'var(--line)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--bg)',
  },
  '.cm-diagnostic': { whiteSpace: 'pre-wrap', maxWidth: '60ch' },
});

/** The editor: one view, with a state for each file, so that each has its own history. */
export class Editor {
  readonly #view: EditorView;
  readonly #states = new Map<string, EditorState>();
  readonly #onChange: () => void;
  readonly #support = new Compartment();
  #supportOf: (path: string) => Extension = () => [];
  #current = '';

  constructor(parent: HTMLElement, onChange: () => void, onRun: () => void) {
    this.#onChange = onChange;
    this.#extensions = [
      keymap.of([
        { key: 'Mod-Enter', run: () => (onRun(), true), preventDefault: true },
        ...defaultKeymap,
        ...historyKeymap,
        ...searchKeymap,
        ...lintKeymap,
        indentWithTab,
      ]),
      lineNumbers(),
      history(),
      drawSelection(),
      bracketMatching(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      search({ top: true }),
      lintGutter(),
      indentUnit.of('  '),
      THEME,
      EditorView.lineWrapping,
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.#onChange();
      }),
    ];
    this.#view = new EditorView({ parent, state: EditorState.create() });
  }

  readonly #extensions: Extension;

  /** Shows a file, whose text is `text` unless it was opened before. */
  open(path: string, text: string): void {
    if (this.#current !== '') this.#states.set(this.#current, this.#view.state);
    this.#current = path;
    this.#view.setState(this.#states.get(path) ?? this.#newState(path, text));
  }

  /** Replaces the text of a file, from outside of the editor. */
  replace(path: string, text: string): void {
    if (path === this.#current) {
      if (this.#view.state.doc.toString() !== text) {
        this.#view.setState(this.#newState(path, text));
      }
    } else this.#states.delete(path);
  }

  /** Adds the support of a language server to all files. */
  useLanguageSupport(supportOf: (path: string) => Extension): void {
    this.#supportOf = supportOf;
    const effect = (path: string) => this.#support.reconfigure(supportOf(path));
    for (const [path, state] of this.#states)
      this.#states.set(path, state.update({ effects: effect(path) }).state);
    if (this.#current !== '') this.#view.dispatch({ effects: effect(this.#current) });
  }

  get view(): EditorView {
    return this.#view;
  }

  /** Forgets all files. */
  reset(): void {
    this.#states.clear();
    this.#current = '';
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  focus(): void {
    this.#view.focus();
  }

  /** Marks the problems of the open file. */
  mark(problems: readonly Problem[]): void {
    const { doc } = this.#view.state;
    const offset = (line: number, column: number): number => {
      const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
      return Math.min(from + Math.max(0, column - 1), to);
    };
    const diagnostics = problems.map(
      ({ severity, message, line, column, endLine, endColumn }): Diagnostic => ({
        severity,
        message,
        from: offset(line, column),
        to: Math.max(offset(endLine, endColumn), offset(line, column)),
      }),
    );
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
  }

  #newState(path: string, doc: string): EditorState {
    const language = /\.(?:tf|tofu|hcl|tfvars)$/.test(path) ? HCL : [];
    const label = EditorView.contentAttributes.of({
      'aria-label': `Text of ${path}`,
      tabindex: '0',
    });
    const support = this.#support.of(this.#supportOf(path));
    return EditorState.create({ doc, extensions: [support, this.#extensions, language, label] });
  }
}
