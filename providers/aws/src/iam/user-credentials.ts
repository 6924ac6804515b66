import type { IAM } from '@aws-sdk/client-iam';
import type { RemoteObject } from '@terrane/provider/sdk';
import { again } from '../request/again.ts';
import { UNMODIFIABLE } from './consts.ts';
import { markedPages } from './marked-pages.ts';
import { orMissing } from './role-policies.ts';

/**
 * Memberships that prevent the deletion of a user: the operation that lists them, the member of its answer, the member
 * with the name, and the operation that removes one.
 */
const GROUPS = [['listGroupsForUser', 'Groups', 'GroupName', 'removeUserFromGroup']] as const;
const SERVICE_KEY = 'ServiceSpecificCredential';
const CREDENTIALS = [
  ['listAccessKeys', 'AccessKeyMetadata', 'AccessKeyId', 'deleteAccessKey'],
  ['listSSHPublicKeys', 'SSHPublicKeys', 'SSHPublicKeyId', 'deleteSSHPublicKey'],
  ['listMFADevices', 'MFADevices', 'SerialNumber', 'deactivateMFADevice'],
  ['listSigningCertificates', 'Certificates', 'CertificateId', 'deleteSigningCertificate'],
  [`list${SERVICE_KEY}s`, `${SERVICE_KEY}s`, `${SERVICE_KEY}Id`, `delete${SERVICE_KEY}`],
] as const;

type Answer = Readonly<Record<string, readonly Readonly<Record<string, string>>[] | undefined>>;

/** Removes a user from all groups, and with `force` deletes all credentials of the user. */
export async function freeUser(
  iam: IAM,
  user: RemoteObject,
  UserName: string,
  force: boolean,
): Promise<void> {
  // The rows of the tables match requests with responses.
  const ask = (method: keyof IAM, request: object): Promise<Answer> =>
    (iam[method] as (request: object) => Promise<Answer>)({ UserName, ...request });
  for (const [list, items, id, remove] of force ? [...GROUPS, ...CREDENTIALS] : GROUPS) {
    const all = await markedPages(
      (from) => ask(list, from),
      (page) => page[items],
    );
    for (const { [id]: name = '' } of all) {
      await orMissing(ask(remove, { [id]: name }));
      const virtual = id === 'SerialNumber' && name.startsWith('arn:');
      if (virtual) await orMissing(iam.deleteVirtualMFADevice({ SerialNumber: name }));
    }
  }
  if (!force) return;
  const profile = () => orMissing(iam.deleteLoginProfile({ UserName }));
  await user.operation('deleting the login profile of', profile, again(UNMODIFIABLE));
}
