import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { type JsonRpcMessage, MessageChecker } from './check-message.ts';
import { PROTOCOL_PACKAGE, readMetaModel } from './read-meta-model.ts';

const model = readMetaModel();

test('the model that is read from the declarations has the published form', () => {
  const path = join(PROTOCOL_PACKAGE, 'metaModel.schema.json');
  const validate = new Ajv({ strict: false }).compile(JSON.parse(readFileSync(path, 'utf8')));
  validate(model);
  expect(validate.errors ?? []).toEqual([]);
});

test('the model has every request and notification of the protocol', () => {
  expect(model.requests.length).toBeGreaterThan(60);
  expect(model.notifications.length).toBeGreaterThan(20);
  const methods = model.requests.map(({ method }) => method);
  expect(methods).toContain('textDocument/inlayHint');
  expect(methods).toContain('workspace/textDocumentContent');
  expect(new Set(methods).size).toBe(methods.length);
});

function problemsOf(...messages: readonly (readonly ['client' | 'server', JsonRpcMessage])[]) {
  const checker = new MessageChecker(model);
  for (const [sender, message] of messages) checker.check(sender, message);
  return checker.problems;
}

const position = { line: 1, character: 2 };
const range = { start: position, end: position };
const textDocument = { uri: 'file:///a.tf' };
const hover = { id: 1, method: 'textDocument/hover', params: { textDocument, position } };

describe('a message', () => {
  test.each([
    [
      'a request and its answer',
      [
        ['client', hover],
        ['server', { id: 1, result: { contents: 'a', range } }],
      ],
    ],
    [
      'an answer of null',
      [
        ['client', hover],
        ['server', { id: 1, result: null }],
      ],
    ],
    [
      'an error',
      [
        ['client', hover],
        ['server', { id: 1, error: { code: -32603, message: 'a' } }],
      ],
    ],
    [
      'a notification',
      [['server', { method: 'window/logMessage', params: { type: 3, message: 'a' } }]],
    ],
  ] as const)('is valid as %s', (_, messages) => {
    expect(problemsOf(...messages)).toEqual([]);
  });

  test.each([
    [
      'client',
      { id: 1, method: 'textDocument/nothing' },
      'textDocument/nothing is no request of the protocol',
    ],
    ['server', hover, 'textDocument/hover was sent by the server'],
    [
      'client',
      { ...hover, params: { textDocument, position: { line: -1, character: 0 } } },
      'textDocument/hover params.position.line: -1 is no uinteger',
    ],
    [
      'client',
      { ...hover, params: { position } },
      'textDocument/hover params.textDocument: missing',
    ],
    [
      'client',
      { ...hover, params: { ...hover.params, extra: 1 } },
      'textDocument/hover params.extra: not in the protocol',
    ],
  ] as const)('of the %s is invalid: %j', (sender, message, problem) => {
    expect(problemsOf([sender, message])).toEqual([problem]);
  });

  test('is invalid as an answer of another form', () => {
    const result = { contents: { kind: 'html', value: 'a' } };
    const [problem] = problemsOf(['client', hover], ['server', { id: 1, result }]);
    expect(problem).toMatch(/^textDocument\/hover result\.contents/);
  });
});
