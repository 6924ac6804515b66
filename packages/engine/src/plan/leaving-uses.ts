import type { AbsResource, InstanceAddr, ProviderConfigAddr } from '@terrane/addresses';
import type { ResourceNode } from '../evaluate/node.ts';
import { providerOfLeaving } from '../evaluate/provider-instance.ts';
import { FEW_SESSIONS } from '../session/session-gate.ts';
import type { PlanRun } from './run.ts';
import { isWanted } from './wanted.ts';

type LeavingRun = Pick<
  PlanRun,
  | 'evaluation'
  | 'sessions'
  | 'previous'
  | 'prior'
  | 'uncertain'
  | 'configurationsOf'
  | 'dependencies'
>;

/**
 * Returns the provider configurations that the removal of an instance uses: the one that removes it, and those of the
 * actions that it triggers.
 */
export function configurationsOfLeaving(
  run: LeavingRun,
  addr: InstanceAddr,
): readonly ProviderConfigAddr[] {
  if (addr.resource.resource.mode !== 'managed') return [];
  const state = run.prior.instance(addr);
  const object =
    state?.current ?? run.uncertain.get(addr) ?? [...(state?.deposed.values() ?? [])][0];
  if (object === undefined) return [];
  const { configuration } = run.evaluation.program;
  const { provider } = providerOfLeaving(configuration, addr, object.provider);
  const node = run.dependencies.node(addr.config.text);
  const used = node === undefined ? [] : run.configurationsOf(node);
  const { configuration: ofObject } = provider;
  return used.includes(ofObject) ? used : [ofObject, ...used];
}

/**
 * Groups many instances by the provider configurations that they use, so that few have to be open at the same time.
 * Instances of few configurations remain in their order.
 */
export function byConfiguration(
  instances: readonly InstanceAddr[],
  uses: (addr: InstanceAddr) => readonly ProviderConfigAddr[],
): readonly InstanceAddr[] {
  const groups = new Map<ProviderConfigAddr | undefined, InstanceAddr[]>();
  for (const addr of instances) {
    const [configuration] = uses(addr);
    const group = groups.get(configuration);
    if (group === undefined) groups.set(configuration, [addr]);
    else group.push(addr);
  }
  return groups.size <= FEW_SESSIONS ? instances : [...groups.values()].flat();
}

/**
 * The provider configurations that removals use, which are planned after everything else. It keeps them open until
 * then.
 */
export class LeavingUses {
  readonly #run: LeavingRun;
  readonly #held = new Map<ProviderConfigAddr, () => void>();
  /** The managed resources of the state that are declared, by configuration address. */
  readonly #declared = new Map<string, AbsResource[]>();

  constructor(run: LeavingRun) {
    this.#run = run;
    for (const resource of run.previous.resources()) {
      if (resource.resource.mode !== 'managed') continue;
      const { text } = resource.config;
      if (run.dependencies.node(text) === undefined) {
        const [first] = run.previous.instancesOf(resource);
        if (first !== undefined) this.#hold(first);
        continue;
      }
      const others = this.#declared.get(text);
      if (others === undefined) this.#declared.set(text, [resource]);
      else others.push(resource);
    }
  }

  /** Retains the removals of instances of an expanded resource that are not configured any more. */
  holdFor({ module, resource }: ResourceNode): void {
    if (this.#declared.size === 0) return;
    const text = module.path.isRoot
      ? resource.addr.text
      : `${module.path.text}.${resource.addr.text}`;
    for (const stored of this.#declared.get(text) ?? []) {
      for (const addr of this.#run.previous.instancesOf(stored)) {
        if (isWanted(this.#run.evaluation, addr)) continue;
        this.#hold(addr);
        break;
      }
    }
  }

  /** Releases the retained removals, after the uses of each removal are announced. */
  release(): void {
    for (const release of this.#held.values()) release();
    this.#held.clear();
  }

  #hold(addr: InstanceAddr): void {
    for (const configuration of configurationsOfLeaving(this.#run, addr)) {
      if (!this.#held.has(configuration))
        this.#held.set(configuration, this.#run.sessions.hold(configuration));
    }
  }
}
