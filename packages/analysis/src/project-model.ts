import { parseModuleSource } from '@terrane/addresses';
import { configurationFiles } from '@terrane/engine';
import { Source } from '@terrane/hcl';
import type { DirectoryEntry, FileStat, FileSystem } from '@terrane/host';
import { readModuleManifest } from '@terrane/registry/module-manifest';
import { fileKindOf } from './file-kind.ts';
import { type FoundDeclaration, ModuleIndex } from './module-index.ts';
import { baseName, directoryOf, resolvePath } from './paths.ts';
import { SourceDocument } from './source-document.ts';
import type { ModuleLink, Occurrence, Span } from './symbol.ts';

/** The file access that the model needs, synchronous as the engine's loader. */
export type ProjectFiles = Pick<FileSystem, 'readFileSync' | 'readDirectorySync' | 'statSync'>;

/** A place in a file. */
export interface Location {
  readonly path: string;
  readonly span: Span;
}

/** A symbol with the directory of the module that declares it. */
export interface SymbolTarget {
  readonly directory: string;
  readonly key: string;
}

/** An occurrence with its document. */
export interface FoundOccurrence {
  readonly document: SourceDocument;
  readonly occurrence: Occurrence;
}

/** The number of characters of files that are not parsed, which are kept for further searches. */
const MAX_SEARCHED = 32 * 1024 * 1024;

/** The parts of keys that are no part of the text of a declaration. */
const KEY_PREFIXES: readonly string[] = [
  'var',
  'local',
  'output',
  'module',
  'data',
  'ephemeral',
  'list',
  'action',
  'provider',
  'check',
  'run',
];

/** Longer files are not analysed. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** A version of an open document and the client's language id. */
interface OpenText {
  readonly text: string;
  readonly languageId: string | undefined;
}

/**
 * The files of a workspace as syntax trees, symbols and module links. Open documents replace files. Nothing is read
 * until it is needed, and a change only affects the changed file.
 */
export class ProjectModel {
  readonly #disk: ProjectFiles;
  readonly #open = new Map<string, OpenText>();
  readonly #documents = new Map<string, SourceDocument | undefined>();
  readonly #modules = new Map<string, ModuleIndex>();
  readonly #listings = new Map<string, readonly DirectoryEntry[]>();
  readonly #manifests = new Map<string, ReadonlyMap<string, string>>();
  /** lower-case texts of files that were searched and not parsed */
  readonly #searched = new Map<string, string>();
  #searchedSize = 0;
  #directories: readonly string[] = [];
  /** The files as the engine's loader sees them: open documents replace those on disk. */
  readonly files: ProjectFiles;

  constructor(disk: ProjectFiles) {
    this.#disk = disk;
    this.files = {
      readFileSync: (path) => this.#read(path),
      readDirectorySync: (path) => this.#list(path),
      statSync: (path) => this.#stat(path),
    };
  }

  /** Sets the directories of the workspace that may contain modules, for queries about all modules. */
  setDirectories(directories: readonly string[]): void {
    this.#directories = directories;
  }

  /** The directories of {@link setDirectories}, and those of open documents. */
  get directories(): readonly string[] {
    const open = [...this.#open.keys()].map(directoryOf);
    return [...new Set([...this.#directories, ...open])];
  }

  /** Opens a document or replaces its text. */
  setText(path: string, text: string, languageId?: string): void {
    const existing = this.#open.get(path);
    const isNew = existing === undefined;
    if (existing?.text === text) return;
    const previous = this.#documents.get(path);
    this.#forgetSearched(path);
    this.#open.set(path, { text, languageId: languageId ?? existing?.languageId });
    const kind =
      text.length > MAX_FILE_BYTES
        ? undefined
        : fileKindOf(path, languageId ?? existing?.languageId);
    // The syntax tree of a file that is opened unchanged is still valid.
    if (kind === undefined || previous?.text !== text || previous.kind !== kind)
      this.#documents.set(
        path,
        kind === undefined ? undefined : new SourceDocument(path, kind, text, previous),
      );
    this.#touch(path, isNew);
  }

  /** Closes a document: its file counts again. */
  closeText(path: string): void {
    if (!this.#open.delete(path)) return;
    this.#documents.delete(path);
    this.#touch(path, true);
  }

  isOpen(path: string): boolean {
    return this.#open.has(path);
  }

  /** The text of an open document, also of a kind that is not analysed. */
  openText(path: string): string | undefined {
    return this.#open.get(path)?.text;
  }

  /** Notes that a file on disk was created, changed or removed. */
  fileChanged(path: string): void {
    if (!this.#open.has(path)) this.#documents.delete(path);
    this.#forgetSearched(path);
    if (baseName(path) === 'modules.json') this.#manifests.clear();
    this.#touch(path, true);
  }

  /** Forgets all that was read from disk. */
  forgetFiles(): void {
    for (const path of this.#documents.keys())
      if (!this.#open.has(path)) this.#documents.delete(path);
    this.#modules.clear();
    this.#listings.clear();
    this.#manifests.clear();
    this.#searched.clear();
    this.#searchedSize = 0;
  }

  /** Returns the current version of a document; undefined if it cannot be read or is of no known kind. */
  document(path: string): SourceDocument | undefined {
    if (this.#documents.has(path)) return this.#documents.get(path);
    const document = this.#load(path);
    this.#documents.set(path, document);
    return document;
  }

  /** Returns the module in a directory, which may have no files. */
  module(directory: string): ModuleIndex {
    let module = this.#modules.get(directory);
    if (module === undefined) {
      const files = configurationFiles(this.files, directory);
      const paths = [
        ...(files?.primary ?? []),
        ...(files?.overrides ?? []),
        ...(files?.queries ?? []),
      ];
      module = new ModuleIndex(directory, paths, (path) => this.document(path));
      this.#modules.set(directory, module);
    }
    return module;
  }

  /**
   * Yields the declarations of all modules whose key contains a text, of any case. Files that cannot have one are read
   * and not parsed, so that a search in a large workspace costs little time and memory.
   */
  *searchDeclarations(query: string): Iterable<FoundDeclaration> {
    const wanted = query.toLowerCase();
    const isPrefix = (part: string): boolean =>
      KEY_PREFIXES.some((prefix) => prefix.includes(part));
    const parts = wanted.split('.').filter((part) => !isPrefix(part));
    for (const directory of this.directories) {
      for (const path of this.module(directory).paths) {
        if (!this.#documents.has(path) && !this.#mayContain(path, parts)) continue;
        const document = this.document(path);
        for (const declaration of document?.declarations ?? []) {
          if (document !== undefined && declaration.key.toLowerCase().includes(wanted))
            yield { document, declaration };
        }
      }
    }
  }

  /** Returns true if a file may have names with these lower-case parts. */
  #mayContain(path: string, parts: readonly string[]): boolean {
    const text = this.#searchedText(path);
    // Escapes may stand for any character.
    return text.includes('\\') || parts.every((part) => text.includes(part));
  }

  /** Returns the lower-case text of a file on disk; "" if it cannot be read or is too long. */
  #searchedText(path: string): string {
    const known = this.#searched.get(path);
    if (known !== undefined) return known;
    let text = '';
    try {
      const bytes = this.#analysedBytes(path);
      if (bytes !== undefined) text = new TextDecoder().decode(bytes).toLowerCase();
    } catch {
      // It has no declarations either.
    }
    if (this.#searchedSize + text.length <= MAX_SEARCHED) {
      this.#searched.set(path, text);
      this.#searchedSize += text.length;
    }
    return text;
  }

  #forgetSearched(path: string): void {
    this.#searchedSize -= this.#searched.get(path)?.length ?? 0;
    this.#searched.delete(path);
  }

  /** Returns the directory of the module that a document belongs to: for tests and variable files, the one they are for. */
  moduleDirectoryOf(document: SourceDocument): string {
    const { directory } = document;
    switch (document.kind.role) {
      case 'test':
      case 'mock': {
        if (this.module(directory).paths.length > 0) return directory;
        // Test files are in a folder of the module, "tests" by default.
        const above = directoryOf(directory);
        return this.module(above).paths.length > 0 ? above : directory;
      }
      case 'variables': {
        let at = directory;
        for (let up = 0; up < 4; up++) {
          if (this.module(at).paths.length > 0) return at;
          const above = directoryOf(at);
          if (above === at) break;
          at = above;
        }
        return directory;
      }
      default:
        return directory;
    }
  }

  /** Returns the test files and variable files that belong to a module. */
  satellites(directory: string): readonly SourceDocument[] {
    const paths: string[] = [];
    const take = (folder: string): void => {
      for (const { name, kind } of this.#list(folder)) {
        if (kind === 'directory') continue;
        const role = fileKindOf(name)?.role;
        if (role === 'test' || role === 'variables') paths.push(`${folder}/${name}`);
      }
    };
    take(directory);
    for (const { name, kind } of this.#list(directory)) {
      if (kind !== 'directory' || name.startsWith('.')) continue;
      const inside = `${directory}/${name}`;
      if (this.module(inside).paths.length === 0) take(inside);
    }
    return paths.flatMap((path) => this.document(path) ?? []);
  }

  /** Returns the directory of the module that a call in a module leads to; undefined if it is not installed. */
  linkedDirectory(directory: string, link: ModuleLink): string | undefined {
    if (link.source === undefined) return undefined;
    const parsed = parseModuleSource(link.source, link.version !== undefined);
    if ('error' in parsed) return undefined;
    if (parsed.source.kind === 'local') {
      const target = resolvePath(directory, parsed.source.path);
      return this.#stat(target)?.kind === 'directory' ? target : undefined;
    }
    return this.#installedDirectory(directory, link.name.replace(/^run:/, ''));
  }

  /** Follows module calls from a document's module; undefined if one of them is not installed. */
  follow(document: SourceDocument, via: string): string | undefined {
    let directory = this.moduleDirectoryOf(document);
    if (via === '') return directory;
    const [first = '', ...rest] = via.startsWith('run:') ? splitRun(via) : via.split('.');
    const documentLink = document.symbols.links.find(({ name }) => name === first);
    const link = documentLink ?? this.module(directory).links.get(first);
    if (link === undefined)
      return first.startsWith('run:') && documentLink === undefined ? directory : undefined;
    const next = this.linkedDirectory(directory, link);
    if (next === undefined) return undefined;
    directory = next;
    for (const name of rest) {
      const inner = this.module(directory).links.get(name);
      const below = inner === undefined ? undefined : this.linkedDirectory(directory, inner);
      if (below === undefined) return undefined;
      directory = below;
    }
    return directory;
  }

  /** Returns the symbol that an occurrence stands for; undefined if its module is not installed. */
  targetOf(document: SourceDocument, occurrence: Occurrence): SymbolTarget | undefined {
    if (occurrence.key.startsWith('run.')) return { directory: document.path, key: occurrence.key };
    if (this.#isFileVariable(document, occurrence))
      return { directory: document.path, key: occurrence.key };
    const directory = this.follow(document, occurrence.via);
    return directory === undefined ? undefined : { directory, key: occurrence.key };
  }

  /** A variable that the test file itself declares. */
  #isFileVariable({ kind, symbols }: SourceDocument, { key, via }: Occurrence): boolean {
    return (
      kind.role === 'test' &&
      via === '' &&
      key.startsWith('var.') &&
      symbols.declarations.some((declaration) => declaration.key === key)
    );
  }

  /** Returns the occurrence at an offset; at its end counts too. */
  occurrenceAt(document: SourceDocument, offset: number): Occurrence | undefined {
    return document.symbols.occurrences.find(
      ({ span }) => span.start <= offset && offset <= span.end,
    );
  }

  /** Returns the symbol at an offset: the one of the occurrence there, or the one that a block with its keyword there declares. */
  subjectAt(document: SourceDocument, offset: number): SymbolTarget | undefined {
    const occurrence = this.occurrenceAt(document, offset) ?? declaredAt(document, offset);
    return occurrence === undefined ? undefined : this.targetOf(document, occurrence);
  }

  /** Returns the declarations of a symbol. */
  declarationsOf(target: SymbolTarget): readonly FoundDeclaration[] {
    const testFile = this.#openOrKnown(target.directory);
    if (testFile !== undefined) {
      return testFile.declarations
        .filter(({ key }) => key === target.key)
        .map((declaration) => ({ document: testFile, declaration }));
    }
    return this.module(target.directory).declarationsOf(target.key);
  }

  /** Returns all occurrences of a symbol in its module, its tests and variable files, and in modules that call it. */
  occurrencesOf(target: SymbolTarget): readonly FoundOccurrence[] {
    const testFile = this.#openOrKnown(target.directory);
    if (testFile !== undefined) {
      return testFile.symbols.occurrences
        .filter(({ key }) => key === target.key)
        .map((occurrence) => ({ document: testFile, occurrence }));
    }
    const occurrences: FoundOccurrence[] = [];
    const seen = new Set<string>();
    const searched = (directory: string, isOwn: boolean): void => {
      if (seen.has(directory)) return;
      seen.add(directory);
      const module = this.module(directory);
      if (!isOwn && module.links.size === 0) {
        for (const document of this.satellites(directory)) {
          if (document.symbols.links.length > 0) this.#matching(document, target, occurrences);
        }
        return;
      }
      for (const document of module.documents) this.#matching(document, target, occurrences);
      for (const document of this.satellites(directory))
        this.#matching(document, target, occurrences);
    };
    searched(target.directory, true);
    for (const directory of this.directories) {
      if (this.#mayCall(directory)) searched(directory, false);
    }
    return occurrences;
  }

  /** Returns the references to calls of a module as values, through which its outputs may be used. */
  wholeCallsOf(directory: string): readonly FoundOccurrence[] {
    return this.directories.flatMap((each) => {
      const documents = [...this.module(each).documents, ...this.satellites(each)];
      return documents.flatMap((document) =>
        document.symbols.occurrences.flatMap((occurrence) => {
          if (occurrence.isWhole !== true) return [];
          const via = `${occurrence.via === '' ? '' : `${occurrence.via}.`}${occurrence.key.slice('module.'.length)}`;
          return this.follow(document, via) === directory ? [{ document, occurrence }] : [];
        }),
      );
    });
  }

  #matching(document: SourceDocument, target: SymbolTarget, occurrences: FoundOccurrence[]): void {
    for (const occurrence of document.symbols.occurrences) {
      if (occurrence.key !== target.key) continue;
      const here = this.targetOf(document, occurrence);
      if (here?.directory === target.directory) occurrences.push({ document, occurrence });
    }
  }

  /** Cheap test before a directory is parsed. */
  #mayCall(directory: string): boolean {
    return this.#list(directory).some(({ name, kind }) => {
      if (kind === 'directory') return name === 'tests';
      const role = fileKindOf(name)?.role;
      if (role !== 'module' && role !== 'test') return false;
      const path = `${directory}/${name}`;
      if (this.#documents.has(path)) return true;
      return this.#searchedText(path).includes('module');
    });
  }

  /** A test file as the scope of its runs. */
  #openOrKnown(path: string): SourceDocument | undefined {
    return fileKindOf(path)?.role === 'test' ? this.document(path) : undefined;
  }

  /** The directory of an installed module, by the manifest of the root module that installed it. */
  #installedDirectory(directory: string, call: string): string | undefined {
    let at = directory;
    for (;;) {
      const records = this.#manifest(at);
      if (records.size > 0) {
        for (const [key, place] of records) {
          if (place !== directory) continue;
          const installedDirectory = records.get(key === '' ? call : `${key}.${call}`);
          if (installedDirectory !== undefined) return installedDirectory;
        }
        const ofRoot = at === directory ? records.get(call) : undefined;
        if (ofRoot !== undefined) return ofRoot;
      }
      const above = directoryOf(at);
      if (above === at) return undefined;
      at = above;
    }
  }

  /** Directories of installed modules by key, of one root module. */
  #manifest(root: string): ReadonlyMap<string, string> {
    let records = this.#manifests.get(root);
    if (records === undefined) {
      const read = readModuleManifest(this.files, `${root}/.terraform/modules`);
      records =
        'error' in read
          ? new Map()
          : new Map(
              [...read.records].map(([key, record]) => [key, resolvePath(root, record.directory)]),
            );
      this.#manifests.set(root, records);
    }
    return records;
  }

  #touch(path: string, isListed: boolean): void {
    const directory = directoryOf(path);
    if (isListed) {
      this.#listings.delete(directory);
      this.#modules.delete(directory);
    } else this.#modules.get(directory)?.changed();
  }

  #load(path: string): SourceDocument | undefined {
    const open = this.#open.get(path);
    const kind = fileKindOf(path, open?.languageId);
    if (kind === undefined || (open?.text.length ?? 0) > MAX_FILE_BYTES) return undefined;
    if (open !== undefined) return new SourceDocument(path, kind, open.text);
    try {
      const bytes = this.#analysedBytes(path);
      if (bytes === undefined) return undefined;
      const { text } = Source.fromBytes(path, bytes);
      return new SourceDocument(path, kind, text);
    } catch {
      return undefined;
    }
  }

  /** Reads a file on disk; undefined if it is too long, or a device or pipe, which may block or never end. */
  #analysedBytes(path: string): Uint8Array | undefined {
    const stat = this.#disk.statSync(path);
    if (stat?.kind !== 'file' || stat.size > MAX_FILE_BYTES) return undefined;
    return this.#disk.readFileSync(path);
  }

  #read(path: string): Uint8Array {
    const open = this.#open.get(path);
    return open === undefined ? this.#disk.readFileSync(path) : new TextEncoder().encode(open.text);
  }

  #list(directory: string): readonly DirectoryEntry[] {
    let entries = this.#listings.get(directory);
    if (entries === undefined) {
      entries = this.#listed(directory);
      this.#listings.set(directory, entries);
    }
    return entries;
  }

  #listed(directory: string): readonly DirectoryEntry[] {
    let entries: readonly DirectoryEntry[] = [];
    try {
      entries = this.#disk.readDirectorySync(directory);
    } catch {
      // A directory that only open documents are in, or none.
    }
    const names = new Set(entries.map(({ name }) => name));
    const added: DirectoryEntry[] = [];
    for (const path of this.#open.keys()) {
      if (directoryOf(path) === directory && !names.has(baseName(path)))
        added.push({ name: baseName(path), kind: 'file' });
    }
    return added.length === 0 ? entries : [...entries, ...added];
  }

  #stat(path: string): FileStat | undefined {
    const open = this.#open.get(path);
    const onDisk = this.#disk.statSync(path);
    if (open === undefined) {
      if (onDisk === undefined && this.#list(path).length > 0)
        return { kind: 'directory', size: 0, mtimeMs: 0, mode: 0o755, inode: 0 };
      return onDisk;
    }
    const size = new TextEncoder().encode(open.text).length;
    return onDisk === undefined
      ? { kind: 'file', size, mtimeMs: 0, mode: 0o644, inode: 0 }
      : { ...onDisk, size };
  }
}

/** The declaration of a native block whose keyword or other label is at an offset. */
function declaredAt({ symbols }: SourceDocument, offset: number): Occurrence | undefined {
  const declaration = symbols.declarations.find(
    ({ block }) =>
      block !== undefined && block.typeRange.start <= offset && offset < block.openBraceRange.start,
  );
  return symbols.occurrences.find(
    ({ key, role, via }) => key === declaration?.key && role === 'declaration' && via === '',
  );
}

/** The name of a run may contain no dots, but calls after it are separated by them. */
function splitRun(via: string): readonly string[] {
  return via.split('.');
}
