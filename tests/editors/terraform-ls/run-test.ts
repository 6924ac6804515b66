import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LspProcess, ResponseError } from '../lsp-process.ts';
import { MessageChecker } from '../protocol/check-message.ts';
import type { MetaModel } from '../protocol/meta-model.ts';
import { compareAnswers, type Outcome } from './compare.ts';
import type { HandlerTest } from './read-tests.ts';

/** The result of a test: its worst outcome, with the answers of the steps that differ. */
export interface TestResult {
  readonly outcome: Outcome;
  readonly differences: readonly {
    readonly method: string;
    readonly actual: unknown;
    readonly expected: unknown;
  }[];
  /** violations of the protocol by the server */
  readonly violations: readonly string[];
}

const ORDER: readonly Outcome[] = ['identical', 'equivalent', 'different'];

/** Executes the steps of a test with a server of its own. */
export async function runHandlerTest(
  { steps }: HandlerTest,
  [file, ...args]: readonly string[],
  directory: string,
  model: MetaModel,
): Promise<TestResult> {
  mkdirSync(directory, { recursive: true });
  const checker = new MessageChecker(model);
  const server = new LspProcess(file ?? '', args, {
    cwd: directory,
    onMessage: (sender, message) => {
      // The requests are those of terraform-ls' tests: only the server's messages are judged.
      const before = checker.problems.length;
      checker.check(sender, message);
      if (sender === 'client') ignored += checker.problems.length - before;
      // Requests that are no part of the protocol have answers that cannot be checked.
      else
        violations.push(
          ...checker.problems
            .slice(before)
            .filter((each) => !each.startsWith('response to unknown')),
        );
    },
  });
  const violations: string[] = [];
  let ignored = 0;
  let outcome: Outcome = 'identical';
  const differences: { method: string; actual: unknown; expected: unknown }[] = [];
  const note = (method: string, actual: unknown, expected: unknown, found: Outcome): void => {
    if (ORDER.indexOf(found) > ORDER.indexOf(outcome)) outcome = found;
    if (found === 'different') differences.push({ method, actual, expected });
  };
  for (const step of steps) {
    switch (step.kind) {
      case 'directory':
        mkdirSync(step.path, { recursive: true });
        break;
      case 'write':
        mkdirSync(dirname(step.path), { recursive: true });
        writeFileSync(step.path, step.text);
        break;
      case 'notify':
        server.notify(step.method, step.params);
        break;
      case 'call':
        // Tests send some notifications as calls.
        if (/\/did[A-Z]/.test(step.method)) server.notify(step.method, step.params);
        else await answered(server.request(step.method, step.params));
        break;
      case 'expect': {
        const actual = await answered(server.request(step.method, step.params));
        const found =
          actual instanceof Error ? 'different' : compareAnswers(step.method, actual, step.result);
        note(step.method, actual instanceof Error ? actual.message : actual, step.result, found);
        break;
      }
      case 'expect-error': {
        const actual = await answered(server.request(step.method, step.params));
        const isError = actual instanceof ResponseError;
        note(
          step.method,
          isError ? actual.message : actual,
          'an error',
          isError ? 'equivalent' : 'different',
        );
        break;
      }
    }
  }
  await server.end();
  void ignored;
  return { outcome, differences, violations };
}

/** The time limit for a response. */
const PATIENCE_MS = 60_000;

/** Resolves with the answer, or with the error. */
async function answered(answer: Promise<unknown>): Promise<unknown> {
  const stop = new AbortController();
  try {
    return await Promise.race([
      answer.catch((error: unknown) => error),
      delay(PATIENCE_MS, new Error('no answer'), { signal: stop.signal }).catch(() => undefined),
    ]);
  } finally {
    stop.abort();
  }
}
