import { listType, STRING } from '@terrane/cty';
import type { AttributeSchema, BlockSchema } from '@terrane/provider';

function text(description: string): AttributeSchema {
  return { type: STRING, optional: true, description };
}

/** The arguments of the `gcs` backend, as Terraform's. */
export const GCS_SCHEMA: BlockSchema = {
  attributes: {
    bucket: text('The name of the Google Cloud Storage bucket'),
    prefix: text('The directory where state files will be saved inside the bucket'),
    credentials: text('Google Cloud JSON Account Key'),
    access_token: text('An OAuth2 token used for GCP authentication'),
    impersonate_service_account: text(
      'The service account to impersonate for all Google API Calls',
    ),
    impersonate_service_account_delegates: {
      type: listType(STRING),
      optional: true,
      description: 'The delegation chain for the impersonated service account',
    },
    encryption_key: text(
      "A 32 byte base64 encoded 'customer supplied encryption key' used when reading and writing state files in the bucket.",
    ),
    kms_encryption_key: text(
      "A Cloud KMS key ('customer managed encryption key') used when reading and writing state files in the bucket. Format should be 'projects/{{project}}/locations/{{location}}/keyRings/{{keyRing}}/cryptoKeys/{{name}}'.",
    ),
    // As in OpenTofu 1.11.
    universe_domain: text(
      'The domain of a cloud that is operated apart from Google, as a sovereign one.',
    ),
    storage_custom_endpoint: text('Where the JSON API of the storage is, if not at Google.'),
  },
  blocks: {},
};
