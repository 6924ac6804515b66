import { minutes, seconds } from '@terrane/provider/sdk';
import { errorOf } from '../moto-world.ts';
import {
  type ServiceRules,
  type Source,
  type Subject,
  type WaitRule,
  xmlElement,
} from './rules.ts';

const WAIT: Source = {
  file: 'ec2/wait.go',
  commit: '011a8eed43ed7763ef9de18cbb776eb29c762452',
};

const DEPENDENT = {
  status: 400,
  code: 'DependencyViolation',
  message: 'It has dependencies.',
  anyMessage: true,
};
const NO_VPC = {
  status: 400,
  code: 'InvalidVpcID.NotFound',
  message: 'The vpc ID does not exist',
  anyMessage: true,
};

/** Creates a VPC for what is to be in it. */
const inVpc: Subject['prepare'] = async ({ of }) => {
  const made = await (await of('aws_vpc')).apply({ cidr_block: '10.0.0.0/16' });
  if (errorOf(made) !== '') throw new Error(errorOf(made));
  return { vpc_id: String(made.state?.['id']) };
};

/** Values of attributes that EC2 shows a while after they were set. */
function attribute(about: string, operation: string): Pick<WaitRule, 'operation' | 'about'> {
  return { operation, about };
}

/** Resource types of networks. */
export const VPC: ServiceRules = {
  service: 'VPC',
  types: [
    {
      type: 'aws_vpc',
      sources: [{ file: 'ec2/vpc_.go', commit: '00081ce41cc691433ac19bf42227cdabffd0454d' }, WAIT],
      subject: {
        written: () => ({ cidr_block: '10.0.0.0/16' }),
        updated: () => ({ cidr_block: '10.0.0.0/16', enable_dns_hostnames: true }),
      },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'ec2',
          operation: 'CreateVpc',
          errors: [
            {
              status: 400,
              code: 'UnsupportedOperation',
              message:
                'The operation AllocateIpamPoolCidr is not supported. Account 1 is not monitored by IPAM ipam-1.',
            },
          ],
          limit: minutes(5),
        },
        {
          kind: 'wait',
          step: 'create',
          service: 'ec2',
          operation: 'DescribeVpcs',
          pending: ['pending'],
          target: ['available'],
          show: xmlElement('state'),
          unexpected: { state: 'failed' },
          missing: NO_VPC,
          limit: minutes(10),
        },
        {
          kind: 'wait',
          step: 'update',
          service: 'ec2',
          ...attribute('enableDnsHostnames', 'DescribeVpcAttribute'),
          pending: [],
          target: ['true'],
          show: (body) => body.replace(/<value>true<\/value>/, '<value>false</value>'),
          delay: seconds(10),
          interval: seconds(3),
          limit: minutes(5),
        },
        {
          kind: 'retry',
          step: 'delete',
          service: 'ec2',
          operation: 'DeleteVpc',
          errors: [DEPENDENT],
          limit: minutes(5),
        },
        {
          kind: 'wait',
          step: 'delete',
          service: 'ec2',
          operation: 'DescribeVpcs',
          pending: ['available'],
          target: [],
          show: xmlElement('state'),
          limit: minutes(5),
        },
      ],
    },
    {
      type: 'aws_subnet',
      sources: [
        { file: 'ec2/vpc_subnet.go', commit: '00cda125a19d31754cb0d073cf551264c57955cb' },
        WAIT,
      ],
      subject: {
        prepare: inVpc,
        written: () => ({ cidr_block: '10.0.1.0/24' }),
        updated: () => ({ cidr_block: '10.0.1.0/24', map_public_ip_on_launch: true }),
      },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'ec2',
          operation: 'CreateSubnet',
          errors: [NO_VPC],
          limit: minutes(5),
          difference: 'not retried; a VPC that was created a moment ago may not be known yet',
        },
        {
          kind: 'wait',
          step: 'create',
          service: 'ec2',
          operation: 'DescribeSubnets',
          pending: ['pending'],
          target: ['available'],
          show: xmlElement('state'),
          unexpected: { state: 'failed' },
          missing: { status: 400, code: 'InvalidSubnetID.NotFound', message: 'There is none' },
          limit: minutes(10),
        },
        {
          kind: 'wait',
          step: 'update',
          service: 'ec2',
          operation: 'DescribeSubnets',
          pending: [],
          target: ['true'],
          show: xmlElement('mapPublicIpOnLaunch'),
          delay: seconds(10),
          interval: seconds(3),
          limit: minutes(5),
        },
        {
          kind: 'retry',
          step: 'delete',
          service: 'ec2',
          operation: 'DeleteSubnet',
          errors: [DEPENDENT],
          limit: minutes(20),
        },
      ],
    },
  ],
};
