import type {
  CompletionItem as Proposal,
  CompletionKind,
  OutlineItem,
  SymbolKind,
} from '@terrane/analysis';
import type { Diagnostic as EngineDiagnostic } from '@terrane/hcl';
import {
  type CompletionItem,
  CompletionItemKind,
  CompletionItemTag,
  type Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  type DocumentSymbol,
  InsertTextFormat,
  InsertTextMode,
  MarkupKind,
  type Range,
  SymbolKind as ProtocolSymbolKind,
} from 'vscode-languageserver';
import type { Positions } from './positions.ts';

const COMPLETION_KINDS: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  block: CompletionItemKind.Class,
  argument: CompletionItemKind.Property,
  type: CompletionItemKind.Struct,
  variable: CompletionItemKind.Variable,
  constant: CompletionItemKind.Constant,
  function: CompletionItemKind.Function,
  property: CompletionItemKind.Field,
  module: CompletionItemKind.Module,
  keyword: CompletionItemKind.Keyword,
  file: CompletionItemKind.Folder,
};

/** The completion features that the client supports. */
export interface CompletionSupport {
  readonly snippets: boolean;
  readonly markdown: boolean;
}

/** Converts a proposal, whose text replaces a range, to an item of the protocol. */
export function completionItem(
  proposal: Proposal,
  range: Range,
  support: CompletionSupport,
): CompletionItem {
  const { label, kind, detail, documentation, insert, deprecated, rank } = proposal;
  const isSnippet = proposal.isSnippet === true && support.snippets;
  const newText = proposal.isSnippet === true && !support.snippets ? withoutStops(insert) : insert;
  return {
    label,
    kind: COMPLETION_KINDS[kind],
    ...(detail === undefined ? {} : { detail }),
    ...(documentation === undefined || documentation === ''
      ? {}
      : {
          documentation: support.markdown
            ? { kind: MarkupKind.Markdown, value: documentation }
            : documentation,
        }),
    sortText: `${rank}${label}`,
    insertTextFormat: isSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    insertTextMode: InsertTextMode.adjustIndentation,
    textEdit: { range, newText },
    ...(deprecated === true ? { tags: [CompletionItemTag.Deprecated] } : {}),
  };
}

/** A snippet as plain text: its placeholders without tab stops. */
function withoutStops(snippet: string): string {
  return snippet.replaceAll(/\$\{\d+:([^}]*)\}/g, '$1').replaceAll(/\$\d+/g, '');
}

/** Converts an error or warning; the span is in `text`. */
export function protocolDiagnostic(
  diagnostic: EngineDiagnostic,
  span: { readonly start: number; readonly end: number },
  text: string,
  positions: Positions,
): Diagnostic {
  const { severity, summary, detail } = diagnostic;
  const isDeprecation = diagnostic.extra?.kind === 'deprecation';
  return {
    range: positions.rangeOf(text, span),
    severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    source: 'terrane',
    message: detail === '' ? summary : `${summary}: ${detail}`,
    ...(isDeprecation ? { tags: [DiagnosticTag.Deprecated] } : {}),
  };
}

const OUTLINE_KINDS: Readonly<Record<string, ProtocolSymbolKind>> = {
  variable: ProtocolSymbolKind.Variable,
  locals: ProtocolSymbolKind.Namespace,
  output: ProtocolSymbolKind.Interface,
  module: ProtocolSymbolKind.Module,
  provider: ProtocolSymbolKind.Package,
  run: ProtocolSymbolKind.Method,
  check: ProtocolSymbolKind.Event,
  attribute: ProtocolSymbolKind.Property,
};

/** Converts an entry of an outline. */
export function documentSymbol(
  item: OutlineItem,
  text: string,
  positions: Positions,
): DocumentSymbol {
  const { name, type, span, nameSpan, children } = item;
  return {
    name: name === '' ? type : name,
    kind: outlineKind(type),
    range: positions.rangeOf(text, span),
    selectionRange: positions.rangeOf(text, nameSpan),
    ...(children.length === 0
      ? {}
      : { children: children.map((child) => documentSymbol(child, text, positions)) }),
  };
}

/** The icon of a block type. */
export function outlineKind(type: string): ProtocolSymbolKind {
  return (
    (Object.hasOwn(OUTLINE_KINDS, type) ? OUTLINE_KINDS[type] : undefined) ??
    ProtocolSymbolKind.Class
  );
}

const DECLARATION_KINDS: Readonly<Record<SymbolKind, ProtocolSymbolKind>> = {
  variable: ProtocolSymbolKind.Variable,
  local: ProtocolSymbolKind.Constant,
  output: ProtocolSymbolKind.Interface,
  module: ProtocolSymbolKind.Module,
  resource: ProtocolSymbolKind.Class,
  data: ProtocolSymbolKind.Class,
  ephemeral: ProtocolSymbolKind.Class,
  list: ProtocolSymbolKind.Class,
  action: ProtocolSymbolKind.Function,
  provider: ProtocolSymbolKind.Package,
  check: ProtocolSymbolKind.Event,
  run: ProtocolSymbolKind.Method,
};

/** The icon of a declaration. */
export function declarationKind(kind: SymbolKind): ProtocolSymbolKind {
  return DECLARATION_KINDS[kind];
}
