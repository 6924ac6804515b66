// The validation of argument values in Terraform's S3 backend, with its messages.
import { JsonSyntaxError, parseJson, quoteText, type Value } from '@terrane/cty';
import { parseDuration } from '@terrane/host';
import { durationText } from '@terrane/provider';

/** A validation error of a value. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail: string;
}

/** Validates a string; no problems mean that it is valid. */
export type Validator = (text: string) => Finding | undefined;

const error = (summary: string, detail: string): Finding => ({
  severity: 'error',
  summary,
  detail,
});

/** Validates that a string has characters other than spaces. */
export const notEmpty: Validator = (text) =>
  text.trim() === ''
    ? error('Invalid Value', 'The value cannot be empty or all whitespace')
    : undefined;

/** Validates the length in bytes. */
export function lengthBetween(min: number, max: number): Validator {
  return (text) => {
    const length = Buffer.byteLength(text);
    return length < min || length > max
      ? error('Invalid Value Length', `Length must be between ${min} and ${max}, had ${length}`)
      : undefined;
  };
}

/** Texts of a pattern. */
export function matches(pattern: RegExp, description: string): Validator {
  return (text) => (pattern.test(text) ? undefined : error('Invalid Value', description));
}

/** Texts without some other text. */
export function notContaining(part: string): Validator {
  return (text) =>
    text.includes(part) ? error('Invalid Value', `Value must not contain "${part}"`) : undefined;
}

/** Accepts only these strings. */
export function oneOf(texts: readonly string[]): Validator {
  return (text) =>
    texts.includes(text)
      ? undefined
      : error('Invalid Value', `Value must be one of [${texts.join(', ')}]`);
}

/** Validates a key that S3 stores unchanged. */
export const s3Path: Validator = (text) =>
  text.startsWith('/') || text.endsWith('/')
    ? error('Invalid Value', 'The value must not start or end with "/"')
    : undefined;

/** Validates the retry mode of requests. */
export const retryMode: Validator = (text) =>
  text === 'standard' || text === 'adaptive'
    ? undefined
    : error('Invalid Value', `unknown RetryMode, ${text}`);

const UUID = '[a-f0-9]{8}-[a-f0-9]{4}-[1-5][a-f0-9]{3}-[ab89][a-f0-9]{3}-[a-f0-9]{12}';
const MULTI_REGION = 'mrk-[a-f0-9]{32}';
const ALIAS = 'alias/[a-zA-Z0-9/_-]+';
// Terraform's pattern anchors only its first and last alternative, so it accepts more than intended.
const KEY_ID = new RegExp(`^${UUID}|${MULTI_REGION}|${ALIAS}$`);
const KEY_RESOURCE = new RegExp(`^(?:key/(?:${UUID}|${MULTI_REGION})|${ALIAS})$`);

/** A key of KMS, by id, alias or ARN. */
export const kmsKey: Validator = (text) => {
  if (text.startsWith('arn:') && text.split(':').length >= 6) {
    return KEY_RESOURCE.test(arnResource(text))
      ? undefined
      : error('Invalid KMS Key ARN', `Value must be a valid KMS Key ARN, got ${quoteText(text)}`);
  }
  return KEY_ID.test(text)
    ? undefined
    : error('Invalid KMS Key ID', `Value must be a valid KMS Key ID, got ${quoteText(text)}`);
};

function arnResource(text: string): string {
  return text.split(':').slice(5).join(':');
}

/** Validates the ARN of an IAM entity: `role` or `policy`. */
export function iamArn(kind: 'role' | 'policy'): Validator {
  const subject = kind === 'role' ? 'IAM Role' : 'IAM Policy';
  return (text) => {
    const problem = !text.startsWith('arn:')
      ? 'arn: invalid prefix'
      : text.split(':').length < 6
        ? 'arn: not enough sections'
        : undefined;
    if (problem !== undefined) {
      return error(
        'Invalid ARN',
        `The value ${quoteText(text)} cannot be parsed as an ARN: ${problem}`,
      );
    }
    return arnResource(text).startsWith(`${kind}/`)
      ? undefined
      : error(
          `Invalid ${subject} ARN`,
          `Value must be a valid ${subject} ARN, got ${quoteText(text)}`,
        );
  };
}

const MIN_SESSION_MS = 15 * 60_000;
const MAX_SESSION_MS = 12 * 3_600_000;

/** Validates the duration of a role session. */
export const sessionDuration: Validator = (text) => {
  const ms = parseDuration(text);
  if (ms === undefined) {
    return error(
      'Invalid Duration',
      `The value ${quoteText(text)} cannot be parsed as a duration: ${durationProblem(text)}`,
    );
  }
  return ms < MIN_SESSION_MS || ms > MAX_SESSION_MS
    ? error(
        'Invalid Duration',
        `Duration must be between ${durationText(MIN_SESSION_MS)} and ${durationText(MAX_SESSION_MS)}, had ${durationText(ms)}`,
      )
    : undefined;
};

/** Returns Go's error for a malformed duration. */
function durationProblem(text: string): string {
  let rest = text.replace(/^[+-]/, '');
  while (rest !== '') {
    const number = /^(?:\d+\.?\d*|\.\d+)/.exec(rest)?.[0];
    if (number === undefined) break;
    rest = rest.slice(number.length);
    const unit = /^[^.0-9]*/.exec(rest)?.[0] ?? '';
    if (unit === '') return `time: missing unit in duration ${quoteText(text)}`;
    if (!/^(?:ns|us|µs|μs|ms|s|m|h)$/.test(unit)) {
      return `time: unknown unit ${quoteText(unit)} in duration ${quoteText(text)}`;
    }
    rest = rest.slice(unit.length);
  }
  return `time: invalid duration ${quoteText(text)}`;
}

/** The JSON of a policy. */
export const policyDocument: Validator = (text) => {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) {
    const problem = jsonProblem(trimmed);
    return problem === undefined
      ? undefined
      : error(
          'Invalid JSON Document',
          `The JSON document contains an error: ${problem.message}, at byte offset ${problem.at}`,
        );
  }
  const invalid = (detail: string): Finding => error('Invalid IAM Policy Document', detail);
  if (!trimmed.startsWith('"')) return invalid('Expected a JSON object describing the policy');
  const content = jsonText(trimmed);
  if (content?.endsWith('.json') === true) {
    return invalid(`Expected a JSON object describing the policy, had a JSON-encoded string.

The string ${quoteText(content)} looks like a filename, please pass the contents of the file instead of the filename.`);
  }
  if (content !== undefined && jsonProblem(content) === undefined) {
    return invalid(`Expected a JSON object describing the policy, had a JSON-encoded string.

The string content was valid JSON, your policy document may have been double-encoded.`);
  }
  return invalid('Expected a JSON object describing the policy, had a JSON-encoded string.');
};

function jsonProblem(text: string): { readonly message: string; readonly at: number } | undefined {
  try {
    parseJson(text);
    return undefined;
  } catch (problem) {
    if (!(problem instanceof JsonSyntaxError)) throw problem;
    return { message: problem.message, at: Buffer.byteLength(text.slice(0, problem.offset)) };
  }
}

function jsonText(text: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'string' ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** A URL; one without scheme or host is let through with a warning, as ever. */
export const looseUrl: Validator = (text) =>
  unreadableUrl(text) ??
  (isWholeUrl(text)
    ? undefined
    : {
        severity: 'warning',
        summary: 'Complete URL Expected',
        detail: `The value should be a valid URL containing at least a scheme and hostname. Had ${quoteText(text)}.

Using an incomplete URL, such as a hostname only, may work, but may have unexpected behavior.`,
      });

/** A URL with scheme and host. */
export const wholeUrl: Validator = (text) =>
  unreadableUrl(text) ??
  (isWholeUrl(text)
    ? undefined
    : error(
        'Invalid Value',
        `The value must be a valid URL containing at least a scheme and hostname. Had ${quoteText(text)}`,
      ));

function isWholeUrl(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]+/.test(text);
}

function unreadableUrl(text: string): Finding | undefined {
  const problem = urlProblem(text);
  return problem === undefined
    ? undefined
    : error(
        'Invalid Value',
        `The value ${quoteText(text)} cannot be parsed as a URL: parse ${quoteText(text)}: ${problem}`,
      );
}

function urlProblem(text: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- the pattern must match control characters
  if (/[\x00-\x1f\x7f]/.test(text)) return 'net/url: invalid control character in URL';
  if (text.startsWith(':')) return 'missing protocol scheme';
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(text)) return undefined;
  return (text.split(/[/?#]/)[0] ?? '').includes(':') && !text.startsWith('/')
    ? 'first path segment in URL cannot contain colon'
    : undefined;
}

/** Returns the first finding of several validators. */
export function firstFinding(validators: readonly Validator[], value: Value): Finding | undefined {
  const text = value.asString();
  for (const validator of validators) {
    const finding = validator(text);
    if (finding !== undefined) return finding;
  }
  return undefined;
}
