// Mock data and override values that call functions are evaluated when tests run, as since Terraform 1.15.
import { EMPTY_OBJECT_VALUE, type FunctionSpec, type Value } from '@terrane/cty';
import {
  constantScope,
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  functionCalls,
  hasErrors,
} from '@terrane/hcl';
import type { MockData, MockResource, Override, TestProvider } from './model.ts';

type Functions = ReadonlyMap<string, FunctionSpec>;

/** Evaluates data without function calls; undefined if it calls functions, which exist only when tests run. */
export function evaluateFixed(
  expression: Expression,
  diagnostics: Diagnostic[],
): Value | undefined {
  return functionCalls(expression).length > 0
    ? undefined
    : evaluate(expression, undefined, diagnostics);
}

/** Returns the providers of a test file with the defaults of their mocks evaluated. */
export function withMockDefaults(
  providers: ReadonlyMap<string, TestProvider>,
  functions: Functions,
  diagnostics: Diagnostic[],
): ReadonlyMap<string, TestProvider> {
  const evaluated = (resources: MockData['resources']): MockData['resources'] =>
    mapValues(resources, (resource) => withDefaults(resource, functions, diagnostics));
  return mapValues(providers, (provider) => {
    const { mock } = provider;
    if (mock === undefined) return provider;
    return {
      ...provider,
      mock: {
        ...mock,
        resources: evaluated(mock.resources),
        dataSources: evaluated(mock.dataSources),
        ephemerals: evaluated(mock.ephemerals),
      },
    };
  });
}

function withDefaults(
  resource: MockResource,
  functions: Functions,
  diagnostics: Diagnostic[],
): MockResource {
  const { deferred } = resource;
  if (deferred === undefined) return resource;
  return { ...resource, defaults: evaluateCalls(deferred, functions, diagnostics) };
}

/** Returns overrides with their values evaluated, by the text of their target. */
export function withOverrideValues(
  overrides: ReadonlyMap<string, Override>,
  functions: Functions,
  diagnostics: Diagnostic[],
): ReadonlyMap<string, Override> {
  return mapValues(overrides, (override) => {
    const { deferred } = override;
    if (deferred === undefined) return override;
    const before = diagnostics.length;
    const values = evaluateCalls(deferred, functions, diagnostics);
    if (hasErrors(diagnostics, before)) return override;
    if (values.type.kind === 'object') return { ...override, values };
    const name = override.kind === 'module' ? 'outputs' : 'values';
    diagnostics.push(
      errorDiagnostic(
        `Invalid ${name} attribute`,
        `override_${override.kind} blocks must specify ${override.kind === 'module' ? 'an' : 'a'} ${name} attribute that is an object.`,
        deferred.range,
      ),
    );
    return { ...override, values: EMPTY_OBJECT_VALUE };
  });
}

function evaluateCalls(
  expression: Expression,
  functions: Functions,
  diagnostics: Diagnostic[],
): Value {
  // Mock data has no variables; as in Terraform, functions of a plan or a provider do not exist for it either.
  const available = new Map(functions);
  available.delete('plantimestamp');
  available.delete('core::plantimestamp');
  return evaluate(expression, constantScope({}, available), diagnostics);
}

function mapValues<T>(
  items: ReadonlyMap<string, T>,
  change: (item: T) => T,
): ReadonlyMap<string, T> {
  return new Map(Array.from(items, ([key, item]) => [key, change(item)]));
}
