import type { ProviderConfigAddr } from '@terrane/addresses';
import type { Gate } from '@terrane/graph';
import type { ProviderSessions } from './provider-sessions.ts';

/** The number of sessions that are opened without waiting for others, regardless of the parallelism of the run. */
export const FEW_SESSIONS = 10;

/**
 * Limits the provider sessions that are open at the same time. Up to the limit, every node starts as soon as it is
 * ready. Beyond it, nodes whose sessions are open go first, and another session is opened when fewer than the limit are
 * busy. Sessions that wait for a later use do not count as busy, so that the run always proceeds.
 */
export class SessionGate implements Gate {
  readonly #sessions: ProviderSessions;
  readonly #configurationsOf: (node: number) => readonly ProviderConfigAddr[];
  readonly #limit: number;
  /** Nodes that wait, by the first configuration that they wait for. */
  readonly #waitingNodes = new Map<ProviderConfigAddr, number[]>();

  /** @param configurationsOf the configurations that a node uses, without the keys of instances */
  constructor(
    sessions: ProviderSessions,
    parallelism: number,
    configurationsOf: (node: number) => readonly ProviderConfigAddr[],
  ) {
    this.#sessions = sessions;
    this.#configurationsOf = configurationsOf;
    this.#limit = Math.max(parallelism, FEW_SESSIONS);
  }

  admits(node: number): boolean {
    const sessions = this.#sessions;
    const configurations = this.#configurationsOf(node);
    if (areReserved(sessions, configurations)) return true;
    const missing = configurations.filter((address) => !sessions.isReserved(address));
    const [first] = missing;
    if (first === undefined) return true;
    if (sessions.reserved + missing.length > this.#limit) {
      const kept = this.#waitingNodes.get(first);
      if (kept === undefined) this.#waitingNodes.set(first, [node]);
      else kept.push(node);
      return false;
    }
    for (const address of missing) sessions.reserve(address);
    return true;
  }

  next(isIdle: boolean): readonly number[] {
    const [first] = this.#waitingNodes;
    if (first === undefined || (!isIdle && this.#sessions.busy >= this.#limit)) return [];
    const [configuration, nodes] = first;
    this.#waitingNodes.delete(configuration);
    for (const node of nodes)
      for (const address of this.#configurationsOf(node)) this.#sessions.reserve(address);
    return nodes;
  }
}

/** Returns true if all configurations are open or about to be, as for most nodes. */
function areReserved(
  sessions: ProviderSessions,
  configurations: readonly ProviderConfigAddr[],
): boolean {
  for (const address of configurations) if (!sessions.isReserved(address)) return false;
  return true;
}
