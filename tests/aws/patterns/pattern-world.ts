// Fixture of the pattern tests: a proxy that injects faults, and the scenarios.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MOTO } from '../../backends/moto.ts';
import type { AwsFailure } from '../aws-answer.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import { startWorld, type World } from '../moto-world.ts';
import type { Scenario } from '../scenario.ts';

export const MINUTE = 60_000;

/** An assume-role policy that suffices for these tests. */
export const TRUST: object = {
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Principal: { Service: ['ec2.amazonaws.com', 'lambda.amazonaws.com'] },
      Action: 'sts:AssumeRole',
    },
  ],
};

/** Fails in CI without the test server, where the tests of a file would be skipped otherwise. */
export function requireMoto(): void {
  it.runIf(process.env['CI'] === 'true')('moto is there where everything is to be tested', () => {
    expect(MOTO).toBe(true);
  });
}

/** Starts a proxy before the tests of a group, and stops it after them. */
export function withProxy(use: (proxy: FaultProxy) => void): void {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
    use(world.proxy);
  });
  afterAll(() => world.stop());
}

/** Arguments of an object that has nothing but a name. */
export const named = (name: string): { readonly name: string } => ({ name });

/** Arguments of a VPC. */
export const network = (): { readonly cidr_block: string } => ({ cidr_block: '10.0.0.0/16' });

/** Fails the first requests of an operation. */
export function failing(
  failure: AwsFailure,
  operation: string | RegExp,
  service = 'sqs',
  times = 4,
): Scenario['trouble'] {
  return (at) => at.add({ service, operation, times }, { kind: 'failure', failure });
}
