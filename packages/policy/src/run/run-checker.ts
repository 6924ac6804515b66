import { type Host, userErrorText } from '@terrane/host';
import type { PolicyOutcome } from '../evaluate/result.ts';
import type { Checker } from './model.ts';

const MAX_MESSAGES = 100;
const MAX_MESSAGE_LENGTH = 2000;

/** The judgement of a checker. */
export interface Checked {
  readonly outcome: PolicyOutcome;
  readonly messages: readonly string[];
}

/**
 * Runs an external checker, which receives a plan as JSON on standard input. The plan passes if the exit code is 0 and the
 * output contains no violations. The output may be empty, a JSON array of texts or objects with a message, or the result
 * of `opa eval`.
 */
export async function runChecker(
  host: Pick<Host, 'spawn'>,
  checker: Checker,
  planJson: string,
  signal: AbortSignal | undefined,
): Promise<Checked> {
  const [command = '', ...args] = checker.command;
  const timeout = AbortSignal.timeout(checker.timeoutMs);
  const stop = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  try {
    const { code, stdout, stderr } = await host.spawn.run(command, args, {
      stdin: planJson,
      signal: stop,
    });
    if (timeout.aborted)
      return failedCheck(
        `The program did not end within ${Math.round(checker.timeoutMs / 1000)} s.`,
      );
    return checkResult(code, stdout, stderr);
  } catch (error) {
    const reason = timeout.aborted ? 'it took too long' : userErrorText(error);
    return failedCheck(
      `The program ${command} could not be run: ${reason}. Install it or correct the command.`,
    );
  }
}

function failedCheck(message: string): Checked {
  return { outcome: 'error', messages: [message] };
}

/** Interprets the exit code and output of a checker. */
export function checkResult(code: number, stdout: string, stderr: string): Checked {
  if (code === 0 && isUndefinedResult(stdout))
    return failedCheck(
      'The query of opa eval is undefined: the rule does not exist in the loaded files, or has no value. Correct its name, or give it a default value.',
    );
  const violations = violationsOf(stdout);
  if (violations !== undefined && violations.length > 0)
    return { outcome: 'fail', messages: boundedMessages(violations) };
  if (code === 0) return { outcome: 'pass', messages: [] };
  const text = [stderr.trim(), violations === undefined ? stdout.trim() : '']
    .filter((each) => each !== '')
    .join('\n');
  const message = text === '' ? `The program ended with exit code ${code}.` : text;
  return { outcome: 'fail', messages: boundedMessages([message]) };
}

function boundedMessages(messages: readonly string[]): readonly string[] {
  const firstMessages = messages
    .slice(0, MAX_MESSAGES)
    .map((each) => each.slice(0, MAX_MESSAGE_LENGTH));
  const more = messages.length - firstMessages.length;
  return more > 0 ? [...firstMessages, `${more} more violations`] : firstMessages;
}

/** Returns true for what `opa eval --format=json` prints without a result, which must not pass for an empty set. */
function isUndefinedResult(stdout: string): boolean {
  return /^\{\s*\}$/.test(stdout.trim());
}

/** Returns the violations in a JSON output; undefined if the output is not JSON. */
function violationsOf(stdout: string): readonly string[] | undefined {
  const text = stdout.trim();
  if (text === '') return [];
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  return collect(opaValues(document) ?? document);
}

/** The values of expressions that `opa eval --format=json` prints; undefined for other documents. */
function opaValues(document: unknown): unknown {
  if (!isRecord(document) || !('result' in document)) return undefined;
  const results = Array.isArray(document['result']) ? document['result'] : [];
  return results.flatMap((each: unknown) => {
    const expressions = isRecord(each) ? each['expressions'] : undefined;
    return Array.isArray(expressions)
      ? expressions.map((expression: unknown) =>
          isRecord(expression) ? expression['value'] : undefined,
        )
      : [];
  });
}

/** Collects messages: texts, members `msg` and `message` of objects, and `false` of an allowing rule. */
function collect(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (value === false) return ['A rule is false.'];
  if (Array.isArray(value)) return value.flatMap((each: unknown) => collect(each));
  if (!isRecord(value)) return [];
  const message = value['msg'] ?? value['message'];
  if (typeof message === 'string') {
    const address = value['address'] ?? value['resource'];
    return [typeof address === 'string' ? `${address}: ${message}` : message];
  }
  return Object.values(value).flatMap((each) => collect(each));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
