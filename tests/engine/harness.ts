import { posix } from 'node:path';
import { parseActionTarget, parseInstanceAddr, parseTarget } from '@terrane/addresses';
import type { Value } from '@terrane/cty';
import {
  applyPlan,
  collectVariables,
  EMPTY_STATE,
  finalizeVariables,
  loadConfiguration,
  type LoadResult,
  type LockGuard,
  makePlan,
  type Plan,
  type PlannedChange,
  type ProvisionerPort,
  type ProvisionRequest,
  type RunEvent,
  type Schemas,
  type State,
  StateDraft,
  type StateEvent,
  type StateRecorder,
  validateConfiguration,
  variableOrigins,
} from '@terrane/engine';
import type { Diagnostic } from '@terrane/hcl';
import { enforceContract, type ProviderSchema } from '@terrane/provider';
import { provider as terraform } from '@terrane/provider-terraform';
import { ManualClock, memoryHost, type MemoryHost } from '@terrane/testkit';
import { TestWorld } from './test-provider.ts';
import { Vault } from './vault-provider.ts';

/** Options of a run besides the configuration. */
export interface RunChoices {
  readonly mode?: 'normal' | 'destroy' | 'refresh-only';
  readonly refresh?: boolean;
  readonly targets?: readonly string[];
  readonly excludes?: readonly string[];
  readonly replace?: readonly string[];
  readonly allowDeferral?: boolean;
  readonly minimalRefresh?: boolean;
  readonly invoke?: string;
  readonly generateConfigOut?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Ends the run softly. */
  readonly signal?: AbortSignal;
  /** The lock of the state, for runs that stop when it is lost. */
  readonly lock?: LockGuard | undefined;
  readonly parallelism?: number;
}

/** A plan with what was said on the way. */
export interface PlannedRun {
  readonly plan: Plan | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** One line a change other than no-ops: "create test_thing.a", with the reason where there is one. */
  readonly lines: readonly string[];
}

const BUILTIN = 'terraform.io/builtin/terraform';
const TEST = 'registry.terraform.io/hashicorp/test';
const VAULT = 'registry.terraform.io/hashicorp/vault';

/** A project in memory: configuration, state and the world that its providers act on. */
export class TestProject {
  readonly world: TestWorld = new TestWorld();
  readonly clock: ManualClock = new ManualClock();
  readonly vault: Vault = new Vault(this.clock);
  /** The events of the last runs, in order. */
  readonly runEvents: RunEvent[] = [];
  state: State = EMPTY_STATE;
  /** Called for each provisioner. */
  onProvision: (request: ProvisionRequest) => void = () => undefined;
  /** The commands of provisioners, in order; the command "fail" fails. */
  readonly provisioned: ProvisionRequest[] = [];
  readonly provisioners: ProvisionerPort = {
    provision: (request) => {
      this.provisioned.push(request);
      this.onProvision(request);
      const fails = request.config.attr('command').asString() === 'fail';
      return Promise.resolve(
        fails ? [{ severity: 'error', summary: 'It failed', detail: '' }] : [],
      );
    },
  };
  /** Events of the last apply, in order. */
  events: StateEvent[] = [];
  #files: Readonly<Record<string, string>> = {};
  #schemas: Schemas | undefined;
  #loaded: (LoadResult & { readonly host: MemoryHost }) | undefined;

  /** Replaces the configuration; a text alone is `main.tf`. */
  write(files: string | Readonly<Record<string, string>>): void {
    this.#files = typeof files === 'string' ? { 'main.tf': files } : files;
    this.#loaded = undefined;
  }

  /** The configuration in one text. */
  get text(): string {
    return Object.entries(this.#files)
      .map(([name, text]) => `# ${name}\n${text}\n`)
      .join('');
  }

  async validate(): Promise<readonly Diagnostic[]> {
    const { settings, diagnostics } = await this.#open({});
    return settings === undefined ? diagnostics : await validateConfiguration(settings);
  }

  async plan(choices: RunChoices = {}): Promise<PlannedRun> {
    const { settings, givenVariables, diagnostics } = await this.#open(choices);
    if (settings === undefined) return { plan: undefined, diagnostics, lines: [] };
    const targets = (choices.targets ?? []).map((text) => need(parseTarget(text).target));
    const made = await makePlan({
      ...settings,
      givenVariables,
      state: this.state,
      mode: choices.mode ?? (choices.invoke === undefined ? 'normal' : 'refresh-only'),
      refresh: choices.refresh ?? true,
      targets,
      targetTexts: choices.targets ?? [],
      excludes: (choices.excludes ?? []).map((text) => need(parseTarget(text).target)),
      excludeTexts: choices.excludes ?? [],
      allowDeferral: choices.allowDeferral ?? false,
      minimalRefresh: choices.minimalRefresh ?? false,
      ...(choices.generateConfigOut === undefined
        ? {}
        : { generateConfigOut: choices.generateConfigOut }),
      replace: (choices.replace ?? []).map((text) => need(parseInstanceAddr(text).address)),
      ...(choices.invoke === undefined
        ? {}
        : { invoke: need(parseActionTarget(choices.invoke).target) }),
    });
    const lines = (made.plan?.changes ?? [])
      .filter((change) => change.action !== 'no-op')
      .map(lineOf);
    return { plan: made.plan, diagnostics: made.diagnostics, lines };
  }

  /** Plans and applies; the state is kept whatever comes of it. */
  async apply(choices: RunChoices = {}): Promise<readonly Diagnostic[]> {
    const planned = await this.plan(choices);
    if (planned.plan === undefined || planned.plan.errored) return planned.diagnostics;
    const applied = await this.follow(planned.plan, choices);
    return [...planned.diagnostics, ...applied];
  }

  /** Applies a plan made before. */
  async follow(plan: Plan, choices: RunChoices = {}): Promise<readonly Diagnostic[]> {
    const draft = new StateDraft(this.state);
    this.events = [];
    const record = (event: StateEvent): void => {
      this.events.push(event);
      draft.apply(event);
    };
    const finish = (): never => {
      throw new Error('the caller of applyPlan finishes the recorder');
    };
    const diagnostics = await this.applyWith(plan, { draft, record, finish }, choices);
    this.state = draft.freeze();
    return diagnostics;
  }

  /** Applies a plan made before and leaves what becomes of the state to a recorder. */
  async applyWith(
    plan: Plan,
    recorder: StateRecorder,
    choices: RunChoices = {},
  ): Promise<readonly Diagnostic[]> {
    const { settings, diagnostics } = await this.#open(choices);
    if (settings === undefined) return diagnostics;
    const applied = await applyPlan({ ...settings, plan, recorder });
    return applied.diagnostics;
  }

  async #readSchemas(): Promise<ReadonlyMap<string, ProviderSchema>> {
    return new Map([
      [BUILTIN, await terraform.create(memoryHost()).schema()],
      [TEST, await this.world.provider().schema()],
      [VAULT, await this.vault.provider().schema()],
    ]);
  }

  async #load() {
    const host = memoryHost({ clock: this.clock });
    for (const [name, text] of Object.entries(this.#files)) {
      await host.files.makeDirectory(posix.dirname(posix.join('/project', name)));
      await host.files.writeFile(posix.join('/project', name), text);
    }
    return { host, ...loadConfiguration(host.files, '.') };
  }

  async #open(choices: RunChoices) {
    const { host, ...loaded } = (this.#loaded ??= await this.#load());
    const configuration = loaded.configuration;
    if (
      configuration === undefined ||
      loaded.diagnostics.some((diagnostic) => diagnostic.severity === 'error')
    ) {
      return { diagnostics: loaded.diagnostics };
    }
    const args = Object.entries(choices.variables ?? {}).map(([name, value]) => ({
      kind: 'var' as const,
      text: `${name}=${value}`,
    }));
    const collected = collectVariables(host, '.', args, configuration);
    const { values, parsed, unsuitable, diagnostics } = finalizeVariables(
      configuration,
      collected.values,
    );
    const problems = [...collected.diagnostics, ...diagnostics];
    if (problems.some((diagnostic) => diagnostic.severity === 'error'))
      return { diagnostics: problems };
    const builtin = () => terraform.create(host);
    this.#schemas ??= schemasOf(await this.#readSchemas());
    const settings = {
      configuration,
      schemas: this.#schemas,
      providers: {
        start: ({ text }: { readonly text: string }) => {
          const plain = text === VAULT ? this.vault.provider() : this.world.provider();
          return enforceContract(text === BUILTIN ? builtin() : plain, text);
        },
      },
      functions: host,
      provisioners: this.provisioners,
      workspace: 'default',
      cwd: '/project',
      variables: values,
      unsuitable,
      variableOrigins: variableOrigins(collected.values),
      parallelism: choices.parallelism ?? 10,
      emit: (event: RunEvent): void => void this.runEvents.push(event),
      ...(choices.signal === undefined ? {} : { signal: choices.signal }),
      ...(choices.lock === undefined ? {} : { lock: choices.lock }),
      now: () => host.clock.now(),
      monotonicMs: () => host.clock.monotonicMs(),
      sleep: (ms: number, until?: AbortSignal) => host.clock.sleep(ms, until),
    };
    return { settings, givenVariables: parsed, diagnostics: [] };
  }
}

function schemasOf(schemas: ReadonlyMap<string, ProviderSchema>): Schemas {
  return {
    provider: (source) => schemas.get(source.text),
    resource: (source, mode, type) => {
      const schema = schemas.get(source.text);
      switch (mode) {
        case 'managed':
          return schema?.resources[type];
        case 'data':
          return schema?.dataSources[type];
        case 'ephemeral':
          return schema?.ephemeralResources[type];
        case 'list':
          return undefined;
      }
    },
  };
}

function lineOf(change: PlannedChange): string {
  const deposed = change.deposed === undefined ? '' : ` (deposed ${change.deposed})`;
  const reason = change.reason === undefined ? '' : `: ${change.reason}`;
  return `${change.action} ${change.addr.text}${deposed}${reason}`;
}

function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('nothing there');
  return value;
}

/** Summaries of errors, with the detail's first line. */
export function errorsOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics
    .filter((diagnostic) => diagnostic.severity === 'error')
    .map((diagnostic) => `${diagnostic.summary}: ${diagnostic.detail.split('\n', 1)[0]}`);
}

/** The text of a known string, for expectations. */
export function textOf(value: Value | undefined): string | undefined {
  return value === undefined || value.isNull || !value.isKnown ? undefined : value.asString();
}
