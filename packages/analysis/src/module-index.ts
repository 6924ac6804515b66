import type { SourceDocument } from './source-document.ts';
import type { Declaration, ModuleLink } from './symbol.ts';

/** A declaration with its document. */
export interface FoundDeclaration {
  readonly document: SourceDocument;
  readonly declaration: Declaration;
}

/** The declarations and module calls of one module directory, computed from its documents on first use. */
export class ModuleIndex {
  readonly directory: string;
  /** configuration files and query files */
  readonly paths: readonly string[];
  readonly #document: (path: string) => SourceDocument | undefined;
  #declarations: ReadonlyMap<string, readonly FoundDeclaration[]> | undefined;
  #links: ReadonlyMap<string, ModuleLink> | undefined;
  readonly #byKind = new Map<string, readonly FoundDeclaration[]>();
  readonly #derived = new Map<object, unknown>();

  constructor(
    directory: string,
    paths: readonly string[],
    document: (path: string) => SourceDocument | undefined,
  ) {
    this.directory = directory;
    this.paths = paths;
    this.#document = document;
  }

  /** Discards the computed index after a change of a file. */
  changed(): void {
    this.#declarations = undefined;
    this.#links = undefined;
    this.#byKind.clear();
    this.#derived.clear();
  }

  /** Returns the result of a function of this module, cached until one of its files changes. */
  derived<T>(compute: (module: ModuleIndex) => T): T {
    if (!this.#derived.has(compute)) this.#derived.set(compute, compute(this));
    return this.#derived.get(compute) as T;
  }

  get documents(): readonly SourceDocument[] {
    return this.paths.flatMap((path) => this.#document(path) ?? []);
  }

  /** All declarations by key, in the order of files. */
  get declarations(): ReadonlyMap<string, readonly FoundDeclaration[]> {
    if (this.#declarations === undefined) {
      const declarations = new Map<string, FoundDeclaration[]>();
      for (const document of this.documents) {
        for (const declaration of document.declarations) {
          const existing = declarations.get(declaration.key);
          if (existing === undefined)
            declarations.set(declaration.key, [{ document, declaration }]);
          else existing.push({ document, declaration });
        }
      }
      this.#declarations = declarations;
    }
    return this.#declarations;
  }

  declarationsOf(key: string): readonly FoundDeclaration[] {
    return this.declarations.get(key) ?? [];
  }

  /** Module calls by name. */
  get links(): ReadonlyMap<string, ModuleLink> {
    this.#links ??= new Map(
      this.documents.flatMap(({ symbols }) => symbols.links).map((link) => [link.name, link]),
    );
    return this.#links;
  }

  /** Declarations of one kind, the first of each key. */
  ofKind(kind: FoundDeclaration['declaration']['kind']): readonly FoundDeclaration[] {
    let declarations = this.#byKind.get(kind);
    if (declarations === undefined) {
      declarations = Array.from(this.declarations.values(), ([first]) => first).filter(
        (first) => first?.declaration.kind === kind,
      ) as FoundDeclaration[];
      this.#byKind.set(kind, declarations);
    }
    return declarations;
  }
}
