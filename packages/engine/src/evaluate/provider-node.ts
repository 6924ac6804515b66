import { ProviderConfigAddr } from '@terrane/addresses';
import { EMPTY_OBJECT_VALUE, str } from '@terrane/cty';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import { type Awaitable, chain } from '@terrane/provider';
import type { ProviderSessions } from '../session/provider-sessions.ts';
import { evaluateBody } from './body.ts';
import type { NodeOutcome } from './driver.ts';
import type { Evaluation } from './evaluation.ts';
import type { ProviderNode } from './node.ts';
import { NO_REPETITION, type Repetition } from './repetition.ts';

/** Returns the address of a provider block's configuration. */
export function providerNodeAddr(node: ProviderNode): ProviderConfigAddr {
  const { module, provider } = node;
  return ProviderConfigAddr.of(module.path, module.providerSource(provider.name), provider.alias);
}

/** Evaluates a provider block, for each instance separately, and declares the configuration of the provider. */
export async function declareProvider(
  evaluation: Evaluation,
  sessions: ProviderSessions,
  node: ProviderNode,
): Promise<readonly Diagnostic[]> {
  const address = providerNodeAddr(node);
  const schema = evaluation.program.schemas.provider(address.provider);
  const [cells] = evaluation.instancesOf(node.module);
  if (schema === undefined || cells === undefined) return [];
  // A mock has no settings, whatever its provider's schema requires.
  if (node.provider.mocked === true) {
    sessions.declare(address, node.provider, EMPTY_OBJECT_VALUE);
    return [];
  }
  const declare = async (
    instance: ProviderConfigAddr,
    repetition: Repetition,
  ): Promise<readonly Diagnostic[]> => {
    const diagnostics: Diagnostic[] = [];
    const { block } = schema.provider;
    const scope = evaluation.providerBlockScope(cells, repetition);
    const config = await evaluation.evaluate(diagnostics, (pass) =>
      evaluateBody(node.provider.body, block, scope, instance.text, pass.diagnostics),
    );
    if (hasErrors(diagnostics)) sessions.fail(instance);
    else sessions.declare(instance, node.provider, config);
    return diagnostics;
  };
  const { instances } = node.provider;
  if (instances === undefined) return await declare(address, NO_REPETITION);
  const all = Array.from(instances, ([key, eachValue]) =>
    declare(address.instance(key), { eachKey: str(key), eachValue }),
  );
  return (await Promise.all(all)).flat();
}

/**
 * Performs the work of a node that uses provider configurations, after those with blocks are configured. The node fails
 * if one of them cannot be configured.
 */
export function withProviders(
  sessions: ProviderSessions,
  configurations: readonly ProviderConfigAddr[],
  work: () => Awaitable<NodeOutcome>,
): Awaitable<NodeOutcome> {
  if (configurations.length === 0) return work();
  return sessions.use(configurations, () =>
    chain(sessions.openDeclared(configurations), (problems) => {
      if (problems === undefined) return 'failed';
      if (hasErrors(problems)) return problems;
      if (problems.length === 0) return work();
      return chain(work(), (outcome) =>
        outcome === 'failed' ? outcome : [...problems, ...outcome],
      );
    }),
  );
}
