import type { InstanceAddr, ProviderSource } from '@terrane/addresses';
import type { Value } from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';
import type { Awaitable } from '@terrane/provider';
import { evaluateBody } from './body.ts';
import type { Evaluation } from './evaluation.ts';

/** The part of a request with the provider metadata of a module. */
export interface MetaPart {
  readonly providerMeta?: Value;
}

const NOTHING: MetaPart = {};

/**
 * Evaluates the `provider_meta` block of an instance's module, which may only contain constants. It also applies to an
 * object that is destroyed, as long as its module is still in the configuration.
 */
export function providerMetaFor(
  evaluation: Evaluation,
  addr: InstanceAddr,
  provider: ProviderSource,
  diagnostics: Diagnostic[],
): Awaitable<MetaPart> {
  const { configuration, schemas } = evaluation.program;
  const module = configuration.modules.get(addr.resource.module.path.text);
  const block = module?.providerMetas.get(provider.text);
  if (block === undefined) return NOTHING;
  const schema = schemas.provider(provider)?.providerMeta;
  if (schema === undefined) return NOTHING;
  const scope = evaluation.scope(evaluation.root);
  return evaluation.evaluate(diagnostics, (pass) => ({
    providerMeta: evaluateBody(block.body, schema.block, scope, addr.text, pass.diagnostics),
  }));
}

/** Returns the metadata part of a request for an instance. */
export function metaPart({ providerMeta }: MetaPart): MetaPart {
  return providerMeta === undefined ? NOTHING : { providerMeta };
}
