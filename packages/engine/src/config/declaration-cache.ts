import type { Body, Diagnostic } from '@terrane/hcl';
import { decodeFile, type FileContent } from './decode-file.ts';

interface DecodedFile {
  readonly content: FileContent;
  readonly diagnostics: readonly Diagnostic[];
}

interface Completed {
  readonly context: unknown;
  readonly declaration: object;
}

/**
 * The declarations of files, for callers that load a configuration again after each change of a file: those of an
 * unchanged syntax tree are decoded once, and remain the same objects. Files of modules with override files are decoded
 * each time, because overrides are merged into the declarations. Modules of the same directory have declarations of their
 * own.
 */
export class DeclarationCache {
  readonly #files = new WeakMap<Body, Map<string, DecodedFile>>();
  readonly #completed = new WeakMap<object, Completed>();
  #decodedFiles = 0;

  /** The number of files that were decoded so far. */
  get decodedFiles(): number {
    return this.#decodedFiles;
  }

  /** Returns the declarations of a file that is no override file, in the module with this path. */
  fileContent(module: string, body: Body, diagnostics: Diagnostic[]): FileContent {
    let byModule = this.#files.get(body);
    if (byModule === undefined) {
      byModule = new Map();
      this.#files.set(body, byModule);
    }
    let file = byModule.get(module);
    if (file === undefined) {
      const problems: Diagnostic[] = [];
      file = { content: decodeFile(body, false, problems), diagnostics: problems };
      byModule.set(module, file);
      this.#decodedFiles++;
    }
    diagnostics.push(...file.diagnostics);
    const { content } = file;
    if (!content.calls.some(hasConstants)) return content;
    // Constants are evaluated into the call.
    return {
      ...content,
      calls: content.calls.map((call) => (hasConstants(call) ? { ...call } : call)),
    };
  }

  /** Returns the completed form of a decoded declaration, which also depends on `context`. */
  completed<T extends object>(decoded: object, context: unknown, complete: () => T): T {
    const existing = this.#completed.get(decoded);
    // The kind of a declaration never changes.
    if (existing !== undefined && existing.context === context) return existing.declaration as T;
    const declaration = complete();
    this.#completed.set(decoded, { context, declaration });
    return declaration;
  }
}

function hasConstants({ sourceConstant, versionConstant }: FileContent['calls'][number]): boolean {
  return sourceConstant !== undefined || versionConstant !== undefined;
}
