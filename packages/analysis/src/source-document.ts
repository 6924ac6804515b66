import {
  type Body,
  type Diagnostic,
  NativeBody,
  parseJsonSyntax,
  parseNative,
  parseTemplate,
  scanTokens,
  Source,
  type TokenList,
} from '@terrane/hcl';
import { collectSymbols } from './collect-symbols.ts';
import type { FileKind } from './file-kind.ts';
import type { Declaration, DocumentSymbols } from './symbol.ts';

const NO_SYMBOLS: DocumentSymbols = { declarations: [], occurrences: [], links: [] };

/** A parsed file: its body, except for templates, and its syntax errors. */
export interface ParsedDocument {
  readonly source: Source;
  readonly body: Body | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * One version of a file. Everything is computed on first use and kept: a changed file is another document. While a file
 * has syntax errors, `declarations` also has those of `previous`, the last version without errors.
 */
export class SourceDocument {
  readonly path: string;
  readonly kind: FileKind;
  readonly source: Source;
  readonly #previous: SourceDocument | undefined;
  #parsed: ParsedDocument | undefined;
  #tokens: TokenList | undefined;
  #symbols: DocumentSymbols | undefined;
  #declarations: readonly Declaration[] | undefined;

  constructor(path: string, kind: FileKind, text: string, previous?: SourceDocument) {
    this.path = path;
    this.kind = kind;
    this.source = new Source(path, text, kind.syntax === 'json' ? { json: true } : {});
    // Only the last version without errors is kept, so that the number of retained versions is bounded.
    this.#previous = previous?.isSound() === false ? previous.#previous : previous;
  }

  get text(): string {
    return this.source.text;
  }

  get directory(): string {
    const slash = this.path.lastIndexOf('/');
    return slash <= 0 ? '/' : this.path.slice(0, slash);
  }

  get parsed(): ParsedDocument {
    this.#parsed ??= this.#parse();
    return this.#parsed;
  }

  /** The body in native syntax; undefined for JSON and templates. */
  get native(): NativeBody | undefined {
    const { body } = this.parsed;
    return body instanceof NativeBody ? body : undefined;
  }

  get tokens(): TokenList {
    this.#tokens ??= scanTokens(
      this.source,
      this.kind.syntax === 'template' ? 'template' : 'normal',
    );
    return this.#tokens;
  }

  get symbols(): DocumentSymbols {
    this.#symbols ??= this.#collectSymbols();
    return this.#symbols;
  }

  /** A file with expressions that exceed the stack has no symbols; it must not break searches of the workspace. */
  #collectSymbols(): DocumentSymbols {
    const { body } = this.parsed;
    if (body === undefined) return NO_SYMBOLS;
    try {
      return collectSymbols(body, this.kind);
    } catch (error) {
      if (error instanceof RangeError) return NO_SYMBOLS;
      throw error;
    }
  }

  /** The declarations, including previous ones that a syntax error hides. */
  get declarations(): readonly Declaration[] {
    this.#declarations ??= this.#withHidden();
    return this.#declarations;
  }

  /** Returns true if the file has no syntax errors. */
  isSound(): boolean {
    return this.parsed.diagnostics.every(({ severity }) => severity !== 'error');
  }

  #withHidden(): readonly Declaration[] {
    const { declarations } = this.symbols;
    if (this.#previous === undefined || this.isSound()) return declarations;
    const keys = new Set(declarations.map(({ key }) => key));
    const hidden = this.#previous.symbols.declarations.filter(({ key }) => !keys.has(key));
    return [...declarations, ...hidden];
  }

  #parse(): ParsedDocument {
    const { source } = this;
    switch (this.kind.syntax) {
      case 'json':
        return parseJsonSyntax(source);
      case 'native':
        return parseNative(source);
      case 'template':
        return { source, body: undefined, diagnostics: parseTemplate(source).diagnostics };
    }
  }
}
