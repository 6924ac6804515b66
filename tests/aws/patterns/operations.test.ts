// Handling of operations that continue after their response. Each test shows that its pattern makes the difference.
import { describe, expect, it } from 'vitest';
import { MOTO } from '../../backends/moto.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import { actors, errorOf } from '../moto-world.ts';
import { expectPattern, play, type Scenario } from '../scenario.ts';
import { failing, named, network, requireMoto, withProxy } from './pattern-world.ts';

requireMoto();

describe.runIf(MOTO)('an asynchronous operation', () => {
  let proxy: FaultProxy;
  withProxy((started) => (proxy = started));

  const inState = (state: string, times: number): Scenario['trouble'] => {
    const change = (body: string): string =>
      body.replace('<state>available</state>', `<state>${state}</state>`);
    return (at) =>
      at.add({ service: 'ec2', operation: 'DescribeVpcs', times }, { kind: 'changed', change });
  };

  it('is waited for, through the states on its way', async () => {
    const trouble = inState('pending', 4);
    const { step } = await expectPattern(
      proxy,
      { type: 'aws_vpc', written: network, trouble },
      /waiting for EC2 VPC \(vpc-\w+\) creation\n.*timeout.*'pending'/s,
    );
    expect(step.state).toMatchObject(network());
  });

  it('is waited for with a waiter that the SDK has for it', async () => {
    const message = 'The user with name it cannot be found.';
    const trouble = failing({ status: 404, code: 'NoSuchEntity', message }, 'GetUser', 'iam');
    const { step, name } = await expectPattern(
      proxy,
      { type: 'aws_iam_user', written: named, trouble },
      /waiting for IAM User \(it-\d+\) creation\n.*timeout/,
    );
    expect(step.state).toMatchObject({ name });
  });

  it('is not waited for in a state that is not on its way', async () => {
    const trouble = inState('failed', Infinity);
    const { error, elapsedMs } = await play(proxy, {
      type: 'aws_vpc',
      written: network,
      trouble,
    });
    expect(error).toMatch(
      /waiting for EC2 VPC \(vpc-\w+\) creation\n.*unexpected state 'failed', wanted target 'available'/,
    );
    expect(elapsedMs).toBeLessThan(1_000);
  });

  it('leaves an object behind that is known, where waiting for it fails', async () => {
    const trouble = inState('failed', Infinity);
    const { step } = await play(proxy, { type: 'aws_vpc', written: network, trouble });
    expect(step.state?.['id']).toMatch(/^vpc-/);
  });

  it('is polled until an argument has the configured value', async () => {
    const { step } = await expectPattern(
      proxy,
      {
        type: 'aws_vpc',
        before: network,
        written: () => ({ ...network(), enable_dns_hostnames: true }),
        trouble: (at) =>
          at.add(
            { service: 'ec2', operation: 'DescribeVpcAttribute', about: 'Hostnames', times: 4 },
            { kind: 'stale' },
          ),
      },
      /waiting for EC2 VPC \(vpc-\w+\) update of enableDnsHostnames/,
    );
    expect(step.state).toMatchObject({ enable_dns_hostnames: true });
  });

  it('is tried again while something that is being deleted still depends on it', async () => {
    const failure = { status: 400, code: 'DependencyViolation', message: 'It has dependencies.' };
    const trouble = failing(failure, 'DeleteVpc', 'ec2', 4);
    const { step } = await expectPattern(
      proxy,
      {
        type: 'aws_vpc',
        before: network,
        written: network,
        trouble,
        act: (life) => life.destroy(),
      },
      /deleting EC2 VPC \(vpc-\w+\)\n.*DependencyViolation/,
    );
    expect(step.state).toBeNull();
  });

  it('is in the progress, with the reason, while it is tried again for long', async () => {
    const { of } = await actors(proxy);
    proxy.reset();
    const life = await of('aws_vpc');
    expect(errorOf(await life.apply(network()))).toBe('');
    const failure = { status: 400, code: 'DependencyViolation', message: 'It has dependencies.' };
    proxy.add({ service: 'ec2', operation: 'DeleteVpc', times: 12 }, { kind: 'failure', failure });
    expect(errorOf(await life.destroy())).toBe('');
    expect(life.notes[0]).toMatch(
      /^retrying deleting EC2 VPC \(vpc-\w+\): operation error EC2: DeleteVpc.*It has dependencies\.$/,
    );
    expect(life.notes.at(-1)).toBe('');
  });

  it('is waited for until the object is gone', async () => {
    const { step } = await expectPattern(
      proxy,
      {
        type: 'aws_vpc',
        before: network,
        written: network,
        trouble: (at) =>
          at.add({ service: 'ec2', operation: 'DescribeVpcs', times: 4 }, { kind: 'stale' }),
        act: (life) => life.destroy(),
      },
      /waiting for EC2 VPC \(vpc-\w+\) deletion/,
    );
    expect(step.state).toBeNull();
  });
});
