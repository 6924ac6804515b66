import { asTraversal, type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import type { EncryptionConfiguration, MethodBlock, TargetBlock } from './configuration.ts';
import { UNENCRYPTED } from './kinds.ts';

/** Returns the methods of a target, the one for encryption first; empty, with diagnostics, if they are ambiguous. */
export function methodsOf(
  configuration: EncryptionConfiguration,
  target: TargetBlock,
  diagnostics: Diagnostic[],
): readonly MethodBlock[] {
  const before = diagnostics.length;
  const methods: MethodBlock[] = [];
  for (let at: TargetBlock | undefined = target; at !== undefined; at = at.fallback) {
    const method = methodOf(configuration, at, diagnostics);
    if (method !== undefined) methods.push(method);
  }
  if (target.enforced && methods.some(({ type }) => type === UNENCRYPTED)) {
    diagnostics.push(
      errorDiagnostic(
        'Unencrypted method is forbidden',
        'Unable to use unencrypted method since the enforced flag is set.',
        configuration.range,
      ),
    );
  }
  return hasErrors(diagnostics, before) ? [] : methods;
}

function methodOf(
  configuration: EncryptionConfiguration,
  { method, range }: TargetBlock,
  diagnostics: Diagnostic[],
): MethodBlock | undefined {
  const traversal = method === undefined ? undefined : asTraversal(method);
  const place = method?.range ?? range;
  if (traversal === undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid expression',
        'A single static variable reference is required: only attribute access and indexing with constant keys. No calculations, function calls, template expressions, etc are allowed here.',
        place,
      ),
    );
    return undefined;
  }
  const [root, type, name] = traversal.steps;
  if (
    traversal.steps.length !== 3 ||
    root?.kind !== 'root' ||
    root.name !== 'method' ||
    type?.kind !== 'attr' ||
    name?.kind !== 'attr'
  ) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid encryption method identifier',
        'Expected method of form method.<type>.<name>',
        place,
      ),
    );
    return undefined;
  }
  const methodBlock = configuration.methods.find(
    (candidate) => candidate.type === type.name && candidate.name === name.name,
  );
  if (methodBlock === undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Reference to undeclared encryption method',
        `There is no method ${JSON.stringify(type.name)} ${JSON.stringify(name.name)} block declared in the encryption block.`,
        place,
      ),
    );
  }
  return methodBlock;
}
