import {
  codeActionsAt,
  completionsAt,
  documentLinks,
  foldsOf,
  hoverAt,
  outlineOf,
  plainContext,
  ProjectModel,
  renameSubject,
  selectionsAt,
  semanticTokens,
  signatureAt,
  valueHints,
} from '@terrane/analysis';
import { memoryHost } from '@terrane/testkit';

const UNKNOWN_VALUES = { valueOf: () => undefined };

/** Opens a text and asks everything at its end, as an editor does after each key. */
export function askEverything(text: string, name: string): void {
  const project = new ProjectModel(memoryHost({ cwd: '/' }).files);
  const path = `/m/${name}`;
  project.setText(path, text);
  const document = project.document(path);
  if (document === undefined) return;
  const context = plainContext(project);
  const end = text.length;
  completionsAt(context, document, end);
  hoverAt(context, document, end);
  signatureAt(context, document, end);
  semanticTokens(document);
  outlineOf(document);
  foldsOf(document);
  selectionsAt(document, end);
  documentLinks(context, document);
  renameSubject(project, document, end);
  valueHints({ ...context, values: () => UNKNOWN_VALUES }, document, { start: 0, end });
  codeActionsAt(context, document, { start: end, end }, []);
}
