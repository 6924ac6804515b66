// Handling of failing requests. Each test shows that its pattern makes the difference.
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '@terrane/provider';
import { MOTO } from '../../backends/moto.ts';
import { REQUEST_ID } from '../aws-answer.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import { EXPIRED, INTERNAL, THROTTLED, TOO_MANY, UNAVAILABLE } from '../faults.ts';
import { actors, errorOf } from '../moto-world.ts';
import { expectPattern, play, type Scenario } from '../scenario.ts';
import { failing, MINUTE, named, requireMoto, withProxy } from './pattern-world.ts';

requireMoto();

describe.runIf(MOTO)('requests', () => {
  let proxy: FaultProxy;
  withProxy((started) => (proxy = started));

  it.each([
    ['throttling by its code', THROTTLED],
    ['throttling by its status', TOO_MANY],
    ['faults of the service', INTERNAL],
    ['services that are not there', UNAVAILABLE],
  ])('are tried again after %s', async (_, failure) => {
    const trouble = failing(failure, 'CreateQueue');
    const without = { max_retries: 0 };
    const scenario: Scenario = { type: 'aws_sqs_queue', written: named, trouble, without };
    const { fault } = await expectPattern(proxy, scenario, new RegExp(failure.code));
    expect(fault.hits).toBe(4);
  });

  it('are retried 25 times by default, which takes about an hour', async () => {
    const trouble = failing(INTERNAL, 'CreateInternetGateway', 'ec2', Infinity);
    const scenario = { type: 'aws_internet_gateway', written: () => ({}), trouble };
    const { error, fault, elapsedMs } = await play(proxy, scenario);
    expect(error).toContain(INTERNAL.code);
    expect(fault.hits).toBe(26);
    expect(elapsedMs).toBeGreaterThan(40 * MINUTE);
    expect(elapsedMs).toBeLessThan(90 * MINUTE);
  });

  it('are retried ten times for an unreachable host, which takes half a minute', async () => {
    const { clock, of } = await actors(proxy, {
      endpoint: 'http://127.0.0.1:1',
      skip_requesting_account_id: true,
    });
    const step = await (await of('aws_sqs_queue')).apply({ name: 'it' });
    expect(errorOf(step)).toContain('ECONNREFUSED');
    expect(clock.elapsedMs).toBeGreaterThan(20_000);
    expect(clock.elapsedMs).toBeLessThan(70_000);
  });

  it('are not tried again when the connection was reset, as the work may be done', async () => {
    const scope = { service: 'sqs', operation: 'CreateQueue', times: 1 };
    const { error, name } = await play(proxy, {
      type: 'aws_sqs_queue',
      written: named,
      trouble: (at) => at.add(scope, { kind: 'reset', done: true }),
    });
    expect(error).toContain(`creating SQS Queue (${name})`);
    expect(error).toContain('ECONNRESET');
    expect(proxy.count('sqs', 'CreateQueue')).toBe(1);
  });

  it('are not tried again with credentials that have run out', async () => {
    const trouble = failing(EXPIRED, 'CreateQueue', 'sqs', Infinity);
    const { error } = await play(proxy, { type: 'aws_sqs_queue', written: named, trouble });
    expect(error).toContain(EXPIRED.message);
    expect(proxy.count('sqs', 'CreateQueue')).toBe(1);
  });

  it('name the failed request and its ID in errors', async () => {
    const trouble = failing(EXPIRED, 'CreateQueue', 'sqs', Infinity);
    const { error } = await play(proxy, { type: 'aws_sqs_queue', written: named, trouble });
    const how = `StatusCode: 403, RequestID: ${REQUEST_ID}, api error ExpiredToken: `;
    expect(error).toContain(`operation error SQS: CreateQueue, https response error ${how}`);
  });

  it('are logged with their parameters, without secrets', async () => {
    const { checked, of } = await actors(proxy);
    const entries: LogEntry[] = [];
    checked.logTo?.((entry) => entries.push(entry));
    proxy.reset();
    proxy.add(
      { service: 'ssm', operation: 'PutParameter', times: 1 },
      { kind: 'failure', failure: THROTTLED },
    );
    const written = { name: 'it-secret', type: 'SecureString', value: 'open sesame' };
    expect(errorOf(await (await of('aws_ssm_parameter')).apply(written))).toBe('');
    const put = entries.filter(({ fields }) => fields['aws.operation'] === 'PutParameter');
    expect(put.map(({ level, message }) => [level, message])).toEqual([
      ['debug', 'HTTP Request Sent'],
      ['debug', 'HTTP Response Received'],
    ]);
    expect(put[0]?.fields).toMatchObject({
      subject: 'aws_ssm_parameter',
      object: 'SSM Parameter (it-secret)',
    });
    expect(put[0]?.fields['input']).toMatchObject({ Name: 'it-secret', Value: '***' });
    expect(put[1]?.fields).toMatchObject({ 'http.status_code': 200, attempts: 2 });
    expect(entries.map(({ message }) => message)).toContain('request is tried again');
    expect(JSON.stringify(entries)).not.toContain('open sesame');
  });

  it('that are tried again for more than a minute are in the progress, with the reason', async () => {
    const { of } = await actors(proxy);
    proxy.reset();
    const scope = { service: 'sqs', operation: 'DeleteQueue', times: 13 };
    const life = await of('aws_sqs_queue');
    expect(errorOf(await life.apply({ name: 'it-held-up' }))).toBe('');
    proxy.add(scope, { kind: 'failure', failure: INTERNAL });
    expect(errorOf(await life.destroy())).toBe('');
    const note = /^retrying SQS DeleteQueue, attempt \d+ of 26: InternalFailure: It is us$/;
    expect(life.notes[0]).toMatch(note);
    expect(life.notes.slice(0, -1).filter((each) => !note.test(each))).toEqual([]);
    expect(life.notes.at(-1)).toBe('');
  });

  it('may take longer than operations do', async () => {
    const { clock, of } = await actors(proxy);
    proxy.reset();
    const scope = { service: 'ec2', operation: 'CreateInternetGateway', times: 1 };
    proxy.add(scope, { kind: 'slow', until: () => clock.sleep(30 * MINUTE) });
    const step = await (await of('aws_internet_gateway')).apply({});
    expect(errorOf(step)).toBe('');
    expect(clock.elapsedMs).toBeGreaterThanOrEqual(30 * MINUTE);
  });
});
