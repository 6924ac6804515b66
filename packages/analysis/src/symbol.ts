import type { Expression, NativeAttribute, NativeBlock } from '@terrane/hcl';

/** The kind of a named object of a configuration. */
export type SymbolKind =
  | 'variable'
  | 'local'
  | 'output'
  | 'module'
  | 'resource'
  | 'data'
  | 'ephemeral'
  | 'list'
  | 'action'
  | 'provider'
  | 'check'
  | 'run';

/** A half-open range of UTF-16 offsets in the text of one document. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The declaration of a symbol. */
export interface Declaration {
  readonly kind: SymbolKind;
  /** the address within its module: "var.region", "data.aws_ami.web", "provider.aws.west" */
  readonly key: string;
  readonly name: string;
  /** the name alone, without quotes */
  readonly nameSpan: Span;
  /** the whole block or argument */
  readonly span: Span;
  /** the resource type, or the local name of a provider */
  readonly type?: string;
  /** the block, if it is in native syntax */
  readonly block?: NativeBlock;
  /** the argument that declares a local value in native syntax */
  readonly attribute?: NativeAttribute;
  /** arguments of the block, in either syntax */
  readonly arguments: ReadonlyMap<string, Expression>;
}

/**
 * An occurrence of a symbol's name. `via` names the module calls (joined by dots) that lead from the document's module
 * to the one that declares it; "" for the same module. `run:NAME` stands for the module of a test run.
 */
export interface Occurrence {
  readonly key: string;
  readonly via: string;
  readonly role: 'declaration' | 'reference' | 'assignment';
  /** the name alone, without quotes, dots and brackets */
  readonly span: Span;
  /** for references: the whole traversal; for assignments: the argument */
  readonly extent: Span;
  /** true if a module call is used as a value, so that references to its outputs cannot be determined */
  readonly isWhole?: true;
  /** in a `moved`, `removed` or `import` block, which names objects of the state */
  readonly refactoring?: 'moved-from' | 'moved-to' | 'removed' | 'import';
}

/** A module call or the `module` block of a test run, with its source address. */
export interface ModuleLink {
  /** the name of the call, or `run:NAME` */
  readonly name: string;
  readonly source: string | undefined;
  readonly version: string | undefined;
  /** the string with the source address, with its quotes */
  readonly sourceSpan: Span | undefined;
}

/** The symbols of one document. */
export interface DocumentSymbols {
  readonly declarations: readonly Declaration[];
  readonly occurrences: readonly Occurrence[];
  readonly links: readonly ModuleLink[];
}
