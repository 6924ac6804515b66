// An interrupt while a service is deployed, with `sigint_rollback`.
import { describe, expect, it } from 'vitest';
import { MOTO } from '../backends/moto.ts';
import type { FaultProxy } from './fault-proxy.ts';
import { actors, errorOf } from './moto-world.ts';
import { requireMoto, withProxy } from './patterns/pattern-world.ts';

requireMoto();

const STOPPED = 'StopServiceDeployment';

/** Answers about the deployment of a service, which never ends; the test server knows no deployments. */
function deploys(proxy: FaultProxy, whenAsked: () => void): void {
  const answers: Readonly<Record<string, () => object>> = {
    ListServiceDeployments: () => {
      const created = /ecs-svc\/(\d+)/.exec(primary)?.[1] ?? '';
      const serviceDeploymentArn = 'arn:deployment';
      const targetServiceRevisionArn = `arn:revision/${created}`;
      return { serviceDeployments: [{ serviceDeploymentArn, targetServiceRevisionArn }] };
    },
    DescribeServiceDeployments: () => {
      whenAsked();
      return { serviceDeployments: [{ status: 'IN_PROGRESS' }] };
    },
    [STOPPED]: () => ({ serviceDeploymentArn: 'arn:deployment' }),
  };
  let primary = '';
  const service = 'ecs';
  proxy.add(
    { service, operation: 'CreateService' },
    { kind: 'changed', change: (body) => (primary = body) },
  );
  for (const [operation, answer] of Object.entries(answers)) {
    const change = (): string => JSON.stringify(answer());
    proxy.add({ service, operation }, { kind: 'changed', status: 200, change });
  }
}

describe.runIf(MOTO)('an interrupt while a service is deployed', () => {
  let proxy: FaultProxy;
  withProxy((started) => (proxy = started));

  async function interrupted(name: string, sigint_rollback: boolean): Promise<string> {
    const { checked, of } = await actors(proxy);
    const cluster = await (await of('aws_ecs_cluster')).apply({ name });
    proxy.reset();
    deploys(proxy, () => void checked.stop());
    const service = await of('aws_ecs_service');
    const step = await service.apply({
      name,
      cluster: String(cluster.state?.['arn']),
      wait_for_steady_state: true,
      sigint_rollback,
    });
    return errorOf(step);
  }

  it('rolls the deployment back with sigint_rollback', async () => {
    expect(await interrupted('rolled-back', true)).not.toBe('');
    const [stop, ...others] = proxy.requests.filter(({ operation }) => operation === STOPPED);
    expect(JSON.parse(stop?.body ?? '{}')).toEqual({
      serviceDeploymentArn: 'arn:deployment',
      stopType: 'ROLLBACK',
    });
    expect(others).toEqual([]);
  });

  it('leaves the deployment in progress without sigint_rollback', async () => {
    expect(await interrupted('left-running', false)).not.toBe('');
    expect(proxy.count('ecs', STOPPED)).toBe(0);
  });
});
