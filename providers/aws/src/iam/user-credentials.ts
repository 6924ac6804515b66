import type { RemoteObject } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { markedPages } from './marked-pages.ts';
import { orMissing } from './role-policies.ts';

/** Takes a user out of all groups, without which it cannot be deleted. */
export async function leaveGroups({ iam }: RegionalAws, UserName: string): Promise<void> {
  const groups = await markedPages(
    (from) => iam.listGroupsForUser({ UserName, ...from }),
    (page) => page.Groups,
  );
  for (const { GroupName } of groups) {
    await orMissing(iam.removeUserFromGroup({ UserName, GroupName }));
  }
}

/** Deletes all that a user may sign in with, whoever made it. */
export async function removeCredentials(
  aws: RegionalAws,
  user: RemoteObject,
  UserName: string,
): Promise<void> {
  const { iam } = aws;
  for (const { AccessKeyId } of await markedPages(
    (from) => iam.listAccessKeys({ UserName, ...from }),
    (page) => page.AccessKeyMetadata,
  )) {
    await orMissing(iam.deleteAccessKey({ UserName, AccessKeyId }));
  }
  for (const { SSHPublicKeyId } of await markedPages(
    (from) => iam.listSSHPublicKeys({ UserName, ...from }),
    (page) => page.SSHPublicKeys,
  )) {
    await orMissing(iam.deleteSSHPublicKey({ UserName, SSHPublicKeyId }));
  }
  await removeDevices(aws, UserName);
  // A sign-in that is just being made cannot be deleted yet.
  await user.operation(
    'deleting the login profile of',
    () => orMissing(iam.deleteLoginProfile({ UserName })),
    {
      isRetryable: (error) =>
        hasCode(error, 'EntityTemporarilyUnmodifiable', 'EntityTemporarilyUnmodifiableException'),
    },
  );
  for (const { CertificateId } of await markedPages(
    (from) => iam.listSigningCertificates({ UserName, ...from }),
    (page) => page.Certificates,
  )) {
    await orMissing(iam.deleteSigningCertificate({ UserName, CertificateId }));
  }
  const { ServiceSpecificCredentials = [] } = await iam.listServiceSpecificCredentials({
    UserName,
  });
  for (const { ServiceSpecificCredentialId } of ServiceSpecificCredentials) {
    await orMissing(iam.deleteServiceSpecificCredential({ UserName, ServiceSpecificCredentialId }));
  }
}

/** Devices that are programs are deleted, others only taken from the user. */
async function removeDevices({ iam }: RegionalAws, UserName: string): Promise<void> {
  const devices = await markedPages(
    (from) => iam.listMFADevices({ UserName, ...from }),
    (page) => page.MFADevices,
  );
  for (const { SerialNumber = '' } of devices) {
    await orMissing(iam.deactivateMFADevice({ UserName, SerialNumber }));
    if (SerialNumber.startsWith('arn:'))
      await orMissing(iam.deleteVirtualMFADevice({ SerialNumber }));
  }
}
