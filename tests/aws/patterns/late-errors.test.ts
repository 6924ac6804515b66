// Handling of errors at the end of a long operation. Each test shows that its pattern makes the difference.
import { describe, expect, it } from 'vitest';
import { MOTO } from '../../backends/moto.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import { errorOf } from '../moto-world.ts';
import { expectPattern, play, type Scenario } from '../scenario.ts';
import { MINUTE, TRUST, requireMoto, withProxy } from './pattern-world.ts';

requireMoto();

describe.runIf(MOTO)('transient errors at the end of an asynchronous operation', () => {
  let proxy: FaultProxy;
  withProxy((started) => (proxy = started));

  const LATER = 'The role may not do that yet.';
  const roleOf: Scenario['prepare'] = async ({ of }, name) => {
    const assume_role_policy = JSON.stringify(TRUST);
    const made = await (await of('aws_iam_role')).apply({ name, assume_role_policy });
    expect(errorOf(made)).toBe('');
    return { role: String(made.state?.['arn']) };
  };
  const written = (name: string) => ({
    function_name: name,
    package_type: 'Image',
    image_uri: '123456789012.dkr.ecr.eu-central-1.amazonaws.com/it:latest',
  });
  /** A handler that answers reads of a function as pending a number of times and then as failed, in its first lives. */
  const failingLate =
    (pending: number, lives: number, made: string | RegExp): Scenario['trouble'] =>
    (at, name) => {
      let looks = 0;
      const change = (body: string): string => {
        const answer: unknown = JSON.parse(body);
        const configuration: unknown = Reflect.get(Object(answer), 'Configuration');
        const isOver = ++looks % (pending + 1) === 0;
        Object.assign(Object(configuration ?? answer), {
          State: isOver ? 'Failed' : 'Pending',
          StateReasonCode: 'InsufficientRolePermissions',
          StateReason: LATER,
          LastUpdateStatus: isOver ? 'Failed' : 'InProgress',
          LastUpdateStatusReasonCode: 'InsufficientRolePermissions',
          LastUpdateStatusReason: LATER,
        });
        return JSON.stringify(answer);
      };
      const times = (pending + 1) * lives;
      const operation = new RegExp(`^GET /2015-03-31/functions/${name}${String(made)}$`);
      return at.add({ service: 'lambda', operation, times }, { kind: 'changed', change });
    };
  const CREATE = /^POST \/2015-03-31\/functions\/?$/;

  it('restart the operation: creation of a function whose role lacks permissions so far', async () => {
    const { step, name, fault } = await expectPattern(
      proxy,
      {
        type: 'aws_lambda_function',
        prepare: roleOf,
        written,
        trouble: failingLate(5, 2, ''),
      },
      /waiting for Lambda Function \(it-\d+\) creation\n.*InsufficientRolePermissions: The role may not/,
    );
    expect(step.state).toMatchObject({ function_name: name });
    expect([fault.hits, proxy.count('lambda', CREATE)]).toEqual([12, 3]);
  });

  it('restart the operation: update of a function whose role lacks permissions so far', async () => {
    const { step } = await expectPattern(
      proxy,
      {
        type: 'aws_lambda_function',
        prepare: roleOf,
        before: written,
        written: (name) => ({ ...written(name), memory_size: 256 }),
        trouble: failingLate(5, 2, '/configuration'),
      },
      /waiting for Lambda Function \(it-\d+\) update\n.*InsufficientRolePermissions: The role may not/,
    );
    expect(step.state).toMatchObject({ memory_size: 256 });
  });

  it('end it where it did not begin within the time of propagation, though its own is not over', async () => {
    // Each life takes about a minute, so that the third one begins after two minutes.
    const { step, error, elapsedMs } = await play(proxy, {
      type: 'aws_lambda_function',
      prepare: roleOf,
      written,
      trouble: failingLate(12, Infinity, ''),
    });
    expect(error).toContain(`InsufficientRolePermissions: ${LATER}`);
    expect(proxy.count('lambda', CREATE)).toBe(3);
    expect(elapsedMs).toBeGreaterThan(2 * MINUTE);
    expect(elapsedMs).toBeLessThan(10 * MINUTE);
    expect(step.state).toMatchObject({ id: expect.stringMatching(/^it-/) });
  });
});
