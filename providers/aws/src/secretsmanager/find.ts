import type {
  DescribeSecretResponse,
  GetSecretValueRequest,
  GetSecretValueResponse,
} from '@aws-sdk/client-secrets-manager';
import { NotFoundError } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { hasMessage } from '../request/aws-error.ts';

/** Returns a secret. One that is scheduled for deletion counts as not found. */
export async function secretOf(aws: RegionalAws, id: string): Promise<DescribeSecretResponse> {
  const secret = await aws.secretsmanager.describeSecret({ SecretId: id });
  if (secret.DeletedDate !== undefined) throw new NotFoundError({ message: 'it is to be deleted' });
  return secret;
}

/** Returns a version of a secret with its value, by version ID or staging label. */
export async function versionOf(
  aws: RegionalAws,
  request: GetSecretValueRequest,
): Promise<GetSecretValueResponse> {
  return await unlessDeleted(() => aws.secretsmanager.getSecretValue(request));
}

/** Requests a version. A version of a secret that is deleted, or scheduled for deletion, counts as not found. */
export async function unlessDeleted<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isDeletedError(error)) throw new NotFoundError({ message: 'its secret is to be deleted' });
    throw error;
  }
}

/** Returns true if the secret is deleted or scheduled for deletion. */
function isDeletedError(error: unknown): boolean {
  const code = 'InvalidRequestException';
  return ['because it was deleted', 'because it was marked for deletion', 'marked deleted'].some(
    (part) => hasMessage(error, code, part),
  );
}
