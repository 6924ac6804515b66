import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, startWorld, type World } from './moto-world.ts';
import { play } from './scenario.ts';

describe('an instance profile', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  // The server keeps roles that are in profiles from being deleted; IAM does so only where it knows of the profile.
  it('whose role is gone is freed of it, and gets another one', { timeout: 600_000 }, async () => {
    const policy = JSON.stringify({
      Version: '2012-10-17',
      Statement: { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: '*' } },
    });
    const { proxy } = world;
    const { step, error, name } = await play(proxy, {
      type: 'aws_iam_instance_profile',
      prepare: async ({ of }, role) => {
        const wanted = { name: role, assume_role_policy: policy };
        expect(errorOf(await (await of('aws_iam_role')).apply(wanted))).toBe('');
        return { role };
      },
      before: (profile) => ({ name: profile }),
      written: (profile) => ({ name: profile }),
      trouble: (at) =>
        at.add(
          { service: 'iam', operation: 'GetRole', times: 1 },
          {
            kind: 'failure',
            failure: { status: 404, code: 'NoSuchEntity', message: 'The role cannot be found.' },
          },
        ),
      act: async (life, written) => {
        const refreshed = await life.refresh();
        expect(errorOf(refreshed)).toBe('');
        expect(refreshed.state).toMatchObject({ role: '' });
        return await life.apply(written);
      },
    });
    expect(error).toBe('');
    expect(step.state).toMatchObject({ role: name });
    expect(proxy.count('iam', 'RemoveRoleFromInstanceProfile')).toBe(1);
  });
});
