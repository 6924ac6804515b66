import {
  EventEmitter,
  type Event,
  type TextDocumentContentProvider,
  Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode';

/** Scheme of documents with the output of a command. */
export const OUTPUT_SCHEME = 'terrane-output';

/** Read-only documents with the output of commands; closing one forgets its text. */
export class OutputDocuments implements TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #changed = new EventEmitter<Uri>();
  readonly onDidChange: Event<Uri> = this.#changed.event;

  constructor() {
    workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString()));
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /** Shows a text beside the editor. */
  async show(title: string, text: string): Promise<void> {
    const uri = Uri.from({ scheme: OUTPUT_SCHEME, path: `/${title}` });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document, {
      viewColumn: ViewColumn.Beside,
      preview: true,
      preserveFocus: true,
    });
  }
}
