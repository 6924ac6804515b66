export { type AnalysisContext, type ModuleValues, plainContext } from './analysis-context.ts';
export { literalText, spanOf } from './symbol-syntax.ts';
export {
  attributeDetail,
  type CompletionItem,
  type CompletionKind,
  type Completions,
  requiredSnippet,
  signatureText,
} from './completion/completion-item.ts';
export { completionsAt } from './completion/completions.ts';
export { type CursorContext, cursorContext, referenceBefore } from './cursor-context.ts';
export { type FileKind, fileKindOf, type FileRole } from './file-kind.ts';
export { hoverAt, type HoverText } from './hover.ts';
export {
  type MemberDefinition,
  type MemberDefinitions,
  memberDefinitionsAt,
} from './member-definition.ts';
export { type FoundDeclaration, ModuleIndex } from './module-index.ts';
export { type Fold, foldsOf, outlineOf, type OutlineItem, selectionsAt } from './outline.ts';
export { baseName, directoryOf, isAbsolute, relativePath, resolvePath } from './paths.ts';
export {
  type FoundOccurrence,
  type Location,
  type ProjectFiles,
  ProjectModel,
  type SymbolTarget,
} from './project-model.ts';
export { type ModuleSchemas, NO_SCHEMAS, SchemaLookup } from './schema-lookup.ts';
export {
  type SemanticModifier,
  type SemanticToken,
  semanticTokens,
  type SemanticType,
  STANDARD_MODIFIERS,
  STANDARD_TYPES,
  TOKEN_MODIFIERS,
  TOKEN_TYPES,
} from './semantic-tokens.ts';
export { SourceDocument } from './source-document.ts';
export type {
  Declaration,
  DocumentSymbols,
  ModuleLink,
  Occurrence,
  Span,
  SymbolKind,
} from './symbol.ts';
export { hasSecrets, valueOnOneLine } from './value-display.ts';
export type { CodeAction } from './code-action.ts';
export { codeActionsAt, type ShownDiagnostic } from './code-actions.ts';
export { type DocumentLink, documentLinks } from './document-links.ts';
export { applyTextChanges, type Changes, type TextChange } from './edits.ts';
export { type ValueHint, valueHints } from './inlay-hints.ts';
export { renameChanges, type RenameSubject, renameSubject } from './rename.ts';
export { type Signature, signatureAt } from './signature-help.ts';
