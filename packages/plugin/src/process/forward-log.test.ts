import type { Log } from '@terrane/host';
import { expect, it } from 'vitest';
import { forwardLog } from './forward-log.ts';

function forwarded(line: string): readonly unknown[] {
  const written: unknown[] = [];
  const log: Log = { enabled: () => true, write: (...entry) => void written.push(entry) };
  forwardLog(log, 'terraform-provider-x_v1')(line);
  return written;
}

const MODULE = 'provider.terraform-provider-x_v1';

it.each([
  [
    '{"@level":"warn","@message":"hm","@module":"sdk","@timestamp":"2026-11-21T20:38:37.680123Z","n":1}',
    ['warn', MODULE, 'hm', { '@module': 'sdk', n: 1, timestamp: '2026-11-21T20:38:37.680Z' }],
  ],
  ['{"@level":"info","@message":"x"}', ['info', MODULE, 'x', {}]],
  ['{"level":"info"}', ['debug', MODULE, '{"level":"info"}']],
  ['{not JSON', ['debug', MODULE, '{not JSON']],
  ['[ERROR] oh', ['error', MODULE, '[ERROR] oh']],
  ['panic: oh', ['debug', MODULE, 'panic: oh']],
])('%s', (line, expected) => {
  expect(forwarded(line)).toEqual([expected]);
});
