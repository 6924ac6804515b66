import { bool, minutes, type Resource, string, unknown } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { again } from '../request/again.ts';
import { sdkWait } from '../request/sdk-waiter.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, global, tagged } from '../resource/common-attributes.ts';
import { tagList } from '../tags/tags.ts';
import { DELETE_CONFLICT, NO_ENTITY } from './consts.ts';
import { changeBoundary } from './permissions-boundary.ts';
import { iamRetag } from './retag.ts';
import { freeUser } from './user-credentials.ts';
import { lengthBetween, matches } from '../resource/validators.ts';

const FORM =
  'must only contain alphanumeric characters, hyphens, underscores, commas, periods, @ symbols, plus and equals signs';
const FORCE =
  'Delete user even if it has non-Terraform-managed IAM access keys, login profile or MFA devices';

/** `aws_iam_user` */
export const user: Resource<Aws> = awsResource({
  type: 'IAM User',
  notFound: NO_ENTITY,
  attributes: {
    ...global,
    ...arn,
    ...tagged,
    force_destroy: bool({ default: false, computed: false, description: FORCE }),
    name: string({ required: true, validators: [matches(/^[0-9A-Za-z=,.@\-_+]+$/, FORM)] }),
    path: string({ default: '/', computed: false }),
    permissions_boundary: string({ optional: true, validators: [lengthBetween(0, 2048)] }),
    unique_id: string({ computed: true }),
  },

  amazon: { force_destroy: null, name: 'UserName', unique_id: 'UserId' },

  // The id is the name, and the ARN has both in it.
  plan({ state, changed }) {
    if (state === null || !changed('name', 'path')) return undefined;
    return { arn: unknown(), ...(changed('name') && { id: unknown() }) };
  },

  async create({ aws, request, tags }) {
    const { User } = await aws.iam.createUser(request({ Tags: tagList(tags) }));
    return User?.UserName ?? '';
  },

  async created({ aws, object, id, timeout }) {
    const { waitForUserExists: waiter } = await import('../clients/libraries/aws-iam.ts');
    const ask = (input: { readonly UserName: string }) => aws.iam.getUser(input);
    const input = { UserName: id };
    await sdkWait(object, 'creation', {
      waiter,
      input,
      ask,
      timeout: Math.min(timeout, minutes(2)),
    });
  },

  // A renamed user is looked up by the new name.
  find: async ({ aws, id, state }) => (await aws.iam.getUser({ UserName: state.name ?? id })).User,
  read: ({ UserName: id, PermissionsBoundary: by }) => ({
    id,
    permissions_boundary: by?.PermissionsBoundaryArn,
  }),

  async update({ aws, plan, changed, id }) {
    const { name: NewUserName, path: NewPath, permissions_boundary: boundary } = plan;
    const requestInput = { UserName: id, NewUserName, NewPath };
    if (changed('name', 'path')) await aws.iam.updateUser(requestInput);
    if (changed('permissions_boundary'))
      await changeBoundary(aws.iam, 'User', NewUserName, boundary);
  },

  retag: iamRetag('User', 'UserName'),

  async delete({ aws, object, id, state }) {
    await freeUser(aws.iam, object, id, state.force_destroy);
    const later = again(state.force_destroy ? DELETE_CONFLICT : []);
    await object.operation('deleting', () => aws.iam.deleteUser({ UserName: id }), later);
  },

  import: (id) => ({ id, force_destroy: false }),
});
