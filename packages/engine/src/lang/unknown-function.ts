import type { Diagnostic, Scope } from '@terrane/hcl';

/**
 * HCL's diagnostic about a function that does not exist, in Terraform's words where it is about a provider's.
 * Other diagnostics are given back as they are.
 */
export function explainUnknownFunction(diagnostic: Diagnostic, scope: Scope): Diagnostic {
  const called = calledFunction(diagnostic);
  if (called === undefined) return diagnostic;
  const { name, namespace } = called;
  const [first = '', provider = ''] = namespace.split('::');
  if (namespace === '') {
    for (const candidate of scope.functionNames()) {
      if (!candidate.endsWith(`::${name}`)) continue;
      return { ...diagnostic, detail: `${diagnostic.detail} Did you mean "${candidate}"?` };
    }
    return diagnostic;
  }
  return {
    ...diagnostic,
    summary: 'Unknown provider function',
    detail: providerFunctionDetail(name, namespace, first, provider, scope),
  };
}

function providerFunctionDetail(
  name: string,
  namespace: string,
  first: string,
  provider: string,
  scope: Scope,
): string {
  if (first !== 'provider') {
    return `The function namespace "${first}" is not valid. Provider function calls must use the "provider::" namespace prefix.`;
  }
  if (provider === '') {
    return 'The function call must include the provider name after the "provider::" prefix.';
  }
  for (const candidate of scope.functionNames()) {
    if (candidate.startsWith(namespace)) {
      return `The function "${name}" is not available from the provider "${provider}".`;
    }
  }
  return `There is no function named "${namespace}${name}". Ensure that provider name "${provider}" is declared in this module's required_providers block, and that this provider offers a function named "${name}".`;
}

function calledFunction(
  diagnostic: Diagnostic,
): { readonly name: string; readonly namespace: string } | undefined {
  const { extra } = diagnostic;
  if (extra?.kind !== 'unknownFunction' || !('namespace' in extra) || !('name' in extra)) {
    return undefined;
  }
  const { name, namespace } = extra;
  return typeof name === 'string' && typeof namespace === 'string'
    ? { name, namespace }
    : undefined;
}
