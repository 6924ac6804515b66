import { mkdtemp, mkdir, readdir, rm, writeFile, copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ProviderSource } from '@terrane/addresses';
import {
  decodeStored,
  type Plan,
  type Schemas,
  type State,
  type VariableOption,
} from '@terrane/engine';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import { nodeHost } from '@terrane/host';
import {
  apply,
  DEFAULT_PARALLELISM,
  DEFAULT_STATE_OPTIONS,
  forget,
  type ProviderOption,
  openProject,
  plan,
  type PlanRequest,
  type Project,
  readState,
  refresh,
  type RunPorts,
  SILENT,
} from '@terrane/ops';
import { impliedType } from '@terrane/provider';
import { AcceptanceFailure, diagnosticsText } from './failure.ts';
import { type Attributes, type Plain, plainValue } from './plain-value.ts';
import type { Snapshot } from './test-case.ts';

const PLAN_FILE = 'acceptance-test.tfplan';
const STATE_FILE = 'terraform.tfstate';
const REQUIRED_PROVIDERS = 'providers_under_test.tf';

/** The result of a run: a plan, unless it failed, and diagnostics. */
export interface RunResult {
  readonly plan?: Plan | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Text of a configuration, or of its files by name. */
type Config = string | Readonly<Record<string, string>>;

/** Options of a plan. */
export type PlanOptions = Partial<Pick<PlanRequest, 'mode' | 'refresh'>>;

/** A variable set by text, as `-var` does. */
type TextVariable = Extract<VariableOption, { readonly text: string }>;

/** A directory with a configuration and a state, and the operations in it. */
export class WorkingDirectory {
  readonly path: string;
  readonly #providers: Readonly<Record<string, ProviderOption>>;
  readonly #ports: RunPorts;
  #variables: readonly TextVariable[] = [];
  #config: Config = '';
  /** the last configuration with a successful plan, which can destroy all objects */
  #lastPlanned:
    | { readonly config: Config; readonly variables: readonly TextVariable[] }
    | undefined;
  /** the last plan, whose schemas decode the state */
  #plan: Plan | undefined;

  private constructor(
    path: string,
    providers: Readonly<Record<string, ProviderOption>>,
    ports: RunPorts,
  ) {
    this.path = path;
    this.#providers = providers;
    this.#ports = ports;
  }

  /** Creates an empty working directory in `parent`. */
  static async make(
    providers: Readonly<Record<string, ProviderOption>>,
    options: { readonly parent?: string | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<WorkingDirectory> {
    const path = await mkdtemp(join(options.parent ?? tmpdir(), 'provider-test-'));
    const { signal } = options;
    const ports = signal === undefined ? SILENT : { ...SILENT, signal };
    return new WorkingDirectory(path, providers, ports);
  }

  /** Creates a copy with the same configuration, variables and state. */
  async copy(): Promise<WorkingDirectory> {
    const path = await mkdtemp(join(dirname(this.path), 'provider-test-'));
    const other = new WorkingDirectory(path, this.#providers, this.#ports);
    other.#variables = this.#variables;
    for (const name of await this.#files()) {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await copyFile(join(this.path, name), join(path, name));
    }
    return other;
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  /** Replaces the configuration. */
  async write(config: Config): Promise<void> {
    this.#config = config;
    const files = typeof config === 'string' ? { 'main.tf': config } : config;
    for (const name of await this.#files()) {
      if (!name.startsWith(STATE_FILE)) await rm(join(this.path, name));
    }
    for (const [name, text] of Object.entries(files)) await this.add(name, text);
    // Modules do not inherit provider sources, so they are added to each module that does not declare them.
    const sources = Object.entries(files).filter(([name]) => /\.tf(\.json)?$/.test(name));
    for (const folder of new Set(sources.map(([name]) => dirname(name)))) {
      const moduleFiles = sources.filter(([name]) => dirname(name) === folder);
      if (moduleFiles.some(([, text]) => text.includes('required_providers'))) continue;
      await this.add(
        join(folder, REQUIRED_PROVIDERS),
        requiredProviders(Object.keys(this.#providers)),
      );
    }
  }

  /** Restores the last configuration and variables with a successful plan. */
  async restore(): Promise<void> {
    const { config = '', variables = [] } = this.#lastPlanned ?? {};
    this.#variables = variables;
    await this.write(config);
  }

  /** Adds a file. */
  async add(name: string, text: string): Promise<void> {
    const path = join(this.path, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  setVariables(variables: Readonly<Record<string, string>>): void {
    this.#variables = Object.entries(variables).map(([name, value]) => ({
      kind: 'var',
      text: `${name}=${value}`,
    }));
  }

  /** Creates a plan and stores it for {@link applyPlanned}. */
  async plan(options: PlanOptions = {}): Promise<RunResult> {
    const { result, diagnostics } = await plan(
      this.#project(),
      this.#request(options),
      this.#ports,
      PLAN_FILE,
    );
    if (result !== undefined) {
      this.#plan = result.plan;
      if (!hasErrors(diagnostics)) {
        this.#lastPlanned = { config: this.#config, variables: this.#variables };
      }
    }
    return { plan: result?.plan, diagnostics };
  }

  /** Applies the last plan. */
  async applyPlanned(): Promise<RunResult> {
    // A plan contains the values of all variables except ephemeral ones.
    const applyTimeVariables = new Set(this.#plan?.applyTimeVariables);
    const variables = this.#variables.filter(({ text }) =>
      applyTimeVariables.has(text.split('=')[0] ?? ''),
    );
    const { diagnostics } = await apply(
      this.#project(variables),
      { ...this.#request({}), variables, autoApprove: true, planPath: PLAN_FILE },
      { ...this.#ports, showPlan: () => undefined, showDiagnostics: () => undefined },
    );
    return { diagnostics };
  }

  /** Refreshes the state. */
  async refresh(): Promise<RunResult> {
    const { diagnostics } = await refresh(this.#project(), this.#request({}), this.#ports);
    return { diagnostics };
  }

  /** Removes an object from the state without destroying it. */
  async forget(address: string): Promise<RunResult> {
    const { diagnostics } = await forget(
      this.#project(),
      [address],
      { ...DEFAULT_STATE_OPTIONS, dryRun: false },
      this.#ports,
    );
    return { diagnostics };
  }

  /** Returns the current content of the state. */
  async snapshot(): Promise<Snapshot> {
    const { file, diagnostics } = await readState(this.#project());
    if (hasErrors(diagnostics)) throw new AcceptanceFailure(diagnosticsText(diagnostics));
    const objects = new Map<string, Attributes>();
    const outputs = new Map<string, Plain>();
    if (file !== undefined) {
      for (const addr of file.state.instances()) {
        const attributes = attributesOf(file.state, addr, this.#plan?.schemas);
        if (attributes !== undefined) objects.set(addr.text, attributes);
      }
      for (const [name, { value }] of file.state.outputs) outputs.set(name, plainValue(value));
    }
    return { directory: this.path, objects, outputs };
  }

  /** Names of the files of the configuration and the state, in all directories. */
  async #files(): Promise<readonly string[]> {
    const entries = await readdir(this.path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name !== PLAN_FILE)
      .map((entry) => join(entry.parentPath, entry.name).slice(this.path.length + 1))
      .filter((name) => !name.startsWith('.terraform'));
  }

  #project(variables = this.#variables): Project {
    const host = nodeHost({ cwd: this.path });
    return openProject(host, { variables, providers: this.#providers });
  }

  #request(options: PlanOptions): PlanRequest {
    return {
      state: DEFAULT_STATE_OPTIONS,
      variables: this.#variables,
      parallelism: DEFAULT_PARALLELISM,
      mode: options.mode ?? 'normal',
      refresh: options.refresh ?? true,
      targets: [],
      targetTexts: [],
      replace: [],
    };
  }
}

/** Returns the attributes of the current object of an instance, decoded by its schema. */
function attributesOf(
  state: State,
  addr: Parameters<State['instance']>[0],
  schemas: Schemas | undefined,
): Attributes | undefined {
  const object = state.instance(addr)?.current;
  if (object === undefined) return undefined;
  const { mode, type } = addr.config.resource;
  const schema = schemas?.resource(object.provider.provider, mode, type);
  if (schema === undefined) throw new Error(`there is no schema of ${addr.text}`);
  // The attributes of a resource are always an object.
  return plainValue(decodeStored(object, impliedType(schema.block))) as Attributes;
}

/** Returns a `required_providers` block for all addresses, under their last part. */
function requiredProviders(addresses: Iterable<string>): string {
  const lines = [...addresses].map((address) => {
    const source = ProviderSource.parse(address);
    if ('error' in source) throw new Error(source.error);
    return `    ${source.type} = { source = ${JSON.stringify(source.text)} }\n`;
  });
  return `terraform {\n  required_providers {\n${lines.join('')}  }\n}\n`;
}
