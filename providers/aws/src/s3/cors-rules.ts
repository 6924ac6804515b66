import type { CORSRule } from '@aws-sdk/client-s3';
import { compact, number, orNone, record, text, texts } from '../resource/block-values.ts';

/** Rules for other origins as requests have them. */
export function requestedCors(rules: readonly object[]): CORSRule[] {
  return rules.map(record).map((rule) => ({
    AllowedMethods: texts(rule['allowed_methods']),
    AllowedOrigins: texts(rule['allowed_origins']),
    ...compact({
      ID: text(rule['id']),
      AllowedHeaders: orNone(texts(rule['allowed_headers'])),
      ExposeHeaders: orNone(texts(rule['expose_headers'])),
      MaxAgeSeconds: number(rule['max_age_seconds']),
    }),
  }));
}

/** The members that both forms of a rule share, as stored. */
interface FoundCors {
  readonly allowed_headers: readonly string[] | undefined;
  readonly allowed_methods: readonly string[] | undefined;
  readonly allowed_origins: readonly string[] | undefined;
  readonly expose_headers: readonly string[] | undefined;
  readonly max_age_seconds: number | undefined;
}

/** A rule for other origins as the state has it. */
export function foundCors(rule: CORSRule): FoundCors {
  return {
    allowed_headers: rule.AllowedHeaders,
    allowed_methods: rule.AllowedMethods,
    allowed_origins: rule.AllowedOrigins,
    expose_headers: rule.ExposeHeaders,
    max_age_seconds: rule.MaxAgeSeconds,
  };
}
