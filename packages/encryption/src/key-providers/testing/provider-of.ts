import { evaluate, parseNative, Source, type Diagnostic } from '@terrane/hcl';
import { memoryHost } from '@terrane/testkit';
import type { KeyHost, KeyProvider, KeyProviderKind } from '../../key-provider.ts';
import { decodeSettings } from '../../settings.ts';

/** Creates a key provider of a kind from arguments in HCL. Throws their errors. */
export function providerOf(
  kind: KeyProviderKind,
  text: string,
  host: KeyHost = memoryHost(),
): KeyProvider {
  const diagnostics: Diagnostic[] = [];
  const { body } = parseNative(new Source('test.tf', text));
  const settings = decodeSettings(
    body,
    kind.shape,
    (expression, evaluationDiagnostics) => evaluate(expression, undefined, evaluationDiagnostics),
    diagnostics,
  );
  if (settings === undefined) throw new Error(diagnostics.map(({ detail }) => detail).join());
  return kind.build(settings, host);
}
