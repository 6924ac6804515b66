import type { SourceDocument } from '@terrane/analysis';
import type { CodeLens } from 'vscode-languageserver';
import { blockChanges } from '../last-plans.ts';
import type { Session } from '../session.ts';
import { EXPLAIN_COMMAND, REFERENCES_COMMAND, TEST_COMMAND } from './commands.ts';

/** Returns the lenses of a document: changes of the last plan, tests, and numbers of references. */
export function lensesOf(session: Session, document: SourceDocument): CodeLens[] {
  const lenses: CodeLens[] = [];
  const { plan, tests, references } = session.settings.codeLens;
  const uri = session.uris.uriOf(document.path);
  if (plan) {
    for (const [directory, lastPlan] of session.plans) {
      const configuration = session.engines.get(directory)?.configuration;
      if (configuration === undefined) continue;
      for (const change of blockChanges(lastPlan, configuration, directory)) {
        if (change.path !== document.path || change.span.end > document.text.length) continue;
        lenses.push({
          range: session.range(document, change.span),
          command: {
            title: change.title,
            command: EXPLAIN_COMMAND,
            arguments: [session.uris.uriOf(directory), change.addresses],
          },
        });
      }
    }
  }
  for (const { kind, key, name, nameSpan } of document.symbols.declarations) {
    const range = session.range(document, nameSpan);
    if (tests && kind === 'run' && session.settings.trusted)
      lenses.push({
        range,
        command: { title: 'Run test', command: TEST_COMMAND, arguments: [uri, name] },
      });
    if (references && document.kind.role === 'module') {
      const directory = session.model.moduleDirectoryOf(document);
      const count = session.model
        .occurrencesOf({ directory, key })
        .filter(({ occurrence }) => occurrence.role !== 'declaration').length;
      if (count > 0)
        lenses.push({
          range,
          command: {
            title: count === 1 ? '1 reference' : `${count} references`,
            command: REFERENCES_COMMAND,
            arguments: [uri, range.start],
          },
        });
    }
  }
  return lenses;
}
