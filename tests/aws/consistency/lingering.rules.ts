// Network interfaces that services leave behind, which subnets and security groups cannot be deleted before.
import { minutes, seconds } from '@terrane/provider/sdk';
import type { FaultProxy } from '../fault-proxy.ts';
import type { Subject, WaitRule } from './rules.ts';

interface Interface {
  readonly status?: string;
  /** the status of the attachment; absent: it is not attached */
  readonly attachment?: string;
  readonly owner?: string;
  readonly description?: string;
  readonly requester?: string;
}

/** An answer of EC2 with one network interface. */
function answer(networkInterface: Interface): string {
  const {
    status = 'in-use',
    attachment,
    owner = '1',
    description = '',
    requester = '',
  } = networkInterface;
  const attached =
    attachment === undefined
      ? ''
      : `<attachment><attachmentId>eni-attach-1</attachmentId><instanceOwnerId>${owner}</instanceOwnerId><status>${attachment}</status></attachment>`;
  return `<DescribeNetworkInterfacesResponse><networkInterfaceSet><item><networkInterfaceId>eni-1</networkInterfaceId><description>${description}</description><requesterId>${requester}</requesterId><status>${status}</status>${attached}</item></networkInterfaceSet></DescribeNetworkInterfacesResponse>`;
}

const LAMBDA = { description: 'AWS Lambda VPC ENI-jobs', owner: 'amazon-aws' };
const COMPREHEND = { requester: '123456789012:Comprehend' };
const BY_ID = 'NetworkInterfaceId.1';

/** Adds an interface that is deleted where nothing goes wrong. */
function leaves(proxy: FaultProxy, initial: Interface, later: Interface): void {
  const shows = (operation: string, body: string, about?: string): void =>
    void proxy.add(
      { service: 'ec2', operation, ...(about !== undefined && { about }) },
      { kind: 'changed', status: 200, change: () => body },
    );
  shows('DescribeNetworkInterfaces', answer(initial), 'Filter.1');
  shows('DescribeNetworkInterfaces', answer(later), BY_ID);
  for (const operation of ['DetachNetworkInterface', 'DeleteNetworkInterface']) {
    shows(operation, `<${operation}Response><return>true</return></${operation}Response>`);
  }
}

const BASE = {
  kind: 'wait',
  step: 'delete',
  service: 'ec2',
  operation: 'DescribeNetworkInterfaces',
  about: BY_ID,
  status: 200,
} as const;

/**
 * The waits for lingering interfaces.
 *
 * @param timeout the limit of the deletion, in milliseconds
 */
export function lingeringInterfaces(timeout: number): readonly WaitRule[] {
  const ofLambda: Pick<Subject, 'answers'> = {
    answers: (proxy) =>
      leaves(proxy, { ...LAMBDA, attachment: 'attached' }, { ...LAMBDA, status: 'available' }),
  };
  const ofComprehend: Pick<Subject, 'answers'> = {
    answers: (proxy) =>
      leaves(
        proxy,
        { ...COMPREHEND, attachment: 'attached' },
        { ...COMPREHEND, attachment: 'detached' },
      ),
  };
  return [
    {
      ...BASE,
      label: 'DescribeNetworkInterfaces, of Lambda',
      pending: ['in-use'],
      target: ['available'],
      show: (_, status) => answer({ ...LAMBDA, status }),
      matches: 18,
      delay: seconds(10),
      interval: seconds(10),
      limit: Math.max(timeout, minutes(45)),
      subject: ofLambda,
    },
    {
      ...BASE,
      label: 'DescribeNetworkInterfaces, of Comprehend and DMS',
      pending: ['attached', 'detaching'],
      target: ['detached'],
      show: (_, attachment) => answer({ ...COMPREHEND, attachment }),
      limit: Math.max(timeout, minutes(10)),
      subject: ofComprehend,
    },
  ];
}
