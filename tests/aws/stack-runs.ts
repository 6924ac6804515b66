// Fixture of the stack tests: a server, and steps that query it.
import { acceptanceTest, type ConfigStep, type Step } from '@terrane/provider-testing';
import { afterAll, beforeAll } from 'vitest';
import { type AwsServer, startAws } from './moto-life.ts';
import { type OwnAnswers, quickAws } from './quick-aws.ts';

/** The policy of a role that a service may assume, as an expression. */
export const ASSUMED = (service: string): string =>
  `jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "${service}.amazonaws.com" } }] })`;

/** The server does not know the tags of what scales. */
const noTags: OwnAnswers = (operation, { ResourceARN }) =>
  operation === 'ListTagsForResource' && /:scalable-target\//.test(String(ResourceARN))
    ? { Tags: {} }
    : undefined;

/** Runs stacks on a server of their own. */
export interface StackRuns {
  /** A step with a configuration, and arguments of its provider. */
  step(config: string, more?: Omit<ConfigStep, 'config'>, provider?: string): ConfigStep;
  /** Applies the steps one after the other, and destroys what is left. After each nothing may be left to do. */
  run(...steps: readonly Step[]): Promise<void>;
  readonly server: () => AwsServer;
}

/** To be called in a `describe`. */
export function stackRuns(): StackRuns {
  let server: AwsServer;
  beforeAll(async () => {
    server = await startAws();
  });
  afterAll(() => server.stop());
  return {
    step: (config, more = {}, provider = '') => ({
      config: server.provider(provider) + config,
      ...more,
    }),
    run: (...steps) => acceptanceTest({ providers: { 'hashicorp/aws': quickAws(noTags) }, steps }),
    server: () => server,
  };
}
