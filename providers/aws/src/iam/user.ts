import {
  bool,
  lengthBetween,
  matches,
  type Resource,
  string,
  unknown,
} from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, global, tagged } from '../resource/common-attributes.ts';
import { given } from '../resource/only.ts';
import { tagList } from '../tags/tags.ts';
import { DELETE_CONFLICT, NO_ENTITY } from './consts.ts';
import { leaveGroups, removeCredentials } from './user-credentials.ts';

/** `aws_iam_user` */
export const user: Resource<Aws> = awsResource({
  type: 'IAM User',
  notFound: NO_ENTITY,
  attributes: {
    ...global,
    ...arn,
    ...tagged,
    force_destroy: bool({
      default: false,
      computed: false,
      description:
        'Delete user even if it has non-Terraform-managed IAM access keys, login profile or MFA devices',
    }),
    name: string({
      required: true,
      validators: [
        matches(
          /^[0-9A-Za-z=,.@\-_+]+$/,
          'must only contain alphanumeric characters, hyphens, underscores, commas, periods, @ symbols, plus and equals signs',
        ),
      ],
    }),
    path: string({ default: '/', computed: false }),
    permissions_boundary: string({ optional: true, validators: [lengthBetween(0, 2048)] }),
    unique_id: string({ computed: true }),
  },

  // The id is the name, and the ARN has both in it.
  plan({ state, changed }) {
    if (state === null || !changed('name', 'path')) return undefined;
    return { arn: unknown(), ...(changed('name') && { id: unknown() }) };
  },

  async create({ aws, plan, tags }) {
    const { User } = await aws.iam.createUser({
      Path: plan.path,
      Tags: tagList(tags),
      UserName: plan.name,
      ...given({ PermissionsBoundary: plan.permissions_boundary }),
    });
    return User?.UserName ?? '';
  },

  async find({ aws, id, state }) {
    // A user that was renamed is looked for by the new name.
    return (await aws.iam.getUser({ UserName: state.name ?? id })).User;
  },

  read(found) {
    return {
      id: found.UserName,
      arn: found.Arn,
      name: found.UserName,
      path: found.Path,
      permissions_boundary: found.PermissionsBoundary?.PermissionsBoundaryArn,
      tags: found.Tags ?? [],
      unique_id: found.UserId,
    };
  },

  async update({ aws, plan, changed, id }) {
    const { name: UserName } = plan;
    if (changed('name', 'path')) {
      await aws.iam.updateUser({ UserName: id, NewUserName: UserName, NewPath: plan.path });
    }
    if (!changed('permissions_boundary')) return;
    const PermissionsBoundary = plan.permissions_boundary ?? '';
    if (PermissionsBoundary === '') await aws.iam.deleteUserPermissionsBoundary({ UserName });
    else await aws.iam.putUserPermissionsBoundary({ UserName, PermissionsBoundary });
  },

  async retag({ aws, id: UserName }, { set, removed }) {
    if (removed.length > 0) await aws.iam.untagUser({ UserName, TagKeys: [...removed] });
    const Tags = tagList(set);
    if (Tags !== undefined) await aws.iam.tagUser({ UserName, Tags });
  },

  async delete({ aws, object, id, state }) {
    await leaveGroups(aws, id);
    if (state.force_destroy) await removeCredentials(aws, object, id);
    await object.operation('deleting', () => aws.iam.deleteUser({ UserName: id }), {
      isRetryable: (error) => state.force_destroy && hasCode(error, ...DELETE_CONFLICT),
    });
  },

  import: (id) => ({ id, force_destroy: false }),
});
