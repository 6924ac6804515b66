export { bodyForSpec, decodeBody } from './decode/decode-body.ts';
export { expandDynamic } from './decode/dynamic-blocks.ts';
export {
  functionsInBody,
  variablesInBody,
  variablesOfGenerators,
} from './decode/body-references.ts';
export { EMPTY_BODY, mergeBodies, overrideBody } from './decode/merge.ts';
export { withBody, withExpression } from './decode/replaced-items.ts';
export {
  type AttrSpec,
  type BlockCollectionSpec,
  type BlockKeyedSpec,
  type BlockSpec,
  bodySchemaOf,
  type DefaultSpec,
  impliedType,
  type ObjectSpec,
  type Spec,
} from './decode/spec.ts';
export { compactValue, traversalText } from './diagnostic/compact-value.ts';
export {
  errorDiagnostic,
  hasErrors,
  checkOrigin,
  comparisonOf,
  deprecationOrigin,
  isRemoteDeprecation,
  sortDiagnostics,
  warningDiagnostic,
} from './diagnostic/diagnostic.ts';
export { diagnosticSnippet, type Snippet, type SnippetValue } from './diagnostic/snippet.ts';
export { observeEvaluation } from './evaluate/effort.ts';
export { evaluate } from './evaluate/evaluate.ts';
export {
  closureOf,
  closureValue,
  EXPRESSION_CLOSURE,
  ExpressionClosure,
} from './evaluate/expression-closure.ts';
export { TYPE_ARGUMENT, TypeArgument, typeArgumentOf } from './expression/type-argument.ts';
export { childScope, constantScope, iterationScope, rootName } from './evaluate/scope.ts';
export type { Evaluate } from './evaluate/fault.ts';
export { traverseRelative } from './evaluate/traverse.ts';
export { children, functionCalls, variables } from './expression/references.ts';
export { startRange } from './expression/start-range.ts';
export {
  asCall,
  asKeyword,
  asList,
  asMap,
  asRelativeTraversal,
  asTraversal,
  type KeyValueExpressions,
  type StaticCall,
} from './expression/static.ts';
export {
  parseTypeExpression,
  type TypeExpressionOptions,
  type TypeExpressionResult,
} from './expression/type-expression.ts';
export { formatNative, formatSource, layOutText, valueToHcl } from './format/format.ts';
export type { FormattedSource } from './format/format.ts';
export { JsonBody } from './json/json-body.ts';
export { jsonExpression } from './json/json-expression.ts';
export { parseJsonSyntax, parseJsonValue } from './json/json-parser.ts';
export type {
  JsonArrayNode,
  JsonBooleanNode,
  JsonInvalidNode,
  JsonNullNode,
  JsonNumberNode,
  JsonObjectNode,
  JsonProperty,
  JsonStringNode,
  JsonSyntaxNode,
} from './json/nodes.ts';
export type {
  Attribute,
  AttributeSchema,
  AttributesResult,
  BinaryExpr,
  BinaryOperator,
  Block,
  BlocksExpr,
  BlockSchema,
  Body,
  BodyContent,
  BodySchema,
  ConditionalExpr,
  ContentResult,
  AssertionExtra,
  CheckExtra,
  Comparison,
  DeprecationExtra,
  Diagnostic,
  DiagnosticExtra,
  Expression,
  ForExpr,
  FunctionReference,
  FunctionCallExtra,
  FunctionCallExpr,
  IndexExpr,
  IterationExpr,
  JsonExpr,
  LiteralExpr,
  ObjectExpr,
  ObjectItem,
  ObjectKeyExpr,
  ParenthesesExpr,
  PartialContentResult,
  RelativeTraversalExpr,
  Resolution,
  Scope,
  ScopeTraversalExpr,
  SplatExpr,
  SplatItemExpr,
  SyntaxErrorExpr,
  TemplateExpr,
  TemplateJoinExpr,
  TemplateWrapExpr,
  Traversal,
  TraversalStep,
  TupleExpr,
  UnaryExpr,
} from './model.ts';
export {
  lastAtOrBefore,
  type Position,
  Range,
  rangeBetween,
  Source,
  sourceBytes,
  type SourceOptions,
} from './source/source.ts';
export { isOpenTofuFile } from './source/language.ts';
export { closestName, nameSuggestion } from './source/suggestion.ts';
export type { NativeAttribute } from './syntax/attribute-list.ts';
export { type NativeBlock, NativeBody } from './syntax/native-body.ts';
export {
  type ParsedFile,
  parseExpression,
  parseNative,
  parseTemplate,
  parseTraversal,
} from './syntax/parse.ts';
export { isValidIdentifier, scanTokens, type ScanMode } from './syntax/scanner.ts';
export { Token, TokenList, type TokenType } from './syntax/tokens.ts';

// The toolkit: one call for one wish, over plain texts and values.
export type { Comment, ItemComments } from './toolkit/comments.ts';
export { HclError } from './toolkit/hcl-error.ts';
export type { JsonObject, JsonValue } from './toolkit/json-types.ts';
export { HclFile, parseHcl, parseHclJson, type ParseOptions } from './toolkit/parse-hcl.ts';
export { renderDiagnostic, renderDiagnostics } from './toolkit/render-diagnostics.ts';
export { toJson, type ToJsonOptions } from './toolkit/to-json.ts';
export { editHcl } from './edit/edit-hcl.ts';
export { expression, HclExpression, type HclInput } from './edit/source-text.ts';
export type {
  AttributeEditor,
  BlockEditor,
  BodyEditor,
  HclAttributes,
  ItemEditor,
  Placement,
} from './edit/editors.ts';
export { printExpression } from './print/print-expression.ts';
export { printHcl } from './print/print-hcl.ts';
export type { PlainInput, PlainValue } from './toolkit/plain-value.ts';
export {
  type BlockTypes,
  fromJson,
  type FromJsonOptions,
  TERRAFORM_BLOCKS,
} from './toolkit/from-json.ts';
export { decodeHcl } from './toolkit/decode-hcl.ts';
export {
  type Environment,
  evaluateHcl,
  type PlainFunction,
  scopeOf,
} from './toolkit/evaluate-hcl.ts';
export {
  type BlockField,
  type BlockOptions,
  type Decoded,
  field,
  type FieldKinds,
  type Fields,
  type FieldType,
  type FieldValue,
  type LabelProperties,
} from './toolkit/field.ts';
export { plainFromValue, valueFromPlain } from './toolkit/plain-value.ts';
export { type HclVisitor, walkExpression, walkHcl } from './toolkit/walk-hcl.ts';
