import {
  evaluate,
  hasErrors,
  parseJsonSyntax,
  parseNative,
  Range,
  type Scope,
  Source,
  type Diagnostic,
} from '@terrane/hcl';
import { UNKNOWN } from '@terrane/cty';
import { decodeEncryptionBody, type Configuration } from '@terrane/engine';
import type { Encryption, EncryptionConfiguration, EvaluateConstant } from '@terrane/encryption';
import type { Project } from './project.ts';

/** The environment variable with the encryption configuration that overrides the project's. */
const VARIABLE = 'TF_ENCRYPTION';

/** The encryption of states and plans, or the errors in its configuration. */
export interface OpenedEncryption {
  readonly encryption?: Encryption;
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns true if the configuration or the environment configures encryption. */
export function mentionsEncryption(
  { host }: Pick<Project, 'host'>,
  configuration: Configuration | undefined,
): boolean {
  return configuration?.root.encryption !== undefined || environmentText(host) !== '';
}

/** Opens the encryption of a configuration, with `TF_ENCRYPTION` merged over it. */
export async function openEncryptionOf(
  { host }: Pick<Project, 'host'>,
  configuration: Configuration | undefined,
): Promise<OpenedEncryption> {
  const diagnostics: Diagnostic[] = [];
  const text = environmentText(host);
  const over = text === '' ? undefined : parseVariable(text, diagnostics);
  if (hasErrors(diagnostics)) return { diagnostics };
  const base = configuration?.root.encryption;
  if (base === undefined && over === undefined) return { diagnostics };
  // Most projects do not use encryption, so load the code only if needed.
  const { mergeConfigurations, openEncryption } = await import('@terrane/encryption');
  const merged: EncryptionConfiguration | undefined =
    base === undefined || over === undefined ? (base ?? over) : mergeConfigurations(base, over);
  if (merged === undefined) return { diagnostics };
  const opened = await openEncryption(merged, { host, evaluate: evaluatorOf(configuration) });
  return { ...opened, diagnostics: [...diagnostics, ...opened.diagnostics] };
}

function environmentText({ environment }: Project['host']): string {
  return (environment.get(VARIABLE) ?? '').trim();
}

function parseVariable(
  text: string,
  diagnostics: Diagnostic[],
): EncryptionConfiguration | undefined {
  // It is where passphrases are.
  const source = new Source(VARIABLE, text, { unshown: true });
  const { body, diagnostics: syntaxProblems } = text.startsWith('{')
    ? parseJsonSyntax(source)
    : parseNative(source);
  diagnostics.push(...syntaxProblems);
  return decodeEncryptionBody(body, new Range(source, 0, 0), diagnostics);
}

function evaluatorOf(configuration: Configuration | undefined): EvaluateConstant {
  const constants = configuration?.constants;
  if (constants !== undefined) {
    return (expression, use, resolve, diagnostics) =>
      constants.evaluateIn(expression, use, diagnostics, resolve).value;
  }
  return (expression, _use, resolve, diagnostics) => {
    const before = diagnostics.length;
    // Without a configuration there are no names but those of key providers.
    const scope: Scope = {
      resolve(traversal) {
        const value = resolve(traversal);
        return value === undefined ? undefined : { value, consumed: traversal.steps.length };
      },
      functionNamed: () => undefined,
      functionNames: () => [],
      rootNames: () => ['key_provider'],
    };
    const value = evaluate(expression, scope, diagnostics);
    return hasErrors(diagnostics, before) ? UNKNOWN : value;
  };
}
