import type { Path } from '@terrane/cty';
import type { Cause } from './model.ts';
import type { Subject } from './subject.ts';
import { partOf } from './values.ts';

/** A cause whose values, and those of what is behind it, are sensitive. */
export function withSecrets(cause: Cause): Cause {
  const { before, after } = cause;
  return {
    ...cause,
    ...(before === undefined ? {} : { before: before.mark('sensitive') }),
    ...(after === undefined ? {} : { after: after.mark('sensitive') }),
    causes: cause.causes.map(withSecrets),
  };
}

/** What is behind a sensitive attribute is sensitive, wherever it is written. */
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

/** One cause, with what is sensitive in it marked. */
export function hidden(subject: Subject, path: Path, cause: Cause): Cause {
  return hidingSecrets(subject, path, [cause])[0] ?? cause;
}
