import {
  evaluate,
  hasErrors,
  parseJsonSyntax,
  parseNative,
  Range,
  Source,
  type Diagnostic,
} from '@terrane/hcl';
import { UNKNOWN } from '@terrane/cty';
import { decodeEncryptionBody, type Configuration } from '@terrane/engine';
import type { Encryption, EncryptionConfiguration, EvaluateConstant } from '@terrane/encryption';
import type { Project } from './project.ts';

/** The variable that holds a configuration over the one of the project. */
const VARIABLE = 'TF_ENCRYPTION';

/** What states and plans are encrypted with, if they are, or why that is not clear. */
export interface OpenedEncryption {
  readonly encryption?: Encryption;
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether anything is said of encryption. */
export function mentionsEncryption(
  { host }: Pick<Project, 'host'>,
  configuration: Configuration | undefined,
): boolean {
  return configuration?.root.encryption !== undefined || environmentText(host) !== '';
}

/** The encryption that a configuration, and `TF_ENCRYPTION` over it, ask for. */
export async function openEncryptionOf(
  { host }: Pick<Project, 'host'>,
  configuration: Configuration | undefined,
): Promise<OpenedEncryption> {
  const diagnostics: Diagnostic[] = [];
  const text = environmentText(host);
  const over = text === '' ? undefined : parsed(text, diagnostics);
  if (hasErrors(diagnostics)) return { diagnostics };
  const base = configuration?.root.encryption;
  if (base === undefined && over === undefined) return { diagnostics };
  // Most projects encrypt nothing, so only those that do pay for it.
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

function parsed(text: string, diagnostics: Diagnostic[]): EncryptionConfiguration | undefined {
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
  return (expression, _use, _resolve, diagnostics) => {
    const before = diagnostics.length;
    const value = evaluate(expression, undefined, diagnostics);
    return hasErrors(diagnostics, before) ? UNKNOWN : value;
  };
}
