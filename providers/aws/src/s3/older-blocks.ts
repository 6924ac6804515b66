import {
  bool,
  int64,
  list,
  listBlock,
  type ManyBlockOf,
  map,
  ProviderError,
  set,
  setBlock,
  string,
} from '@terrane/provider/sdk';

const days = int64({ optional: true });
const date = string({ optional: true });
const prefix = string({ optional: true });
const required = string({ required: true });
const one = { maxItems: 1 } as const;
const exactlyOne = { minItems: 1, maxItems: 1 } as const;

const transition = setBlock({ date, days, storage_class: required });
const status = { minutes: int64({ optional: true }), status: string({ optional: true }) };

const lifecycleRule = listBlock(
  {
    abort_incomplete_multipart_upload_days: int64({ optional: true }),
    enabled: bool({ required: true }),
    id: string({ optional: true, computed: true }),
    prefix,
    tags: map(string, { optional: true }),
  },
  {
    blocks: {
      expiration: listBlock(
        { date, days, expired_object_delete_marker: bool({ optional: true }) },
        one,
      ),
      noncurrent_version_expiration: listBlock({ days }, one),
      noncurrent_version_transition: setBlock({ days, storage_class: required }),
      transition,
    },
  },
);

const destination = listBlock(
  {
    account_id: string({ optional: true }),
    bucket: required,
    replica_kms_key_id: string({ optional: true }),
    storage_class: string({ optional: true }),
  },
  {
    ...exactlyOne,
    blocks: {
      access_control_translation: listBlock({ owner: required }, one),
      metrics: listBlock(status, one),
      replication_time: listBlock(status, one),
    },
  },
);

const replicationRules = setBlock(
  {
    delete_marker_replication_status: string({ optional: true }),
    id: string({ optional: true }),
    prefix,
    priority: int64({ optional: true }),
    status: required,
  },
  {
    minItems: 1,
    blocks: {
      destination,
      filter: listBlock({ prefix, tags: map(string, { optional: true }) }, one),
      source_selection_criteria: listBlock(
        {},
        {
          ...one,
          blocks: {
            sse_kms_encrypted_objects: listBlock({ enabled: bool({ required: true }) }, one),
          },
        },
      ),
    },
  },
);

const defaultRetention = listBlock(
  { days, mode: required, years: int64({ optional: true }) },
  exactlyOne,
);

const encryptionRule = listBlock(
  { bucket_key_enabled: bool({ optional: true }) },
  {
    ...exactlyOne,
    blocks: {
      apply_server_side_encryption_by_default: listBlock(
        { kms_master_key_id: string({ optional: true }), sse_algorithm: required },
        exactlyOne,
      ),
    },
  },
);

type OlderBlock =
  | 'cors_rule'
  | 'grant'
  | 'lifecycle_rule'
  | 'logging'
  | 'object_lock_configuration'
  | 'replication_configuration'
  | 'server_side_encryption_configuration'
  | 'versioning'
  | 'website';

/** Blocks of a bucket that have been resource types of their own since version 4. They can be written no more. */
export const olderBlocks: Readonly<Record<OlderBlock, ManyBlockOf<{}>>> = {
  cors_rule: listBlock({
    allowed_headers: list(string, { optional: true }),
    allowed_methods: list(string, { required: true }),
    allowed_origins: list(string, { required: true }),
    expose_headers: list(string, { optional: true }),
    max_age_seconds: int64({ optional: true }),
  }),
  grant: setBlock({
    id: string({ optional: true }),
    permissions: set(string, { required: true }),
    type: required,
    uri: string({ optional: true }),
  }),
  lifecycle_rule: lifecycleRule,
  logging: listBlock({ target_bucket: required, target_prefix: string({ optional: true }) }, one),
  object_lock_configuration: listBlock(
    { object_lock_enabled: string({ optional: true }) },
    {
      ...one,
      blocks: { rule: listBlock({}, { ...one, blocks: { default_retention: defaultRetention } }) },
    },
  ),
  replication_configuration: listBlock(
    { role: required },
    { ...one, blocks: { rules: replicationRules } },
  ),
  server_side_encryption_configuration: listBlock({}, { ...one, blocks: { rule: encryptionRule } }),
  versioning: listBlock(
    { enabled: bool({ optional: true }), mfa_delete: bool({ optional: true }) },
    one,
  ),
  website: listBlock(
    {
      error_document: string({ optional: true }),
      index_document: string({ optional: true }),
      redirect_all_requests_to: string({ optional: true }),
      routing_rules: string({ optional: true }),
    },
    one,
  ),
};

/** What took the place of each block. */
const INSTEAD: Readonly<Record<OlderBlock, string>> = {
  cors_rule: 'aws_s3_bucket_cors_configuration',
  grant: 'aws_s3_bucket_acl',
  lifecycle_rule: 'aws_s3_bucket_lifecycle_configuration',
  logging: 'aws_s3_bucket_logging',
  object_lock_configuration: 'aws_s3_bucket_object_lock_configuration',
  replication_configuration: 'aws_s3_bucket_replication_configuration',
  server_side_encryption_configuration: 'aws_s3_bucket_server_side_encryption_configuration',
  versioning: 'aws_s3_bucket_versioning',
  website: 'aws_s3_bucket_website_configuration',
};

/** Refuses what is written in one of these blocks, and says what to write instead. */
export function refuseOlderBlocks(config: Readonly<Record<string, unknown>>): void {
  for (const [name, instead] of Object.entries(INSTEAD)) {
    const written = config[name];
    if (!Array.isArray(written) || written.length === 0) continue;
    throw new ProviderError(
      `${name} of aws_s3_bucket is not supported`,
      `This deprecated block has been a resource type of its own since version 4 of the provider. Write ${instead} instead; what the bucket has stays as it is.`,
    );
  }
}
