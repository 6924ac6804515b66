import { nodeHost } from '@terrane/host';
import { type CheckedProvider, enforceContract } from '@terrane/provider';
import { configValue, ResourceLife, type Step } from '@terrane/provider/testing';
import { provider } from '@terrane/provider-aws';
import { memoryHost } from '@terrane/testkit';
import { FaultProxy } from './fault-proxy.ts';
import { QuietClock } from './quiet-clock.ts';
import { sharedMoto } from './shared-moto.ts';

/** A server that answers as Amazon does, behind a proxy that makes trouble. */
export interface World {
  readonly proxy: FaultProxy;
  stop(): Promise<void>;
}

/** A proxy of this file's own before the server that all files share. */
export async function startWorld(): Promise<World> {
  const proxy = await FaultProxy.before(await sharedMoto());
  return { proxy, stop: () => proxy.stop() };
}

/** The provider, configured, with a clock that waits for nothing. */
export interface Actors {
  readonly clock: QuietClock;
  readonly checked: CheckedProvider;
  /** one object of a type */
  of(type: string): Promise<ResourceLife>;
}

/** Settings of the provider block besides region, keys and addresses. */
export type Settings = Readonly<Record<string, unknown>>;

const SERVICES = [
  ...['appautoscaling', 'dynamodb', 'ec2', 'ecs', 'iam', 'kafka', 'kms', 'lambda', 'logs'],
  ...['route53', 's3', 'secretsmanager', 'sns', 'sqs', 'ssm', 'sts'],
];

/** Configures the provider for a server. */
export async function actors(proxy: FaultProxy, settings: Settings = {}): Promise<Actors> {
  const clock = new QuietClock({ isBusy: () => proxy.isBusy, isLocal: true });
  const { http } = nodeHost();
  const checked = enforceContract(
    provider.create({ ...memoryHost(), http, clock }),
    provider.address,
  );
  const { block } = (await checked.schema()).provider;
  const { endpoint = proxy.endpoint, ...rest } = settings;
  const config = configValue(block, {
    region: 'eu-central-1',
    access_key: 'test',
    secret_key: 'test',
    skip_credentials_validation: true,
    s3_use_path_style: true,
    endpoints: [Object.fromEntries(SERVICES.map((name) => [name, endpoint]))],
    ...rest,
  });
  const capabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };
  const { diagnostics = [] } = await checked.configure({
    terraformVersion: '1.11.4',
    config,
    capabilities,
  });
  const [problem] = diagnostics.filter(({ severity }) => severity === 'error');
  if (problem !== undefined) throw new Error(`${problem.summary}: ${problem.detail}`);
  return { clock, checked, of: (type) => ResourceLife.of(checked, type) };
}

/** Returns the errors of a step; an empty string if there are none. */
export function errorOf(step: Step): string {
  const errors = (step.diagnostics ?? []).filter(({ severity }) => severity === 'error');
  return errors.map(({ summary, detail }) => `${summary}\n${detail ?? ''}`).join('\n');
}
