import type { IAM } from '@aws-sdk/client-iam';

/** Sets or removes the permissions boundary of a role or user. */
export async function changeBoundary(
  iam: IAM,
  subject: 'Role' | 'User',
  name: string,
  policy: string | null,
): Promise<void> {
  const none = policy === null || policy === '';
  if (subject === 'Role') {
    if (none) await iam.deleteRolePermissionsBoundary({ RoleName: name });
    else await iam.putRolePermissionsBoundary({ RoleName: name, PermissionsBoundary: policy });
  } else if (none) await iam.deleteUserPermissionsBoundary({ UserName: name });
  else await iam.putUserPermissionsBoundary({ UserName: name, PermissionsBoundary: policy });
}
