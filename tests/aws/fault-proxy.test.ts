// The trouble that the fault proxy makes, in front of a server that counts.
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { awsRequest } from './aws-request.ts';
import { FaultProxy } from './fault-proxy.ts';
import { ROLE_NOT_ASSUMABLE, THROTTLED } from './faults.ts';
import { QuietClock } from './quiet-clock.ts';

const signed = (service: string): Record<string, string> => ({
  authorization: `AWS4-HMAC-SHA256 Credential=id/20240101/us-east-1/${service}/aws4_request`,
});
const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };

describe('a request', () => {
  it.each([
    ['sqs', { 'x-amz-target': 'AmazonSQS.CreateQueue' }, '{}', 'json', 'CreateQueue'],
    ['iam', form, 'Action=GetRole&RoleName=it', 'query', 'GetRole'],
    ['ec2', form, 'Action=DescribeVpcs', 'ec2', 'DescribeVpcs'],
    ['s3', {}, '', 'rest-xml', 'GET /a b'],
    ['lambda', {}, '', 'rest-json', 'GET /a b'],
  ])('to %s is known by its protocol', (service, headers, body, protocol, operation) => {
    const request = awsRequest('GET', '/a%20b?x=1', { ...signed(service), ...headers }, body);
    expect(request).toMatchObject({ service, protocol, operation });
  });
});

describe('the fault proxy', () => {
  let served = 0;
  let server: Server;
  let proxy: FaultProxy;
  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      request.once('end', () => response.end(`{"served":${++served},"state":"ACTIVE"}`));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // It listens at an address, not at a file.
    proxy = await FaultProxy.before(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterEach(() => {
    proxy.reset();
    served = 0;
  });
  afterAll(async () => {
    await proxy.stop();
    server.closeAllConnections();
    server.close();
  });

  const scope = { service: 'sqs', operation: 'GetQueueAttributes' };
  const ask = async (
    service = 'sqs',
    operation = 'GetQueueAttributes',
    body = '{}',
  ): Promise<Response> => {
    const query = service === 'iam' || service === 'ec2';
    const headers = query ? form : { 'x-amz-target': `AmazonSQS.${operation}` };
    return await fetch(service === 's3' ? `${proxy.endpoint}/bucket` : proxy.endpoint, {
      method: 'POST',
      headers: { ...signed(service), ...(service === 's3' || service === 'lambda' ? {} : headers) },
      body: query ? `Action=${operation}` : body,
    });
  };
  const answer = async (...args: Parameters<typeof ask>): Promise<string> =>
    await (await ask(...args)).text();

  it('forwards requests that no fault matches', async () => {
    proxy.add({ ...scope, operation: 'DeleteQueue' }, { kind: 'empty' });
    expect(await answer()).toBe('{"served":1,"state":"ACTIVE"}');
    expect(proxy.count('sqs', /^Get/)).toBe(1);
  });

  it('fails matching requests after a number of successes, a number of times', async () => {
    const about = { ...scope, about: /jobs/, after: 1, times: 1 };
    const fault = proxy.add(about, { kind: 'failure', failure: THROTTLED });
    const asked = [];
    for (const body of ['{}', '"jobs"', '{}', '"jobs"', '"jobs"']) {
      asked.push((await ask('sqs', 'GetQueueAttributes', body)).status);
    }
    expect(asked).toEqual([200, 200, 200, 400, 200]);
    expect(fault.hits).toBe(1);
    expect(served).toBe(4);
  });

  it.each([
    ['sqs', '{"__type":"InvalidParameterValueException","message":'],
    ['iam', '<ErrorResponse><Error><Type>Sender</Type><Code>InvalidParameterValueException</Code>'],
    ['ec2', '<Response><Errors><Error><Code>InvalidParameterValueException</Code>'],
    ['s3', '<Error><Code>InvalidParameterValueException</Code><Message>'],
    ['lambda', '{"message":"The role defined'],
  ])('formats errors as %s does', async (service, beginning) => {
    const failure = { kind: 'failure', failure: ROLE_NOT_ASSUMABLE } as const;
    proxy.add({ service, operation: /./ }, failure);
    const answer = await ask(service);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(beginning);
    expect(served).toBe(0);
  });

  it('lets a request fail whose work is done all the same', async () => {
    proxy.add(scope, { kind: 'failure', failure: THROTTLED, done: true });
    expect((await ask()).status).toBe(400);
    expect(served).toBe(1);
  });

  it.each([
    [false, 0],
    [true, 1],
  ])('resets connections, with the work done: %s', async (done, count) => {
    proxy.add({ ...scope, times: 1 }, { kind: 'reset', done });
    await expect(ask()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(served).toBe(count);
    expect((await ask()).status).toBe(200);
  });

  it('answers as it was before', async () => {
    expect(await answer()).toContain('"served":1');
    const change = (body: string): string => body.replace('ACTIVE', 'DELETING');
    proxy.add({ ...scope, times: 2 }, { kind: 'stale' });
    proxy.add({ ...scope, times: 1 }, { kind: 'stale', change });
    expect(await answer()).toBe('{"served":1,"state":"DELETING"}');
    expect(await answer()).toBe('{"served":1,"state":"ACTIVE"}');
    expect(await answer()).toContain('"served":1');
    expect(await answer()).toContain('"served":2');
  });

  it('changes answers', async () => {
    proxy.add(scope, { kind: 'changed', change: (body) => body.replace('ACTIVE', 'CREATING') });
    expect(await answer()).toBe('{"served":1,"state":"CREATING"}');
  });

  it('answers with nothing', async () => {
    proxy.add({ service: 'iam', operation: 'GetRole' }, { kind: 'empty' });
    proxy.add(scope, { kind: 'empty' });
    expect(await answer('iam', 'GetRole')).toContain('<GetRoleResponse><GetRoleResult/>');
    expect(await answer()).toBe('{}');
    expect(served).toBe(0);
  });

  it('delays responses on the virtual clock', async () => {
    const clock = new QuietClock({ isBusy: () => proxy.isBusy });
    proxy.add(scope, { kind: 'slow', until: () => clock.sleep(30_000) });
    expect(await answer()).toContain('"served":1');
    expect(clock.elapsedMs).toBe(30_000);
  });

  it('detects aborted requests', async () => {
    let answer = (): void => undefined;
    const until = async (): Promise<void> => await new Promise((resolve) => (answer = resolve));
    const fault = proxy.add(scope, { kind: 'slow', until });
    const controller = new AbortController();
    const asked = fetch(proxy.endpoint, {
      method: 'POST',
      headers: { ...signed('sqs'), 'x-amz-target': 'AmazonSQS.GetQueueAttributes' },
      body: '{}',
      signal: controller.signal,
    });
    await expect.poll(() => fault.hits).toBe(1);
    controller.abort();
    await expect(asked).rejects.toThrow('aborted');
    await expect.poll(() => fault.abandoned).toBe(1);
    answer();
  });
});

describe('the virtual clock', () => {
  it('wakes sleepers in the order of their times', async () => {
    const clock = new QuietClock({ isBusy: () => false });
    const woken: string[] = [];
    const sleep = async (name: string, ms: number): Promise<void> => {
      await clock.sleep(ms);
      woken.push(`${name} ${clock.elapsedMs}`);
    };
    await Promise.all([sleep('b', 20_000), sleep('a', 500), sleep('c', 20_000)]);
    expect(woken).toEqual(['a 500', 'b 20000', 'c 20000']);
  });

  it('stands still while something is under way', async () => {
    let busy = true;
    const clock = new QuietClock({ isBusy: () => busy });
    const slept = clock.sleep(1_000);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(clock.elapsedMs).toBe(0);
    busy = false;
    await slept;
    expect(clock.elapsedMs).toBe(1_000);
  });

  it('ends sleeps that are aborted', async () => {
    const clock = new QuietClock({ isBusy: () => true });
    const stop = new AbortController();
    const slept = clock.sleep(1_000, stop.signal);
    stop.abort(new Error('enough'));
    await expect(slept).rejects.toThrow('enough');
  });

  it('advances by a day at the first sleep without waiting', async () => {
    const clock = new QuietClock({ isBusy: () => false });
    clock.impatient = true;
    await clock.sleep(500);
    expect(clock.elapsedMs).toBe(86_400_000);
  });
});
