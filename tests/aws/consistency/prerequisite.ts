// Objects that the test objects of several resource types depend on.
import type { Written } from '@terrane/provider/testing';
import { type Actors, errorOf } from '../moto-world.ts';
import type { WaitRule } from './rules.ts';

/** Creates an object that a test object refers to, and returns its attributes. */
export async function prerequisite(
  { of }: Actors,
  type: string,
  written: Written,
): Promise<Readonly<Record<string, unknown>>> {
  const made = await (await of(type)).apply(written);
  if (errorOf(made) !== '') throw new Error(errorOf(made));
  return made.state ?? {};
}

/** The policy of a role that services may assume. */
export const TRUST: string = JSON.stringify({
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Principal: { Service: ['ec2.amazonaws.com', 'lambda.amazonaws.com', 's3.amazonaws.com'] },
      Action: 'sts:AssumeRole',
    },
  ],
});

/** Creates a role, and returns its ARN. */
export async function role(actors: Actors, name: string): Promise<string> {
  const made = await prerequisite(actors, 'aws_iam_role', { name, assume_role_policy: TRUST });
  return String(made['arn']);
}

/** A policy that allows a principal something. */
export function policyFor(principal: unknown, resource = '*', action = '*'): string {
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: principal, Action: action, Resource: resource }],
  });
}

/** The ARN of a role that {@link unknownRole} makes a number of. */
export const NEW_ROLE = 'arn:aws:iam::123456789012:role/new';

/** Shows {@link NEW_ROLE} as services show a role that IAM has not made known everywhere. */
export const unknownRole: WaitRule['show'] = (body) =>
  body.replaceAll(NEW_ROLE, 'AROA0123456789EXAMPLE');
