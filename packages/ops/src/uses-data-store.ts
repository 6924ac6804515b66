import type { Configuration, State } from '@terrane/engine';
import type { Body } from '@terrane/hcl';

const TYPE = 'terraform_data';

/**
 * Returns true if any `terraform_data` of the configuration or of the state has the `store` block of Terraform 1.16.
 * Only then is it part of the schema: otherwise states and JSON would contain an attribute `store` in every object,
 * which Terraform before 1.16 cannot read.
 */
export function usesDataStore(configuration: Configuration | undefined, state: State): boolean {
  if (configuration !== undefined && mayHaveStore(configuration)) {
    for (const module of configuration.modules.values()) {
      for (const { addr, body } of module.resources.values()) {
        if (addr.type === TYPE && hasStore(body)) return true;
      }
    }
  }
  if (!state.mayContain('"store"')) return false;
  for (const address of state.instances()) {
    if (address.resource.resource.type !== TYPE) continue;
    const { current, deposed } = state.instance(address) ?? {};
    for (const object of [current, ...(deposed?.values() ?? [])]) {
      // A false match inside a string is harmless: it only adds the block to the schema.
      if (/"store"\s*:\s*\{/.test(object?.attributesJson ?? '')) return true;
    }
  }
  return false;
}

/** Returns false if no file contains the name of the block; JSON may write any character as an escape sequence. */
function mayHaveStore({ sources }: Configuration): boolean {
  for (const { text } of sources.values())
    if (text.includes('store') || text.includes('\\u')) return true;
  return false;
}

function hasStore(body: Body): boolean {
  const { content } = body.partialContent({
    attributes: [],
    blocks: [{ type: 'store' }, { type: 'dynamic', labelNames: ['type'] }],
  });
  return content.blocks.some(({ type, labels }) => type === 'store' || labels[0] === 'store');
}
