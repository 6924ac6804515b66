import { createHash } from 'node:crypto';
import { type NameRules, pathKey, pathProblem } from '../file-names.ts';
import type { ModuleRecord } from './module-manifest.ts';

/**
 * The directories of installed modules, one for each key. A directory is named after its key, as in Terraform, unless the
 * file system does not allow that name or maps it to the directory of another module, as with `net` and `Net` on Windows and macOS.
 */
export class ModulePlaces {
  readonly #directory: string;
  readonly #rules: NameRules;
  /** directory names by key, and keys by normalized name */
  readonly #names: Map<string, string> = new Map();
  readonly #owners: Map<string, string> = new Map();

  /** `records`: the installed modules. */
  constructor(directory: string, records: Iterable<ModuleRecord>, rules: NameRules = 'posix') {
    this.#directory = directory;
    this.#rules = rules;
    for (const record of records) {
      if (!record.directory.startsWith(`${directory}/`)) continue;
      const [name = ''] = record.directory.slice(directory.length + 1).split('/');
      // Skip local modules: they are in the directory of their calling module, which has a separate record.
      if (name === record.key || name === this.#longName(record.key)) this.#claim(record.key, name);
    }
  }

  /** Returns the directory of a module. */
  of(key: string): string {
    const name = this.#names.get(key) ?? this.#choose(key);
    return `${this.#directory}/${name}`;
  }

  #choose(key: string): string {
    const owner = this.#owners.get(pathKey(key, this.#rules));
    const isFree = owner === undefined || owner === key;
    const name = isFree && pathProblem(key, this.#rules) === undefined ? key : this.#longName(key);
    this.#claim(key, name);
    return name;
  }

  #claim(key: string, name: string): void {
    this.#names.set(key, name);
    this.#owners.set(pathKey(name, this.#rules), key);
  }

  #longName(key: string): string {
    return `module-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
  }
}
