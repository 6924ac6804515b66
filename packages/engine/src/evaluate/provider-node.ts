import { ProviderConfigAddr } from '@terrane/addresses';
import { EMPTY_OBJECT_VALUE, str } from '@terrane/cty';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import type { ProviderSessions } from '../session/provider-sessions.ts';
import { evaluateBody } from './body.ts';
import type { Evaluation } from './evaluation.ts';
import type { ProviderNode } from './node.ts';
import { NO_REPETITION, type Repetition } from './repetition.ts';

/** The address of the provider configuration that a block makes. */
export function providerNodeAddr(node: ProviderNode): ProviderConfigAddr {
  const { module, provider } = node;
  return ProviderConfigAddr.of(module.path, module.providerSource(provider.name), provider.alias);
}

/** Evaluates a provider block and configures the provider with it, each instance by itself. */
export async function configureProvider(
  evaluation: Evaluation,
  sessions: ProviderSessions,
  node: ProviderNode,
): Promise<readonly Diagnostic[]> {
  const address = providerNodeAddr(node);
  const schema = evaluation.program.schemas.provider(address.provider);
  const [cells] = evaluation.instancesOf(node.module);
  if (schema === undefined || cells === undefined) return [];
  // A mock has no settings, whatever the provider that it stands for asks for.
  if (node.provider.mocked === true)
    return await sessions.configure(address, node.provider, EMPTY_OBJECT_VALUE);
  const configure = async (
    instance: ProviderConfigAddr,
    repetition: Repetition,
  ): Promise<readonly Diagnostic[]> => {
    const diagnostics: Diagnostic[] = [];
    const { block } = schema.provider;
    const scope = evaluation.providerBlockScope(cells, repetition);
    const config = await evaluation.evaluate(diagnostics, (pass) =>
      evaluateBody(node.provider.body, block, scope, instance.text, pass.diagnostics),
    );
    if (hasErrors(diagnostics)) {
      sessions.fail(instance);
      return diagnostics;
    }
    return [...diagnostics, ...(await sessions.configure(instance, node.provider, config))];
  };
  const { instances } = node.provider;
  if (instances === undefined) return await configure(address, NO_REPETITION);
  const all = Array.from(instances, ([key, eachValue]) =>
    configure(address.instance(key), { eachKey: str(key), eachValue }),
  );
  return (await Promise.all(all)).flat();
}
