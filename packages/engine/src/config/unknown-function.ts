import type { Diagnostic, Scope } from '@terrane/hcl';
import { followsOpenTofu, parseProviderFunction } from './provider-function.ts';

/** A scope that knows which providers its module requires. */
interface ModuleFunctions extends Scope {
  /** Returns true if `required_providers` of the module contains the local name. */
  requiresProvider?(localName: string): boolean;
}

/**
 * Rewords HCL's diagnostic about an unknown function as Terraform or OpenTofu does, if the function is a provider's.
 * Returns other diagnostics unchanged.
 */
export function explainUnknownFunction(diagnostic: Diagnostic, scope: ModuleFunctions): Diagnostic {
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
  if (first === 'provider' && followsOpenTofu(diagnostic.subject))
    return { ...diagnostic, ...openTofuWords(namespace + name, diagnostic, scope) };
  return {
    ...diagnostic,
    summary: 'Unknown provider function',
    detail: providerFunctionDetail(name, namespace, first, provider, scope),
  };
}

/**
 * Rewords HCL's diagnostic about an unknown function of a configured provider, which only evaluating finds: a
 * validation does not know the functions of a configured provider. Returns other diagnostics unchanged.
 */
export function explainUnlistedFunction(diagnostic: Diagnostic): Diagnostic {
  const called = calledFunction(diagnostic);
  if (called === undefined || !called.namespace.startsWith('provider::')) return diagnostic;
  if (!followsOpenTofu(diagnostic.subject)) return diagnostic;
  return { ...diagnostic, ...notRegistered(called.namespace + called.name) };
}

function notRegistered(text: string): Pick<Diagnostic, 'summary' | 'detail'> {
  return {
    summary: 'Function not found in provider',
    detail: `Function "${text}" was not registered by provider`,
  };
}

function openTofuWords(
  text: string,
  { subject }: Diagnostic,
  scope: ModuleFunctions,
): Pick<Diagnostic, 'summary' | 'detail'> {
  const called = parseProviderFunction(text, subject);
  if (called === undefined) {
    return {
      summary: 'Unable to parse provider function',
      detail: `invalid provider function "${text}": expected provider::<name>::<function> or provider::<name>::<alias>::<function>`,
    };
  }
  if (scope.requiresProvider?.(called.provider) === true) return notRegistered(text);
  return {
    summary: 'Unknown function provider',
    detail: `Provider "${called.provider}" does not exist within the required_providers of this module`,
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
