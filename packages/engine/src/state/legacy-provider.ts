import {
  MODULE_ROOT,
  type ModulePath,
  ProviderConfigAddr,
  ProviderSource,
} from '@terrane/addresses';
import { parseTraversal, Source, hasErrors } from '@terrane/hcl';

const DEFAULT_HOST = 'registry.terraform.io';
const LEGACY_NAMESPACE = '-';

/** The provider of a name of the time before providers had addresses. */
export function legacyProviderSource(name: string): ProviderSource {
  return name === 'terraform'
    ? ProviderSource.implied(name)
    : ProviderSource.of(DEFAULT_HOST, LEGACY_NAMESPACE, name);
}

/**
 * A provider configuration as Terraform wrote it until 0.12: `provider.aws`, `provider.aws.alias`, each
 * perhaps after a module path. The error is the text of Terraform's diagnostic.
 */
export function parseLegacyProvider(text: string): {
  readonly provider?: ProviderConfigAddr;
  readonly error?: string;
} {
  const { traversal, diagnostics } = parseTraversal(new Source('', text));
  if (traversal === undefined || hasErrors(diagnostics)) {
    const first = diagnostics[0];
    return { error: first === undefined ? 'invalid address' : `${first.summary}: ${first.detail}` };
  }
  const { steps } = traversal;
  let module: ModulePath = MODULE_ROOT;
  let at = 0;
  const nameAt = (i: number): string | undefined => {
    const step = steps[i];
    return step?.kind === 'root' || step?.kind === 'attr' ? step.name : undefined;
  };
  while (nameAt(at) === 'module') {
    const name = nameAt(at + 1);
    if (name === undefined) return refuse('Prefix "module." must be followed by a module name.');
    if (steps[at + 2]?.kind === 'index') {
      return refuse('Provider address cannot contain module indexes');
    }
    module = module.child(name);
    at += 2;
  }
  if (nameAt(at) !== 'provider' || steps.length < at + 2) {
    return refuse(
      'Provider address must begin with "provider.", followed by a provider type name.',
    );
  }
  if (steps.length > at + 3) {
    return refuse('Extraneous operators after provider configuration alias.');
  }
  const type = nameAt(at + 1);
  if (type === undefined) {
    return refuse('The prefix "provider." must be followed by a provider type name.');
  }
  const source = legacyProviderSource(type);
  if (steps.length === at + 2) return { provider: ProviderConfigAddr.of(module, source) };
  const alias = nameAt(at + 2);
  if (alias === undefined) {
    return refuse('Provider type name must be followed by a configuration alias name.');
  }
  return { provider: ProviderConfigAddr.of(module, source, alias) };
}

/**
 * The name and perhaps the alias by which a configuration means a provider: `aws`, `aws.alias`. The error is the
 * text of Terraform's diagnostics.
 */
export function parseLocalProvider(text: string): {
  readonly name?: string;
  readonly alias?: string;
  readonly error?: string;
} {
  const { traversal, diagnostics } = parseTraversal(new Source('', text));
  const [first] = diagnostics;
  if (traversal === undefined || first !== undefined) {
    return { error: first === undefined ? 'invalid address' : `${first.summary}: ${first.detail}` };
  }
  const [root, alias, more] = traversal.steps;
  if (root?.kind !== 'root') return refuse('A provider type name is required.');
  if (alias === undefined) return { name: root.name };
  if (alias.kind === 'attr') return { name: root.name, alias: alias.name };
  const wrongAlias =
    'The provider type name must either stand alone or be followed by an alias name separated with a dot.';
  if (more === undefined) return refuse(wrongAlias);
  const each = [wrongAlias, 'Extraneous extra operators after provider configuration address.'];
  return {
    error: `2 problems:\n\n${each.map((problem) => `- ${refuse(problem).error}`).join('\n')}`,
  };
}

function refuse(detail: string): { readonly error: string } {
  return { error: `Invalid provider configuration address: ${detail}` };
}
