import { AbsResource, ResourceAddr, ROOT_INSTANCE } from '@terrane/addresses';
import { expect, test } from 'vitest';
import type { RunEvent } from '@terrane/engine';
import { eventText } from './event-text.ts';

const addr = AbsResource.of(ROOT_INSTANCE, ResourceAddr.of('managed', 'a', 'b')).instance(0);
const id = { idKey: 'id', idValue: 'x' };
const long = { idKey: 'id', idValue: 'abcdefghij'.repeat(9) };

const cases: readonly (readonly [RunEvent, string | undefined])[] = [
  [{ kind: 'refresh-start', addr, ...id }, 'a.b[0]: Refreshing state... [id=x]'],
  [{ kind: 'refresh-complete', addr, ...id }, undefined],
  [{ kind: 'read-start', addr }, 'a.b[0]: Reading...'],
  [{ kind: 'read-complete', addr, elapsedMs: 499, ...id }, 'a.b[0]: Read complete after 0s [id=x]'],
  [{ kind: 'apply-start', addr, action: 'create' }, 'a.b[0]: Creating...'],
  [{ kind: 'apply-start', addr, action: 'update', ...id }, 'a.b[0]: Modifying... [id=x]'],
  [
    { kind: 'apply-start', addr, action: 'delete', deposed: '0123abcd', ...id },
    'a.b[0] (deposed object 0123abcd): Destroying... [id=x]',
  ],
  [{ kind: 'apply-start', addr, action: 'forget' }, undefined],
  [
    { kind: 'apply-progress', addr, action: 'create', elapsedMs: 10_000 },
    'a.b[0]: Still creating... [10s elapsed]',
  ],
  [
    {
      kind: 'apply-progress',
      addr,
      action: 'create',
      elapsedMs: 130_000,
      note: 'retrying SQS CreateQueue, attempt 9 of 26:\n[red]It is us',
    },
    'a.b[0]: Still creating... [2m10s elapsed] (retrying SQS CreateQueue, attempt 9 of 26: (red)It is us)',
  ],
  [
    { kind: 'apply-progress', addr, action: 'delete', elapsedMs: 70_000, ...id },
    'a.b[0]: Still destroying... [id=x, 1m10s elapsed]',
  ],
  [
    { kind: 'apply-progress', addr, action: 'update', elapsedMs: 3_600_000, ...long },
    'a.b[0]: Still modifying... [id=abcdefghijabcdefghijabcdefghijabcdefghi...cdefghijabcdefghijabcdefghijabcdefghij, 1h0m0s elapsed]',
  ],
  [
    { kind: 'apply-complete', addr, action: 'create', elapsedMs: 1000, ...id },
    'a.b[0]: Creation complete after 1s [id=x]',
  ],
  [
    { kind: 'apply-complete', addr, action: 'delete', elapsedMs: 0 },
    'a.b[0]: Destruction complete after 0s',
  ],
  [{ kind: 'apply-errored', addr, action: 'create' }, undefined],
  [
    { kind: 'provision-start', addr, provisioner: 'local-exec' },
    "a.b[0]: Provisioning with 'local-exec'...",
  ],
  [
    { kind: 'provision-progress', addr, provisioner: 'local-exec', output: 'one\r\n\n two  \n' },
    'a.b[0] (local-exec): one\na.b[0] (local-exec):  two',
  ],
  [{ kind: 'message', text: 'hello' }, 'hello'],
];

test.each(cases)('%j', (event, text) => {
  expect(eventText(event, { color: false })).toBe(text);
});

test('with color the line is bold', () => {
  const event: RunEvent = { kind: 'refresh-start', addr };
  expect(eventText(event, { color: true })).toBe(
    '\u001b[0m\u001b[1ma.b[0]: Refreshing state...\u001b[0m',
  );
});

test('tags in names are removed, as Terraform removes them, but none that only parts together form', () => {
  const named = (key: string): typeof addr =>
    AbsResource.of(ROOT_INSTANCE, ResourceAddr.of('managed', 'a', 'b')).instance(key);
  const complete = (key: string, idValue: string): RunEvent => ({
    kind: 'apply-complete',
    action: 'create',
    addr: named(key),
    elapsedMs: 0,
    idKey: 'id',
    idValue,
  });
  expect(eventText(complete('x[red]', 'y[bold]z'))).toBe(
    'a.b["x"]: Creation complete after 0s [id=yz]',
  );
  expect(eventText(complete('x[red]', 'y[bold]'), { color: true })).toBe(
    '\u001b[0m\u001b[1ma.b["x\u001b[31m"]: Creation complete after 0s [id=y\u001b[1m]\u001b[0m',
  );
  expect(eventText(complete('x[re', 'd]'))).toBe('a.b["x[re"]: Creation complete after 0s [id=d]]');
});
