import type { Span, Traces } from '@terrane/host';
import type { Provider } from '@terrane/provider';

/** Provider methods that return a single response. */
const CALLS: ReadonlySet<string | symbol> = new Set<keyof Provider>([
  'schema',
  'validateProviderConfig',
  'validateResourceConfig',
  'validateDataSourceConfig',
  'validateEphemeralResourceConfig',
  'validateActionConfig',
  'validateListResourceConfig',
  'configure',
  'upgradeResourceState',
  'upgradeResourceIdentity',
  'readResource',
  'planResourceChange',
  'applyResourceChange',
  'importResourceState',
  'moveResourceState',
  'readDataSource',
  'openEphemeralResource',
  'renewEphemeralResource',
  'closeEphemeralResource',
  'planAction',
  'invokeAction',
  'callFunction',
  'configuredFunctions',
  'generateResourceConfig',
]);

/**
 * Returns a provider whose calls are spans with provider, type and address, but without values and messages, as these
 * may contain secrets.
 */
export function tracedProvider(
  provider: Provider,
  source: string,
  traces: Traces | undefined,
): Provider {
  if (traces === undefined) return provider;
  return new Proxy(provider, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      const call = (args: readonly unknown[]): unknown => Reflect.apply(member, target, args);
      if (typeof name !== 'string' || !CALLS.has(name)) {
        return (...args: readonly unknown[]) => call(args);
      }
      return (...args: readonly unknown[]) => {
        const attributes = { 'terrane.provider': source, ...subjectOf(args[0]) };
        return traces.within(name, attributes, (span) => {
          const answer = call(args);
          if (!(answer instanceof Promise)) return recordOutcome(span, answer);
          return answer.then((response: unknown) => recordOutcome(span, response));
        });
      };
    },
  });
}

const SUBJECTS = { type: 'terrane.type', address: 'terrane.address', name: 'terrane.function' };

/** Returns the span attributes that identify the subject of a request. */
function subjectOf(request: unknown): Record<string, string> {
  const attributes: Record<string, string> = {};
  if (typeof request !== 'object' || request === null) return attributes;
  for (const [member, attribute] of Object.entries(SUBJECTS)) {
    const value: unknown = Reflect.get(request, member);
    if (typeof value === 'string') attributes[attribute] = value;
  }
  return attributes;
}

function recordOutcome(span: Span, answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const isFailed =
    ('diagnostics' in answer &&
      Array.isArray(answer.diagnostics) &&
      answer.diagnostics.some(isError)) ||
    ('error' in answer && answer.error !== undefined);
  if (isFailed) span.fail();
  return answer;
}

function isError(diagnostic: unknown): boolean {
  return (
    typeof diagnostic === 'object' &&
    diagnostic !== null &&
    'severity' in diagnostic &&
    diagnostic.severity === 'error'
  );
}
