import { minutes, seconds } from '@terrane/provider/sdk';
import { type Actors, errorOf } from '../moto-world.ts';
import {
  type ServiceRules,
  type Source,
  type Subject,
  type WaitRule,
  xmlElement,
} from './rules.ts';
import { instanceUpdates, VOLUME_UPDATE } from './instance.rules.ts';
import { answersModify, putAfter, without } from './shown.ts';

const WAIT: Source = { file: 'ec2/wait.go', commit: '011a8eed43ed7763ef9de18cbb776eb29c762452' };
const INSTANCE: Source = {
  file: 'ec2/ec2_instance.go',
  commit: '0015dfcd06d5d78e5e1c3cabe8cea837d379d1c7',
};

const ATTACHMENT: Source = {
  file: 'ec2/ebs_volume_attachment.go',
  commit: '0620f2a6a126dfcbc4aecbc9a117b0fbea1656ff',
};
const IMAGE: Source = {
  file: 'ec2/ec2_ami.go',
  commit: '0073593e7d6993ba482409f4dc35438daaa79bb3',
};

const POLLING = { delay: seconds(10), interval: seconds(3) } as const;
const REASON = 'Client.VolumeLimitExceeded: Volume limit exceeded';

/** Shows a state of an instance, with the state reason where it is terminated. */
const instanceState: WaitRule['show'] = (body, state) =>
  body
    .replaceAll(
      /<instanceState>.*?<\/instanceState>/gs,
      `<instanceState><code>0</code><name>${state}</name></instanceState>`,
    )
    .replaceAll(/<stateReason>.*?<\/stateReason>|<stateReason ?\/>/gs, '')
    .replaceAll(
      '</instanceState>',
      state === 'terminated'
        ? `</instanceState><stateReason><code>Client.VolumeLimitExceeded</code><message>${REASON}</message></stateReason>`
        : '</instanceState>',
    );

const imageState: WaitRule['show'] = (body, state) =>
  body
    .replaceAll(/<imageState>[^<]*<\/imageState>/g, `<imageState>${state}</imageState>`)
    .replaceAll(
      '</imageState>',
      state === 'failed'
        ? `</imageState><stateReason><code>Client</code><message>${REASON}</message></stateReason>`
        : '</imageState>',
    );

const attachmentState: WaitRule['show'] = (body, state) =>
  body.replaceAll(/<attachmentSet>.*?<\/attachmentSet>/gs, (set) =>
    xmlElement('status')(set, state),
  );

const IMAGE_ARGUMENTS = { virtualization_type: 'hvm', root_device_name: '/dev/xvda' };
const DEPRECATED = '2031-01-01T00:00:00Z';

const description: WaitRule['show'] = (body, text) =>
  putAfter(without(body, 'description'), 'imageId', `<description>${text}</description>`);

/** An image without what the test server adds, which would be replaced by an update. */
function bareImage(body: string): string {
  const bare = without(without(body, 'blockDeviceMapping'), 'bootMode');
  return xmlElement('rootDeviceName')(bare, IMAGE_ARGUMENTS.root_device_name);
}

/** The wait after an image is deprecated, or no longer is. */
function deprecation(modify: 'EnableImageDeprecation' | 'DisableImageDeprecation'): WaitRule {
  const isEnabled = modify === 'EnableImageDeprecation';
  const shown = (body: string, time: string): string =>
    putAfter(without(body, 'deprecationTime'), 'imageId', time);
  const set = `<deprecationTime>${DEPRECATED}</deprecationTime>`;
  const deprecated = (name: string) => ({
    name,
    ...IMAGE_ARGUMENTS,
    deprecation_time: DEPRECATED,
  });
  const usual = (name: string) => ({ name, ...IMAGE_ARGUMENTS });
  return {
    kind: 'wait',
    step: 'update',
    service: 'ec2',
    operation: 'DescribeImages',
    label: `DescribeImages, after ${modify}`,
    pending: [isEnabled ? 'no time' : 'a time'],
    target: [isEnabled ? 'the requested time' : 'no time'],
    show: (body) => shown(body, isEnabled ? '' : set),
    delay: seconds(5),
    interval: seconds(3),
    limit: minutes(2),
    subject: {
      written: isEnabled ? usual : deprecated,
      updated: isEnabled ? deprecated : usual,
      answers: (proxy) =>
        answersModify(
          proxy,
          'DescribeImages',
          {
            EnableImageDeprecation: (body) => shown(body, set),
            DisableImageDeprecation: (body) => shown(body, ''),
          },
          bareImage,
        ),
    },
  };
}

async function create(
  actors: Actors,
  type: string,
  written: object,
): Promise<Readonly<Record<string, unknown>>> {
  const made = await (await actors.of(type)).apply({ ...written });
  if (errorOf(made) !== '') throw new Error(errorOf(made));
  return made.state ?? {};
}

const instance = { ami: 'ami-12c6146b', instance_type: 't3.micro' };
const volume = { availability_zone: 'eu-central-1a', size: 1 };

const NO_PROFILE = {
  status: 400,
  code: 'InvalidParameterValue',
  message:
    'Value (it) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name',
};
const NO_ROLE = {
  status: 400,
  code: 'InvalidParameterValue',
  message:
    'IAM Instance Profile "arn:aws:iam::123456789012:instance-profile/it" has no associated IAM Roles',
};

const attached: Subject = {
  prepare: async (actors) => ({
    instance_id: (await create(actors, 'aws_instance', instance))['id'],
    volume_id: (
      await create(actors, 'aws_ebs_volume', { ...volume, availability_zone: 'eu-central-1a' })
    )['id'],
  }),
  written: () => ({ device_name: '/dev/sdh' }),
};

/** Resource types of instances, images, volumes and addresses. */
export const EC2: ServiceRules = {
  service: 'EC2',
  types: [
    {
      type: 'aws_instance',
      sources: [INSTANCE, WAIT],
      subject: {
        written: () => instance,
        updated: () => ({ ...instance, instance_type: 't3.small' }),
      },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'ec2',
          operation: 'RunInstances',
          errors: [NO_PROFILE, NO_ROLE],
          limit: minutes(2),
        },
        {
          kind: 'wait',
          step: 'create',
          service: 'ec2',
          operation: 'DescribeInstances',
          pending: ['pending'],
          target: ['running'],
          show: instanceState,
          unexpected: { state: 'terminated', reason: REASON },
          missing: {
            status: 400,
            code: 'InvalidInstanceID.NotFound',
            message: 'The instance ID does not exist',
          },
          ...POLLING,
          limit: minutes(10),
        },
        {
          kind: 'retry',
          step: 'update',
          service: 'ec2',
          operation: 'StartInstances',
          errors: [
            {
              status: 400,
              code: 'InvalidParameterValue',
              message: 'LaunchPlan instance type does not match attribute value',
            },
          ],
          limit: minutes(2),
        },
        ...instanceUpdates(instanceState, REASON),
        {
          kind: 'wait',
          step: 'delete',
          service: 'ec2',
          operation: 'DescribeInstances',
          pending: ['pending', 'running', 'shutting-down', 'stopped', 'stopping'],
          target: ['terminated'],
          show: instanceState,
          ...POLLING,
          limit: minutes(20),
        },
      ],
    },
    {
      type: 'aws_ami',
      sources: [IMAGE, WAIT],
      subject: {
        written: (name) => ({ name, virtualization_type: 'hvm', root_device_name: '/dev/xvda' }),
        updated: (name) => ({
          name,
          virtualization_type: 'hvm',
          root_device_name: '/dev/xvda',
          description: 'changed',
        }),
      },
      rules: [
        {
          kind: 'wait',
          step: 'create',
          service: 'ec2',
          operation: 'DescribeImages',
          pending: ['pending'],
          target: ['available'],
          show: imageState,
          unexpected: { state: 'failed', reason: REASON },
          delay: seconds(5),
          interval: seconds(3),
          limit: minutes(40),
        },
        {
          kind: 'wait',
          step: 'update',
          service: 'ec2',
          operation: 'DescribeImages',
          label: 'DescribeImages, description',
          pending: ['another description'],
          target: ['changed'],
          show: description,
          delay: seconds(5),
          interval: seconds(3),
          limit: minutes(2),
          subject: {
            answers: (proxy) =>
              answersModify(
                proxy,
                'DescribeImages',
                { ModifyImageAttribute: (body) => description(body, 'changed') },
                bareImage,
              ),
          },
        },
        ...(['EnableImageDeprecation', 'DisableImageDeprecation'] as const).map(deprecation),
        {
          kind: 'wait',
          step: 'delete',
          service: 'ec2',
          operation: 'DescribeImages',
          pending: ['available', 'failed', 'pending'],
          target: [],
          show: imageState,
          delay: seconds(5),
          interval: seconds(3),
          limit: minutes(90),
        },
      ],
    },
    {
      type: 'aws_ebs_volume',
      sources: [WAIT],
      subject: { written: () => volume, updated: () => ({ ...volume, size: 2 }) },
      rules: [
        {
          kind: 'wait',
          step: 'create',
          service: 'ec2',
          operation: 'DescribeVolumes',
          pending: ['creating'],
          target: ['available'],
          show: xmlElement('status'),
          unexpected: { state: 'error' },
          ...POLLING,
          limit: minutes(5),
        },
        VOLUME_UPDATE,
        {
          kind: 'retry',
          step: 'delete',
          service: 'ec2',
          operation: 'DeleteVolume',
          errors: [
            { status: 400, code: 'VolumeInUse', message: 'It is attached', anyMessage: true },
          ],
          limit: minutes(10),
        },
        {
          kind: 'wait',
          step: 'delete',
          service: 'ec2',
          operation: 'DescribeVolumes',
          pending: ['available', 'deleting', 'in-use'],
          target: [],
          show: xmlElement('status'),
          ...POLLING,
          limit: minutes(10),
          difference:
            'only `deleting` is pending, so that an outdated answer (`available`) fails the deletion',
        },
      ],
    },
    {
      type: 'aws_volume_attachment',
      sources: [ATTACHMENT, WAIT],
      subject: attached,
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'ec2',
          operation: 'AttachVolume',
          errors: [
            {
              status: 400,
              code: 'IncorrectState',
              message: 'The instance is not running',
              anyMessage: true,
            },
          ],
          limit: minutes(5),
          difference:
            'waits until the instance runs before it attaches; with the retry, volumes can also be attached to a stopped instance',
        },
        {
          kind: 'wait',
          step: 'create',
          service: 'ec2',
          operation: 'DescribeVolumes',
          pending: ['attaching'],
          target: ['attached'],
          show: attachmentState,
          unexpected: { state: 'detaching' },
          ...POLLING,
          limit: minutes(5),
        },
        {
          kind: 'ignore',
          step: 'delete',
          service: 'ec2',
          operation: 'DetachVolume',
          errors: [
            {
              status: 400,
              code: 'IncorrectState',
              message: "Volume 'vol-1' is in the 'available' state.",
            },
          ],
          limit: 0,
        },
        {
          kind: 'wait',
          step: 'delete',
          service: 'ec2',
          operation: 'DescribeVolumes',
          pending: ['attached', 'busy', 'detaching'],
          target: [],
          show: attachmentState,
          ...POLLING,
          limit: minutes(5),
          difference:
            'only `detaching` is pending, so that an outdated answer (`attached`) fails the deletion',
        },
      ],
    },
    {
      type: 'aws_eip',
      sources: [WAIT],
      subject: { written: () => ({ domain: 'vpc' }) },
      rules: [
        {
          kind: 'retry',
          step: 'delete',
          service: 'ec2',
          operation: 'ReleaseAddress',
          errors: [
            { status: 400, code: 'AuthFailure', message: 'It is in use', anyMessage: true },
            {
              status: 400,
              code: 'InvalidIPAddress.InUse',
              message: 'It is in use',
              anyMessage: true,
            },
          ],
          limit: minutes(3),
        },
      ],
    },
    {
      type: 'aws_eip_association',
      sources: [
        { file: 'ec2/ec2_eip_association.go', commit: '01c08000ddb14181b5bd19201d8fca311dc570e4' },
      ],
      subject: {
        prepare: async (actors) => ({
          allocation_id: (await create(actors, 'aws_eip', { domain: 'vpc' }))['id'],
          instance_id: (await create(actors, 'aws_instance', instance))['id'],
        }),
        written: () => ({}),
      },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'ec2',
          operation: 'AssociateAddress',
          errors: [
            {
              status: 400,
              code: 'InvalidInstanceID',
              message: 'The pending instance is not in a valid state',
              anyMessage: true,
            },
            {
              status: 400,
              code: 'InvalidAllocationID.NotFound',
              message: 'There is none',
              anyMessage: true,
            },
          ],
          limit: minutes(5),
          difference:
            'retries only the read that follows; the association itself fails while the instance is pending',
        },
      ],
    },
    {
      type: 'aws_key_pair',
      sources: [
        { file: 'ec2/ec2_key_pair.go', commit: '05bc9541efe73ea58b95ad961676ed4aba3fb03f' },
      ],
      subject: { written: () => ({}) },
      rules: [],
      note: 'only the rules for all resource types',
    },
  ],
};
