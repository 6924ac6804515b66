import { STRING } from '@terrane/cty';
import type { AttributeSchema, BlockSchema } from '@terrane/provider';

const argument = (description: string, more: Partial<AttributeSchema> = {}): AttributeSchema => ({
  type: STRING,
  optional: true,
  description,
  ...more,
});
const SENSITIVE = { sensitive: true } as const;

/** The arguments of the `oci` backend, which Terraform has since 1.12. */
export const OCI_SCHEMA: BlockSchema = {
  attributes: {
    key: argument('The name of the state file stored on the remote backend.'),
    bucket: argument('The name of the OCI Object Storage bucket.'),
    namespace: argument('The namespace of the OCI Object Storage.'),
    region: argument('OCI region where the bucket is located.'),
    tenancy_ocid: argument('The OCID of the tenancy.'),
    user_ocid: argument('The OCID of the user.'),
    fingerprint: argument("The fingerprint of the user's API key."),
    private_key: argument('The private key for API authentication.', SENSITIVE),
    private_key_path: argument('Path to the private key file.'),
    private_key_password: argument('Passphrase for the private key, if required.', SENSITIVE),
    auth: argument(
      'Authentication method (API key, Instance Principal, Resource Principal, etc.).',
    ),
    config_file_profile: argument('Profile name from the OCI config file.'),
    workspace_key_prefix: argument(
      'The prefix applied to the non-default state path inside the bucket.',
    ),
    kms_key_id: argument(
      'The OCID of a master encryption key used to call the Key Management service to generate a data encryption key or to encrypt or decrypt a data encryption key.',
    ),
    sse_customer_key: argument(
      'The optional header that specifies the base64-encoded 256-bit encryption key to use to encrypt or decrypt the data.',
      SENSITIVE,
    ),
    sse_customer_key_sha256: argument(
      'The optional header that specifies the base64-encoded SHA256 hash of the encryption key. This value is used to check the integrity of the encryption key.',
    ),
    sse_customer_algorithm: argument(
      'The optional header that specifies "AES256" as the encryption algorithm.',
    ),
  },
  blocks: {},
};
