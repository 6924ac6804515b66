import { type Diagnostic, hasErrors } from '@terrane/hcl';
import { ProviderConfigAddr } from '../addrs/provider-source.ts';
import type { ProviderSessions } from '../session/provider-sessions.ts';
import { evaluateBody } from './body.ts';
import type { Evaluation } from './evaluation.ts';
import type { ProviderNode } from './node.ts';

/** The address of the provider configuration that a block makes. */
export function providerNodeAddr(node: ProviderNode): ProviderConfigAddr {
  const { module, provider } = node;
  return ProviderConfigAddr.of(module.path, module.providerSource(provider.name), provider.alias);
}

/** Evaluates a provider block and configures the provider with it. */
export async function configureProvider(
  evaluation: Evaluation,
  sessions: ProviderSessions,
  node: ProviderNode,
): Promise<readonly Diagnostic[]> {
  const address = providerNodeAddr(node);
  const schema = evaluation.program.schemas.provider(address.provider);
  const [cells] = evaluation.instancesOf(node.module);
  if (schema === undefined || cells === undefined) return [];
  const diagnostics: Diagnostic[] = [];
  const { block } = schema.provider;
  const config = evaluateBody(
    node.provider.body,
    block,
    evaluation.scope(cells),
    address.text,
    diagnostics,
  );
  if (hasErrors(diagnostics)) {
    sessions.fail(address);
    return diagnostics;
  }
  return [...diagnostics, ...(await sessions.configure(address, node.provider, config))];
}
