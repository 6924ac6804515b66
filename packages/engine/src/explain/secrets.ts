import type { Path } from '@terrane/cty';
import type { Cause } from './model.ts';
import type { Subject } from './subject.ts';
import { partOf } from './values.ts';

/** Marks the values of a cause and of its own causes as sensitive. */
export function withSecrets(cause: Cause): Cause {
  const { before, after } = cause;
  return {
    ...cause,
    ...(before === undefined ? {} : { before: before.mark('sensitive') }),
    ...(after === undefined ? {} : { after: after.mark('sensitive') }),
    causes: cause.causes.map(withSecrets),
  };
}

/** Marks the causes of a sensitive attribute as sensitive, regardless of the sensitivity of their own values. */
export function hidingSecrets(
  { before, after }: Subject,
  path: Path,
  causes: readonly Cause[],
): readonly Cause[] {
  const isSecret = [before, after].some(
    (value) => partOf(value, path)?.hasMarkDeep('sensitive') === true,
  );
  return isSecret ? causes.map(withSecrets) : causes;
}

/** Marks the values of a cause as sensitive if the attribute is sensitive. */
export function hideSecrets(subject: Subject, path: Path, cause: Cause): Cause {
  return hidingSecrets(subject, path, [cause])[0] ?? cause;
}
