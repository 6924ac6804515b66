import type { ObjectLockConfiguration } from '@aws-sdk/client-s3';
import { enumOf } from '../resource/enum-of.ts';
import { compact, list, firstBlock, positive, text } from '../resource/block-values.ts';

/** Returns the retention rule of a request; undefined: not configured. */
export function requestedLockRule(rules: unknown): ObjectLockConfiguration['Rule'] {
  const written = firstBlock(firstBlock(rules)?.['default_retention']);
  if (written === undefined) return undefined;
  return {
    DefaultRetention: compact({
      Mode: enumOf<'GOVERNANCE'>(text(written['mode']) ?? ''),
      Days: positive(written['days']),
      Years: positive(written['years']),
    }),
  };
}

/** Returns the retention rule blocks for the state. */
export function foundLockRule(
  rule: ObjectLockConfiguration['Rule'],
): readonly { readonly default_retention: readonly object[] }[] {
  return list(rule?.DefaultRetention, (retention) => ({
    default_retention: [{ mode: retention.Mode, days: retention.Days, years: retention.Years }],
  }));
}
