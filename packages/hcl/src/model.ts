// The mutually recursive types: expressions, diagnostics, scopes, bodies. Expressions are plain immutable objects
// discriminated by `kind`; both syntaxes share them.

import type { FunctionSpec, Marks, Path, Value } from '@terrane/cty';
import type { JsonSyntaxNode } from './json/nodes.ts';
import type { Range } from './source/source.ts';

// ---------- expressions

/** Any expression. */
export type Expression =
  | LiteralExpr
  | TemplateExpr
  | TemplateWrapExpr
  | TemplateJoinExpr
  | ScopeTraversalExpr
  | RelativeTraversalExpr
  | FunctionCallExpr
  | ConditionalExpr
  | BinaryExpr
  | UnaryExpr
  | ObjectExpr
  | ObjectKeyExpr
  | TupleExpr
  | ForExpr
  | IndexExpr
  | SplatExpr
  | SplatItemExpr
  | ParenthesesExpr
  | SyntaxErrorExpr
  | JsonExpr
  | IterationExpr
  | BlocksExpr;

/** A step of a reference such as `var.list[0].name`. */
export type TraversalStep =
  | { readonly kind: 'root'; readonly name: string; readonly range: Range }
  | { readonly kind: 'attr'; readonly name: string; readonly range: Range }
  | { readonly kind: 'index'; readonly key: Value; readonly range: Range }
  | { readonly kind: 'splat'; readonly range: Range };

/** A sequence of steps; an absolute traversal begins with a root step. */
export interface Traversal {
  readonly steps: readonly TraversalStep[];
  readonly range: Range;
}

/** A constant: a number, `true`, `false`, `null`, a literal part of a template. */
export interface LiteralExpr {
  readonly kind: 'literal';
  readonly range: Range;
  readonly value: Value;
}

/** A quoted string, heredoc or template file of any number of parts; the result is a string. */
export interface TemplateExpr {
  readonly kind: 'template';
  readonly range: Range;
  readonly parts: readonly Expression[];
}

/** A template that consists of a single interpolation: the result has the type of the wrapped expression. */
export interface TemplateWrapExpr {
  readonly kind: 'templateWrap';
  readonly range: Range;
  readonly wrapped: Expression;
}

/** A `%{ for }` directive: the string results of a `for` expression joined together. */
export interface TemplateJoinExpr {
  readonly kind: 'templateJoin';
  readonly range: Range;
  readonly tuple: Expression;
}

/** A reference to a value in scope. */
export interface ScopeTraversalExpr {
  readonly kind: 'scopeTraversal';
  readonly range: Range;
  readonly traversal: Traversal;
}

/** Attribute or constant index access into the result of another expression. */
export interface RelativeTraversalExpr {
  readonly kind: 'relativeTraversal';
  readonly range: Range;
  readonly source: Expression;
  readonly traversal: Traversal;
}

/** A function call; the name of a namespaced function contains "::". */
export interface FunctionCallExpr {
  readonly kind: 'call';
  readonly range: Range;
  readonly name: string;
  readonly args: readonly Expression[];
  /** the last argument is followed by `...` */
  readonly expandFinal: boolean;
  readonly nameRange: Range;
  readonly openRange: Range;
  readonly closeRange: Range;
}

/** `condition ? ifTrue : ifFalse`, and the `%{ if }` directive. */
export interface ConditionalExpr {
  readonly kind: 'conditional';
  readonly range: Range;
  readonly condition: Expression;
  readonly ifTrue: Expression;
  readonly ifFalse: Expression;
}

/** The binary operators. */
export type BinaryOperator =
  | '||'
  | '&&'
  | '=='
  | '!='
  | '>'
  | '>='
  | '<'
  | '<='
  | '+'
  | '-'
  | '*'
  | '/'
  | '%';

/** An operation on two operands; both are always evaluated. */
export interface BinaryExpr {
  readonly kind: 'binary';
  readonly range: Range;
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** Negation (`-`) or logical not (`!`). */
export interface UnaryExpr {
  readonly kind: 'unary';
  readonly range: Range;
  readonly operator: '-' | '!';
  readonly operand: Expression;
  readonly symbolRange: Range;
}

/** `{ key = value, … }` */
export interface ObjectExpr {
  readonly kind: 'object';
  readonly range: Range;
  readonly items: readonly ObjectItem[];
  readonly openRange: Range;
}

/** A pair of an object constructor. */
export interface ObjectItem {
  readonly key: ObjectKeyExpr;
  readonly value: Expression;
}

/** A key of an object constructor: a bare name is a literal there, unless it is in parentheses. */
export interface ObjectKeyExpr {
  readonly kind: 'objectKey';
  readonly range: Range;
  readonly wrapped: Expression;
  /** the key begins with a parenthesis */
  readonly forceNonLiteral: boolean;
}

/** `[a, b, …]` */
export interface TupleExpr {
  readonly kind: 'tuple';
  readonly range: Range;
  readonly elements: readonly Expression[];
  readonly openRange: Range;
}

/** `[for …]` (no key) or `{for …}`, and the loop of a `%{ for }` directive. */
export interface ForExpr {
  readonly kind: 'for';
  readonly range: Range;
  readonly keyName: string | undefined;
  readonly valueName: string;
  readonly collection: Expression;
  readonly key: Expression | undefined;
  readonly value: Expression;
  readonly condition: Expression | undefined;
  /** `...` after the value: values of equal keys are grouped */
  readonly group: boolean;
  readonly openRange: Range;
  readonly closeRange: Range;
}

/** `collection[key]` with a key that is not constant. */
export interface IndexExpr {
  readonly kind: 'index';
  readonly range: Range;
  readonly collection: Expression;
  readonly key: Expression;
  readonly openRange: Range;
  readonly bracketRange: Range;
}

/** `source.*.a` or `source[*].a`; `each` is evaluated with `item` standing for each element. */
export interface SplatExpr {
  readonly kind: 'splat';
  readonly range: Range;
  readonly source: Expression;
  readonly each: Expression;
  readonly item: SplatItemExpr;
  readonly markerRange: Range;
}

/** The current element inside a splat. */
export interface SplatItemExpr {
  readonly kind: 'splatItem';
  readonly range: Range;
}

/** An expression in parentheses. */
export interface ParenthesesExpr {
  readonly kind: 'parentheses';
  readonly range: Range;
  readonly inner: Expression;
}

/** The placeholder for an expression that could not be parsed. */
export interface SyntaxErrorExpr {
  readonly kind: 'syntaxError';
  readonly range: Range;
  readonly diagnostics: readonly Diagnostic[];
}

/** A value of the JSON syntax: strings are templates when there is a scope. */
export interface JsonExpr {
  readonly kind: 'json';
  readonly range: Range;
  readonly node: JsonSyntaxNode;
}

/** An expression inside a generated block, evaluated with the iterators of `dynamic` blocks. */
export interface IterationExpr {
  readonly kind: 'iteration';
  readonly range: Range;
  readonly wrapped: Expression;
  /** iterator names with their `{ key, value }` objects */
  readonly iterators: ReadonlyMap<string, Value>;
  /** added to the result: the marks of the block's `for_each` */
  readonly marks: Marks;
}

/** Blocks in place of an attribute whose type is a list or set of objects. */
export interface BlocksExpr {
  readonly kind: 'blocks';
  readonly range: Range;
  /** decodes the blocks into the value of the attribute */
  decode(scope: Scope | undefined, diagnostics: Diagnostic[]): Value;
  /** the references in all the blocks */
  references(): readonly Traversal[];
}

// ---------- scopes

/** The value of a resolved reference, and the number of steps it covers. */
export interface Resolution {
  readonly value: Value;
  /** the number of steps that `value` accounts for, at least 1 */
  readonly consumed: number;
}

/** Resolves references and functions of expressions. Scopes can be lazy, as their names are never enumerated. */
export interface Scope {
  /**
   * Resolves the longest known prefix of an absolute traversal; undefined if the root name is unknown. May add
   * diagnostics itself, and then returns an unknown value. The evaluator applies the remaining steps.
   */
  resolve(traversal: Traversal, diagnostics: Diagnostic[]): Resolution | undefined;
  /** Returns the value of a traversal, to be shown with a diagnostic; never adds diagnostics. */
  peek?(traversal: Traversal): Value | undefined;
  /** Resolves a function name, for a call at `place` if defined. */
  functionNamed(name: string, place?: Range): FunctionSpec | undefined;
  functionNames(): Iterable<string>;
  /** names for "Did you mean" */
  rootNames(): Iterable<string>;
}

// ---------- diagnostics

/** Typed details of a diagnostic, for programs that handle some of them specially. */
export type DiagnosticExtra =
  /** caused by an unknown value: the snippet then lists unknown values */
  | { readonly kind: 'unknown' }
  /** caused by a sensitive value: the snippet then mentions sensitive values */
  | { readonly kind: 'sensitive' }
  /** caused by an ephemeral value: the snippet then mentions ephemeral values */
  | { readonly kind: 'ephemeral' }
  /** a call failed; `spec` is the function that was called */
  | FunctionCallExtra
  /** a call to a function that does not exist; `namespace` ends with "::" or is empty */
  | { readonly kind: 'unknownFunction'; readonly name: string; readonly namespace: string }
  /** use of a deprecated object; `origin` names it */
  | DeprecationExtra
  /** the configuration attribute that the diagnostic refers to */
  | { readonly kind: 'attributePath'; readonly path: Path }
  | CheckExtra
  | AssertionExtra
  | { readonly kind: string };

/**
 * A condition failed; `checkData`: errors of a data source in a check block. `object` is the address of the object that
 * has the condition, `severity` the severity before it was reduced to a warning.
 */
export interface CheckExtra {
  readonly kind: 'check' | 'checkData';
  readonly checkable: 'resource' | 'output_value' | 'check' | 'input_variable';
  readonly object: string;
  readonly severity?: 'error' | 'warning';
}

/** An assertion of a test does not hold: the snippet mentions ephemeral values. */
export interface AssertionExtra {
  readonly kind: 'assertion';
  /** the compared values, if the condition is a comparison */
  readonly compared?: Comparison;
}

/** Two values that are not equal. */
export interface Comparison {
  readonly left: Value;
  readonly right: Value;
  /**
   * true if the value is printed in full: in machine-readable output as by OpenTofu, and for people even if the snippet
   * contains it too
   */
  readonly isShownInFull: boolean;
}

/** See DiagnosticExtra. */
export interface FunctionCallExtra {
  readonly kind: 'functionCall';
  readonly name: string;
  readonly spec?: FunctionSpec;
}

/** See DiagnosticExtra. */
export interface DeprecationExtra {
  readonly kind: 'deprecation';
  readonly origin: string;
  /** true if the deprecated object belongs to a remote package */
  readonly isRemote: boolean;
}

/** An error or warning for the user. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail: string;
  /** the erroneous code; highlighted */
  readonly subject?: Range;
  /** surrounding code that is needed to understand the problem */
  readonly context?: Range;
  /** the expression whose evaluation failed … */
  readonly expression?: Expression;
  /** … and the scope, so that a renderer can show the values in it */
  readonly scope?: Scope;
  /** the address of the resource instance, if the diagnostic refers to one */
  readonly address?: string;
  readonly extra?: DiagnosticExtra;
}

// ---------- bodies

/** `name = expression` in a body. */
export interface Attribute {
  readonly name: string;
  readonly expression: Expression;
  readonly range: Range;
  readonly nameRange: Range;
}

/** A nested block with its labels. */
export interface Block {
  readonly type: string;
  readonly labels: readonly string[];
  readonly body: Body;
  /** the header, without the brace; for JSON the opening brace or bracket */
  readonly defRange: Range;
  readonly typeRange: Range;
  readonly labelRanges: readonly Range[];
}

/**
 * The attributes and blocks to extract from a body. Label names are used in messages and determine the number of
 * labels.
 */
export interface BodySchema {
  readonly attributes: readonly AttributeSchema[];
  readonly blocks: readonly BlockSchema[];
}

/** An attribute that a body may have. */
export interface AttributeSchema {
  readonly name: string;
  readonly required?: boolean;
  /** Accepted, but not used in suggestions for misspelt names. */
  readonly unsuggested?: boolean;
}

/** A type of blocks that a body may have. */
export interface BlockSchema {
  readonly type: string;
  readonly labelNames?: readonly string[];
  /** See the attribute option of the same name. */
  readonly unsuggested?: boolean;
}

/** The extracted content of a body: attributes by name, blocks in source order. */
export interface BodyContent {
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly blocks: readonly Block[];
  /** position of the error for missing items */
  readonly missingItemRange: Range;
}

/** The content of a body for a schema, with diagnostics. */
export interface ContentResult {
  readonly content: BodyContent;
  readonly diagnostics: readonly Diagnostic[];
}

/** The content, with a body of the items that the schema does not name. */
export interface PartialContentResult extends ContentResult {
  /** the body without the extracted items */
  readonly remain: Body;
}

/** The attributes of a body without blocks, with diagnostics. */
export interface AttributesResult {
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly diagnostics: readonly Diagnostic[];
}

/** A function that an expression calls, and where. */
export interface FunctionReference {
  /** the full name, with "::" if it is namespaced */
  readonly name: string;
  readonly range: Range;
}

/**
 * A body of either syntax, or a combination of bodies. Content is extracted by schema; other items are an error for
 * `content` and remain in `remain` for `partialContent`.
 */
export interface Body {
  content(schema: BodySchema): ContentResult;
  partialContent(schema: BodySchema): PartialContentResult;
  /** interprets the whole body as attributes; blocks are errors */
  justAttributes(): AttributesResult;
  readonly missingItemRange: Range;
  /**
   * Set for the single block that represents all blocks of a `dynamic` block with an unknown `for_each`: the collection
   * of these blocks is then unknown.
   */
  readonly isUnknown?: boolean;
  /** marks of the value decoded from this body: those of a `dynamic` block's `for_each` */
  readonly valueMarks?: Marks;
}
