import type { ProviderConfigAddr } from '@terrane/addresses';
import { type ConfigurationsOf, configurationsUsed } from '../evaluate/provider-users.ts';
import type { ProgramNode } from '../evaluate/node.ts';
import type { Step } from '../plan/step.ts';
import { type ApplyRun, deposedKeyText } from './request.ts';

const NONE: readonly ProviderConfigAddr[] = [];

/** The provider configurations that the steps of an apply use, without the keys of provider instances. */
export class StepUses {
  readonly #run: Pick<
    ApplyRun,
    'plan' | 'program' | 'changes' | 'deposedChanges' | 'dependencies' | 'invocations'
  >;
  readonly #ofNode: ConfigurationsOf;
  /** Cache of joined lists, by a list of configurations and the configuration that is added to it. */
  readonly #joined = new Map<
    readonly ProviderConfigAddr[],
    Map<ProviderConfigAddr, readonly ProviderConfigAddr[]>
  >();

  constructor(run: ApplyRun) {
    this.#run = run;
    this.#ofNode = configurationsUsed(run.program);
  }

  /** Returns the configurations that a step uses. */
  of(step: Step): readonly ProviderConfigAddr[] {
    const { plan, changes, deposedChanges, dependencies, invocations } = this.#run;
    switch (step.kind) {
      case 'join':
        return NONE;
      case 'evaluate':
        return this.#evaluated(step.module, step.key);
      case 'invoke': {
        const invocation = plan.invocations[step.invocation];
        if (invocation === undefined) return NONE;
        const { module, action } = invocation.addr;
        const used = this.#evaluated(module.path.text, action.text);
        return this.#join(used, invocation.provider.configuration);
      }
      default: {
        const { addr } = step;
        const deposed = 'deposed' in step ? step.deposed : undefined;
        const change =
          (deposed === undefined ? undefined : deposedChanges.get(deposedKeyText(addr, deposed))) ??
          changes.get(addr);
        const node = dependencies.node(addr.config.text);
        let used = node === undefined ? NONE : this.#ofNode(node);
        if (change !== undefined) used = this.#join(used, change.provider.configuration);
        const triggered = invocations.get(addr);
        if (triggered === undefined) return used;
        for (const { provider } of triggered) used = this.#join(used, provider.configuration);
        return used;
      }
    }
  }

  /** Returns the configurations that the evaluation of a node uses, without the one for the objects of a resource. */
  #evaluated(module: string, key: string): readonly ProviderConfigAddr[] {
    const { program } = this.#run;
    const owner = program.configuration.modules.get(module);
    const node: ProgramNode | undefined =
      owner === undefined ? undefined : program.find(owner, key);
    if (node === undefined) return NONE;
    const used = this.#ofNode(node);
    if (node.kind !== 'resource' || node.resource.addr.mode === 'ephemeral') return used;
    // The first configuration is the one for the objects of the resource.
    const resourceConfiguration = used[0];
    return used.length === 1
      ? NONE
      : used.filter((configuration) => configuration !== resourceConfiguration);
  }

  #join(
    used: readonly ProviderConfigAddr[],
    configuration: ProviderConfigAddr,
  ): readonly ProviderConfigAddr[] {
    if (used.includes(configuration)) return used;
    let joined = this.#joined.get(used);
    if (joined === undefined) this.#joined.set(used, (joined = new Map()));
    let list = joined.get(configuration);
    if (list === undefined) joined.set(configuration, (list = [...used, configuration]));
    return list;
  }
}
