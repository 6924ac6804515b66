import {
  NotFoundError,
  type RemoteObject,
  type Resource,
  seconds,
  string,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { errorCode, hasCode, hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, global, tagged } from '../resource/common-attributes.ts';
import { nameOf } from '../resource/names.ts';
import { tagList } from '../tags/tags.ts';
import { NO_ENTITY } from './consts.ts';
import { iamNamed } from './name-validators.ts';
import { isRolePropagating } from './policy-answers.ts';
import { iamRetag } from './retag.ts';
import { orMissing } from './role-policies.ts';

/** `aws_iam_instance_profile` */
export const instanceProfile: Resource<Aws> = awsResource({
  type: 'IAM Instance Profile',
  notFound: NO_ENTITY,
  attributes: {
    ...global,
    ...arn,
    ...tagged,
    create_date: string({ computed: true }),
    ...iamNamed(128),
    path: string({ default: '/', computed: false, requiresReplace: true }),
    role: string({ optional: true }),
    unique_id: string({ computed: true }),
  },
  amazon: { name: 'InstanceProfileName', role: null, unique_id: 'InstanceProfileId' },

  async create({ aws, plan, request, tags }) {
    const { InstanceProfile } = await aws.iam.createInstanceProfile(
      request({ InstanceProfileName: nameOf(aws, plan), Tags: tagList(tags) }),
    );
    return InstanceProfile?.InstanceProfileName ?? '';
  },

  async created({ aws, object, plan, id, timeout }) {
    const look = () => aws.iam.getInstanceProfile({ InstanceProfileName: id });
    await object.read(look, { isNew: true });
    await addRole(aws, object, id, plan.role ?? '');
    await waitForProfile(aws, object, id, timeout);
  },

  async find({ aws, id, isNew }) {
    const { InstanceProfile } = await aws.iam.getInstanceProfile({ InstanceProfileName: id });
    // One that was just created may have its number instead of its ARN at first.
    if (isNew && InstanceProfile?.Arn?.startsWith('arn:') === false) throw new NotFoundError();
    return InstanceProfile;
  },

  async read({ Roles }, { aws, id }) {
    const role = Roles?.[0]?.RoleName;
    return { role: role === undefined ? undefined : await existingRole(aws, id, role) };
  },

  async update({ aws, object, plan, state, changed, id, timeout }) {
    if (!changed('role')) return;
    await removeRole(aws, id, state.role ?? '');
    await addRole(aws, object, id, plan.role ?? '');
    await waitForProfile(aws, object, id, timeout);
  },

  retag: iamRetag('InstanceProfile', 'InstanceProfileName'),

  async delete({ aws, id, state }) {
    await removeRole(aws, id, state.role ?? '');
    await aws.iam.deleteInstanceProfile({ InstanceProfileName: id });
  },
});

/** Returns the role of a profile; a deleted one is removed from it, because it would prevent adding another. */
async function existingRole(
  aws: RegionalAws,
  profile: string,
  RoleName: string,
): Promise<string | undefined> {
  try {
    await aws.iam.getRole({ RoleName });
    return RoleName;
  } catch (error) {
    if (!hasCode(error, ...NO_ENTITY)) throw error;
    await removeRole(aws, profile, RoleName);
    return undefined;
  }
}

/** Adds a role, which IAM may not know everywhere yet. */
async function addRole(
  aws: RegionalAws,
  profile: RemoteObject,
  InstanceProfileName: string,
  RoleName: string,
): Promise<void> {
  if (RoleName === '') return;
  await profile.operation(
    `adding IAM Role (${RoleName}) to`,
    () => aws.iam.addRoleToInstanceProfile({ InstanceProfileName, RoleName }),
    {
      isRetryable: (error) =>
        hasMessage(error, errorCode(error), 'Invalid IAM Instance Profile name') ||
        isRolePropagating(error),
    },
  );
}

async function removeRole(
  aws: RegionalAws,
  InstanceProfileName: string,
  RoleName: string,
): Promise<void> {
  if (RoleName === '') return;
  await orMissing(aws.iam.removeRoleFromInstanceProfile({ InstanceProfileName, RoleName }));
}

/** Waits until a profile is found with its ARN. Responses may come from different servers. */
async function waitForProfile(
  aws: RegionalAws,
  profile: RemoteObject,
  id: string,
  timeout: number,
): Promise<void> {
  await profile.waitForValue('readiness', {
    expected: true,
    value: ({ Arn = '' }) => Arn.startsWith('arn:'),
    read: async () =>
      (await aws.iam.getInstanceProfile({ InstanceProfileName: id })).InstanceProfile,
    continuousTargetOccurrences: 3,
    delay: seconds(5),
    notFoundChecks: 5,
    timeout,
  });
}
