import {
  baseName,
  type Declaration,
  foldsOf,
  hoverAt,
  type MemberDefinitions,
  memberDefinitionsAt,
  outlineOf,
  selectionsAt,
  type SourceDocument,
  type Span,
} from '@terrane/analysis';
import {
  DocumentHighlightKind,
  FoldingRangeKind,
  type Location,
  type LocationLink,
  MarkupKind,
  type Position,
  type ReferenceContext,
  type SelectionRange,
} from 'vscode-languageserver';
import { declarationKind, documentSymbol } from '../protocol-items.ts';
import type { Session } from '../session.ts';

/** Registers the handlers of hover, definitions, references, symbols, folds and selections. */
export function registerNavigation(session: Session): void {
  const { connection } = session;
  connection.onHover(
    session.at('hover', (document, offset) => {
      const hover = hoverAt(session.context, document, offset);
      if (hover === undefined) return null;
      return {
        contents: { kind: MarkupKind.Markdown, value: hover.markdown },
        range: session.range(document, hover.span),
      };
    }),
  );
  connection.onDefinition(
    session.at('definition', (document, offset) =>
      definitionAt(session, document, offset, 'definition'),
    ),
  );
  connection.onDeclaration(
    session.at('declaration', (document, offset) =>
      definitionAt(session, document, offset, 'declaration'),
    ),
  );
  connection.onReferences(
    session.guard('references', async ({ textDocument, position, ...params }) => {
      // Some clients omit the context.
      const { context }: { readonly context?: ReferenceContext } = params;
      const document = session.document(textDocument.uri);
      if (document === undefined) return null;
      const target = session.model.subjectAt(document, session.offset(document, position));
      if (target === undefined) return null;
      await session.scanned();
      return session.model
        .occurrencesOf(target)
        .filter(
          ({ occurrence: { role } }) =>
            context?.includeDeclaration === true || role !== 'declaration',
        )
        .map((each) => session.location(each));
    }),
  );
  connection.onDocumentHighlight(
    session.at('documentHighlight', (document, offset) => {
      const occurrence = session.model.occurrenceAt(document, offset);
      if (occurrence === undefined) return null;
      return document.symbols.occurrences
        .filter(({ key, via }) => key === occurrence.key && via === occurrence.via)
        .map(({ span, role }) => ({
          range: session.range(document, span),
          kind: role === 'reference' ? DocumentHighlightKind.Read : DocumentHighlightKind.Write,
        }));
    }),
  );
  connection.onDocumentSymbol(
    session.in('documentSymbol', (document) =>
      outlineOf(document).map((item) => documentSymbol(item, document.text, session.positions)),
    ),
  );
  connection.onWorkspaceSymbol(
    session.guard('workspaceSymbol', async ({ query }) => {
      await session.scanned();
      return workspaceSymbols(session, query);
    }),
  );
  connection.onFoldingRanges(
    session.in('foldingRange', (document) =>
      foldsOf(document).map(({ startLine, endLine, kind }) => ({
        startLine,
        endLine,
        kind: kind === 'comment' ? FoldingRangeKind.Comment : FoldingRangeKind.Region,
      })),
    ),
  );
  connection.onSelectionRanges(
    session.guard('selectionRange', ({ textDocument, positions }) => {
      const document = session.document(textDocument.uri);
      if (document === undefined) return null;
      return positions.map((position) => selectionAt(session, document, position));
    }),
  );
}

/** The maximum number of workspace symbols in one answer. */
const MAX_SYMBOLS = 2000;

/** Returns where the object or the part of an object is declared that is named at an offset. */
function definitionAt(
  session: Session,
  document: SourceDocument,
  offset: number,
  request: 'definition' | 'declaration',
): Location[] | LocationLink[] | null {
  const memberDefinitions =
    declarationsAt(session, document, offset) ??
    memberDefinitionsAt(session.model, document, offset);
  if (memberDefinitions === undefined) return linkDefinition(session, document, offset);
  const { origin, definitions } = memberDefinitions;
  if (definitions.length === 0) return null;
  const hasLinks = session.capabilities.textDocument?.[request]?.linkSupport === true;
  if (!hasLinks)
    return definitions.map(({ document: at, nameSpan }) => ({
      uri: session.uris.uriOf(at.path),
      range: session.range(at, nameSpan),
    }));
  return definitions.map(({ document: at, nameSpan, span }) => ({
    originSelectionRange: session.range(document, origin),
    targetUri: session.uris.uriOf(at.path),
    targetRange: session.range(at, enclosingSpan({ span, nameSpan })),
    targetSelectionRange: session.range(at, nameSpan),
  }));
}

function declarationsAt(
  { model }: Session,
  document: SourceDocument,
  offset: number,
): MemberDefinitions | undefined {
  const occurrence = model.occurrenceAt(document, offset);
  if (occurrence === undefined) return undefined;
  const target = model.targetOf(document, occurrence);
  const declared = target === undefined ? [] : model.declarationsOf(target);
  return {
    origin: occurrence.span,
    definitions: declared.map(({ document: at, declaration: { nameSpan, span } }) => ({
      document: at,
      nameSpan,
      span,
    })),
  };
}

/** The first file of the module that a source address leads to. */
function linkDefinition(
  session: Session,
  document: SourceDocument,
  offset: number,
): Location[] | null {
  const link = document.symbols.links.find(
    ({ sourceSpan }) =>
      sourceSpan !== undefined && sourceSpan.start <= offset && offset <= sourceSpan.end,
  );
  const directory =
    link === undefined
      ? undefined
      : session.model.linkedDirectory(session.model.moduleDirectoryOf(document), link);
  if (directory === undefined) return null;
  const { paths } = session.model.module(directory);
  const path = paths.find((each) => baseName(each) === 'main.tf') ?? paths[0];
  if (path === undefined) return null;
  const start = { line: 0, character: 0 };
  return [{ uri: session.uris.uriOf(path), range: { start, end: start } }];
}

function workspaceSymbols(
  session: Session,
  query: string,
): {
  name: string;
  kind: ReturnType<typeof declarationKind>;
  location: Location;
  containerName: string;
}[] {
  const symbols = [];
  for (const { document, declaration } of session.model.searchDeclarations(query)) {
    symbols.push({
      name: declaration.key,
      kind: declarationKind(declaration.kind),
      location: {
        uri: session.uris.uriOf(document.path),
        range: session.range(document, declaration.nameSpan),
      },
      containerName: baseName(session.model.moduleDirectoryOf(document)),
    });
    if (symbols.length >= MAX_SYMBOLS) break;
  }
  return symbols;
}

function selectionAt(
  session: Session,
  document: SourceDocument,
  position: Position,
): SelectionRange {
  const spans = selectionsAt(document, session.offset(document, position));
  let selection: SelectionRange | undefined;
  for (const span of spans.toReversed()) {
    selection = {
      range: session.range(document, span),
      ...(selection === undefined ? {} : { parent: selection }),
    };
  }
  return selection ?? { range: { start: position, end: position } };
}

/** The range of JSON declarations is that of their key. */
function enclosingSpan({ span, nameSpan }: Pick<Declaration, 'span' | 'nameSpan'>): Span {
  return { start: Math.min(span.start, nameSpan.start), end: Math.max(span.end, nameSpan.end) };
}
