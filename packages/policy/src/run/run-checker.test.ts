import type { Host } from '@terrane/host';
import { describe, expect, it } from 'vitest';
import { checkResult, runChecker } from './run-checker.ts';

describe('judged', () => {
  const opa = (value: unknown): string =>
    JSON.stringify({ result: [{ expressions: [{ value, text: 'data.terraform.deny' }] }] });
  it.each([
    ['no output', 0, '', '', 'pass', []],
    ['an empty array', 0, '[]\n', '', 'pass', []],
    ['texts', 0, '["a", "b"]', '', 'fail', ['a', 'b']],
    ['objects', 0, '[{"msg":"a"},{"address":"x.y","message":"b"}]', '', 'fail', ['a', 'x.y: b']],
    ['an empty set of OPA', 0, opa([]), '', 'pass', []],
    ['a set of OPA', 0, opa(['public bucket']), '', 'fail', ['public bucket']],
    ['a rule of OPA that is false', 0, opa({ allow: false }), '', 'fail', ['A rule is false.']],
    ['a rule of OPA that is true', 0, opa(true), '', 'pass', []],
    [
      'an undefined result of OPA',
      0,
      '{}\n',
      '',
      'error',
      [
        'The query of opa eval is undefined: the rule does not exist in the loaded files, or has no value. Correct its name, or give it a default value.',
      ],
    ],
    ['an exit code with an error', 2, 'out', 'bad file', 'fail', ['bad file\nout']],
    ['an exit code alone', 3, '', '', 'fail', ['The program ended with exit code 3.']],
    ['other text with exit code 0', 0, 'all good', '', 'pass', []],
  ] as const)('understands %s', (_name, code, stdout, stderr, outcome, messages) => {
    expect(checkResult(code, stdout, stderr)).toEqual({ outcome, messages });
  });

  it('bounds the number and length of messages', () => {
    const many = JSON.stringify(Array.from({ length: 150 }, () => 'x'.repeat(5000)));
    const { messages } = checkResult(0, many, '');
    expect(messages).toHaveLength(101);
    expect(messages[0]).toHaveLength(2000);
    expect(messages[100]).toBe('50 more violations');
  });
});

describe('runChecker', () => {
  const CHECKER = {
    name: 'c',
    command: ['judge', '-x'],
    level: 'mandatory',
    timeoutMs: 20,
  } as const;
  const hostOf = (run: Host['spawn']['run']): Pick<Host, 'spawn'> => ({
    spawn: { run, start: () => Promise.reject(new Error('not used')) },
  });

  it('passes the plan on standard input', async () => {
    const host = hostOf((command, args, options) =>
      Promise.resolve({
        code: 0,
        stdout: JSON.stringify([`${command} ${args.join(' ')} ${options.stdin ?? ''}`]),
        stderr: '',
      }),
    );
    expect(await runChecker(host, CHECKER, '{"a":1}', undefined)).toEqual({
      outcome: 'fail',
      messages: ['judge -x {"a":1}'],
    });
  });

  it('reports a program that takes too long', async () => {
    const host = hostOf(
      (_command, _args, { signal }) =>
        new Promise((resolve) => {
          signal?.addEventListener('abort', () => resolve({ code: 143, stdout: '', stderr: '' }));
        }),
    );
    const { outcome, messages } = await runChecker(host, CHECKER, '{}', undefined);
    expect({ outcome, messages }).toEqual({
      outcome: 'error',
      messages: ['The program did not end within 0 s.'],
    });
  });
});
