import type { Value } from '@terrane/cty';
import { chain } from '../awaitable.ts';
import type { Answer, Awaitable, ProviderDiagnostic } from '../contract.ts';
import { warning, withoutRepeats } from './diagnostics.ts';
import { handle, Work } from './handling.ts';
import type { Log } from './log.ts';
import { readObject } from './part.ts';
import type { Part } from './part.ts';
import { validateObject } from './validate.ts';

/** Validates the configuration: first the whole object, then each argument and block. */
export function validatePart(
  part: Part,
  subject: string,
  config: Value,
  writeOnlyAllowed: boolean,
  log: Log,
): Awaitable<Answer> {
  if (config.isNull || !config.isKnown) return { diagnostics: [] };
  return chain(wholeObject(part, subject, config, log), (objectDiagnostics) => {
    const diagnostics = [
      ...objectDiagnostics,
      ...validateObject(part.object, config, writeOnlyAllowed),
    ];
    const { deprecationMessage } = part.options;
    if (deprecationMessage !== undefined)
      diagnostics.push(warning('Deprecated', deprecationMessage));
    return { diagnostics: withoutRepeats(diagnostics) };
  });
}

const NOTHING: readonly ProviderDiagnostic[] = [];

function wholeObject(
  part: Part,
  subject: string,
  config: Value,
  log: Log,
): Awaitable<readonly ProviderDiagnostic[]> {
  const { validators, validate } = part.options;
  if (validators === undefined && validate === undefined) return NOTHING;
  const work = new Work('validating', subject, part.type, log);
  const { findings } = work;
  for (const validator of validators ?? []) findings.report(validator.validate(config));
  if (validate === undefined) return findings.diagnostics;
  return handle(
    work,
    () => validate({ config: readObject(part, config), log: work.log, ...findings.functions }),
    (result) => {
      if (isDiagnostics(result)) findings.report(result);
      return findings.diagnostics;
    },
    () => findings.diagnostics,
  );
}

function isDiagnostics(result: unknown): result is readonly ProviderDiagnostic[] {
  return Array.isArray(result);
}
