import {
  bool,
  int64,
  list,
  listBlock,
  type ManyBlockOf,
  map,
  set,
  setBlock,
  string,
} from '@terrane/provider/sdk';
import { jsonText } from '../json-policy/policy-text.ts';
import { record } from '../resource/block-values.ts';
import { atLeast, oneOf } from '../resource/validators.ts';

const days = int64({ optional: true, validators: [atLeast(0)] });
const atLeastOne = int64({ optional: true, validators: [atLeast(1)] });
const date = string({ optional: true });
const prefix = string({ optional: true });
const required = string({ required: true });
const single = { maxItems: 1 } as const;
const exactlyOne = { minItems: 1, maxItems: 1 } as const;

const transition = setBlock({ date, days, storage_class: required });
const status = {
  minutes: int64({ default: 15, computed: false }),
  status: string({ default: 'Enabled', computed: false }),
};

const lifecycleRule = listBlock(
  {
    abort_incomplete_multipart_upload_days: int64({ optional: true }),
    enabled: bool({ required: true }),
    id: string({ optional: true, computed: true }),
    prefix,
    tags: map(string, { optional: true }),
  },
  {
    ...instead('aws_s3_bucket_lifecycle_configuration'),
    blocks: {
      expiration: listBlock(
        { date, days, expired_object_delete_marker: bool({ optional: true }) },
        single,
      ),
      noncurrent_version_expiration: listBlock({ days: atLeastOne }, single),
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
      access_control_translation: listBlock({ owner: required }, single),
      metrics: listBlock(status, single),
      replication_time: listBlock(status, single),
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
      filter: listBlock({ prefix, tags: map(string, { optional: true }) }, single),
      source_selection_criteria: listBlock(
        {},
        {
          ...single,
          blocks: {
            sse_kms_encrypted_objects: listBlock({ enabled: bool({ required: true }) }, single),
          },
        },
      ),
    },
  },
);

const defaultRetention = listBlock(
  {
    days: atLeastOne,
    mode: string({ required: true, validators: [oneOf('GOVERNANCE', 'COMPLIANCE')] }),
    years: atLeastOne,
  },
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

/** The name of such a block. */
export type OlderBlock =
  | 'cors_rule'
  | 'grant'
  | 'lifecycle_rule'
  | 'logging'
  | 'object_lock_configuration'
  | 'replication_configuration'
  | 'server_side_encryption_configuration'
  | 'versioning'
  | 'website';

/** Blocks of a bucket that have been separate resource types since version 4. Unconfigured ones are unchanged. */
export const olderBlocks: Readonly<Record<OlderBlock, ManyBlockOf<{}>>> = {
  cors_rule: listBlock(
    {
      allowed_headers: list(string, { optional: true }),
      allowed_methods: list(string, { required: true }),
      allowed_origins: list(string, { required: true }),
      expose_headers: list(string, { optional: true }),
      max_age_seconds: int64({ optional: true }),
    },
    instead('aws_s3_bucket_cors_configuration'),
  ),
  grant: setBlock(
    {
      id: string({ optional: true }),
      permissions: set(string, { required: true }),
      type: string({ required: true, validators: [oneOf('CanonicalUser', 'Group')] }),
      uri: string({ optional: true }),
    },
    instead('aws_s3_bucket_acl'),
  ),
  lifecycle_rule: lifecycleRule,
  logging: listBlock(
    { target_bucket: required, target_prefix: string({ optional: true }) },
    { ...single, ...instead('aws_s3_bucket_logging') },
  ),
  object_lock_configuration: listBlock(
    {
      object_lock_enabled: string({
        optional: true,
        requiresReplace: true,
        validators: [oneOf('Enabled')],
        deprecationMessage:
          'object_lock_enabled is deprecated. Use the top-level parameter object_lock_enabled instead.',
      }),
    },
    {
      ...single,
      blocks: {
        rule: listBlock({}, { ...single, blocks: { default_retention: defaultRetention } }),
      },
      deprecationMessage:
        'object_lock_configuration is deprecated. Use the top-level parameter object_lock_enabled and the aws_s3_bucket_object_lock_configuration resource instead.',
    },
  ),
  replication_configuration: listBlock(
    { role: required },
    {
      ...single,
      ...instead('aws_s3_bucket_replication_configuration'),
      blocks: { rules: replicationRules },
    },
  ),
  server_side_encryption_configuration: listBlock(
    {},
    {
      ...single,
      ...instead('aws_s3_bucket_server_side_encryption_configuration'),
      blocks: { rule: encryptionRule },
    },
  ),
  versioning: listBlock(
    {
      enabled: bool({ default: false, computed: false }),
      mfa_delete: bool({ default: false, computed: false }),
    },
    { ...single, ...instead('aws_s3_bucket_versioning') },
  ),
  website: listBlock(
    {
      error_document: string({ optional: true }),
      index_document: string({ optional: true }),
      redirect_all_requests_to: string({ optional: true }),
      routing_rules: jsonText({ optional: true }),
    },
    { ...single, ...instead('aws_s3_bucket_website_configuration'), validators: [websiteProblem] },
  ),
};

function instead(resource: string): { readonly deprecationMessage: string } {
  return { deprecationMessage: `Use the ${resource} resource instead` };
}

function websiteProblem(blocks: readonly object[]): string | undefined {
  const [website] = blocks.map(record);
  if (website === undefined) return undefined;
  const has = (name: string): boolean => website[name] !== null && website[name] !== undefined;
  if (has('index_document') === has('redirect_all_requests_to')) {
    return 'one of index_document and redirect_all_requests_to must be specified';
  }
  const redirected = has('redirect_all_requests_to');
  return redirected && (has('error_document') || has('routing_rules'))
    ? 'redirect_all_requests_to conflicts with error_document and routing_rules'
    : undefined;
}
