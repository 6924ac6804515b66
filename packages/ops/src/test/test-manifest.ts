import { type State, TERRAFORM_VERSION } from '@terrane/engine';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import type { Project } from '../project.ts';
import { problemsText } from '../problems-text.ts';
import { managerAt } from '../state-manager.ts';

/** The reason why a state outlives its test; "dependency": cleaning up another state may need its outputs. */
export type KeptReason = 'skip_cleanup' | 'dependency' | 'error';

/** The manifest entry of a state with remaining objects. */
export interface KeptState {
  /** the state key within its test file */
  readonly key: string;
  /** the name of the stored state file; "" if a backend stores it */
  readonly id: string;
  readonly reason: KeptReason;
}

/** The outcome of a test state. */
export interface LeftState {
  readonly key: string;
  /** the name of its earlier state file; undefined if there is none */
  readonly id: string | undefined;
  readonly state: State;
  /** undefined if it need not be kept */
  readonly reason: KeptReason | undefined;
  /** true if a backend stores it and the manifest only refers to it */
  readonly elsewhere: boolean;
}

const ID_LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const ID_LENGTH = 8;

/**
 * The remaining test states, in `test` of the data directory. As in later versions of Terraform, `manifest.json` lists
 * them by file and state key, and each has a state file. If the clean-up of a state failed and its tests were executed
 * again, the earlier states are listed with the last one.
 */
export class TestManifest {
  readonly #project: Project;
  readonly #files: Map<string, readonly KeptState[]>;

  private constructor(project: Project, files: Map<string, readonly KeptState[]>) {
    this.#project = project;
    this.#files = files;
  }

  /** Reads the manifest of a project; empty if it is missing. Rejects if it is malformed. */
  static async load(project: Project): Promise<TestManifest> {
    const path = `${directoryOf(project)}/manifest.json`;
    const { files } = project.host;
    const bytes =
      files.statSync(path) === undefined ? new Uint8Array() : await files.readFile(path);
    const text = new TextDecoder().decode(bytes);
    return new TestManifest(project, text === '' ? new Map() : manifestOf(JSON.parse(text)));
  }

  /** Returns the remaining states of a test file; for states with the same key, the latest first. */
  statesOf(file: string): readonly KeptState[] {
    return this.#files.get(file) ?? [];
  }

  /** Reads a remaining state. Rejects if it cannot be read. */
  async read(id: string): Promise<State> {
    const { file, diagnostics } = await this.#manager(id).read();
    if (file === undefined || hasErrors(diagnostics)) {
      const why = file === undefined ? 'it is not there' : problemsText(diagnostics);
      throw new Error(`error loading state from file ${this.#path(id)}: ${why}`);
    }
    return file.state;
  }

  /** Stores the states of a file that have a reason to be kept, and removes those without one. */
  async keep(file: string, states: readonly LeftState[]): Promise<readonly Diagnostic[]> {
    const diagnostics: Diagnostic[] = [];
    let keptStates = this.statesOf(file);
    for (const { key, id, state, reason, elsewhere } of states) {
      const existing = keptStates.find((state) => state.key === key && state.id === id);
      if (reason === undefined) {
        if (existing === undefined) continue;
        if (existing.id !== '') await this.#project.host.files.remove(this.#path(existing.id));
        keptStates = keptStates.filter((state) => state !== existing);
        continue;
      }
      const stateId = elsewhere ? '' : (existing?.id ?? this.#newId());
      if (stateId !== '') diagnostics.push(...(await this.#store(stateId, state)));
      keptStates = [
        { key, id: stateId, reason },
        ...keptStates.filter((state) => state !== existing),
      ];
    }
    if (keptStates === this.statesOf(file)) return diagnostics;
    if (keptStates.length > 0) this.#files.set(file, keptStates);
    else this.#files.delete(file);
    const { files } = this.#project.host;
    await files.makeDirectory(directoryOf(this.#project));
    await files.writeFile(`${directoryOf(this.#project)}/manifest.json`, this.#text(), {
      mode: 0o600,
    });
    return diagnostics;
  }

  async #store(id: string, state: State): Promise<readonly Diagnostic[]> {
    await this.#project.host.files.makeDirectory(directoryOf(this.#project));
    const lineage = this.#project.host.random.uuid();
    const file = { state, lineage, serial: 1, terraformVersion: TERRAFORM_VERSION };
    const { state: stored, diagnostics } = await this.#manager(id).withoutLock().read();
    return (await stored?.write(file)) ?? diagnostics;
  }

  #manager(id: string): ReturnType<typeof managerAt> {
    const path = this.#path(id);
    return managerAt(this.#project, { path, outPath: path, backupPath: false });
  }

  #path(id: string): string {
    return `${directoryOf(this.#project)}/${id}.tfstate`;
  }

  #newId(): string {
    const bytes = this.#project.host.random.bytes(ID_LENGTH);
    return Array.from(bytes, (byte) => ID_LETTERS.charAt(byte % ID_LETTERS.length)).join('');
  }

  #text(): string {
    const files = Array.from(this.#files, ([name, keptStates]) => {
      const states = new Map<string, { earlier?: object[] }>();
      for (const state of keptStates) {
        const last = states.get(state.key);
        if (last === undefined) states.set(state.key, stateJson(state));
        else (last.earlier ??= []).push(stateJson(state));
      }
      return [name, { states: Object.fromEntries(states) }];
    });
    return `${JSON.stringify({ version: 0, files: Object.fromEntries(files) }, undefined, 2)}\n`;
  }
}

function stateJson({ id, reason }: KeptState): object {
  return { ...(id === '' ? {} : { id }), reason };
}

function directoryOf({ dataDirectory }: Project): string {
  return `${dataDirectory}/test`;
}

function manifestOf(json: unknown): Map<string, readonly KeptState[]> {
  const files = new Map<string, readonly KeptState[]>();
  for (const [name, file] of Object.entries(asObject(asObject(json)['files'] ?? {}))) {
    const states = Object.entries(asObject(asObject(file)['states'] ?? {}));
    const kept = states.flatMap(([key, last]) => {
      const { earlier = [] } = asObject(last);
      if (!Array.isArray(earlier)) throw new Error('"earlier" is no list');
      return [last, ...earlier.map((entry: unknown) => entry)].map((entry) =>
        keptState(key, entry),
      );
    });
    if (kept.length > 0) files.set(name, kept);
  }
  return files;
}

function keptState(key: string, json: unknown): KeptState {
  const { id = '', reason } = asObject(json);
  if (typeof id !== 'string' || !/^[a-zA-Z0-9]*$/.test(id))
    throw new Error('"id" may hold letters and digits only');
  if (reason !== 'skip_cleanup' && reason !== 'dependency' && reason !== 'error')
    throw new Error(`there is no reason ${JSON.stringify(reason)}`);
  return { key, id, reason };
}

function asObject(json: unknown): Record<string, unknown> {
  if (typeof json === 'object' && json !== null) return { ...json };
  throw new Error('an object was expected');
}
