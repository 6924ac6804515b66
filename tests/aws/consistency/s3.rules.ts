import { minutes, seconds } from '@terrane/provider/sdk';
import { NEW_ROLE, policyFor, prerequisite, role } from './prerequisite.ts';
import type { RetryRule, Rule, ServiceRules, Source, Subject, TypeRules } from './rules.ts';

const NO_BUCKET = {
  status: 404,
  code: 'NoSuchBucket',
  message: 'The specified bucket does not exist',
  anyMessage: true,
};
const BUSY = {
  status: 409,
  code: 'OperationAborted',
  message: 'A conflicting conditional operation is currently in progress against this resource.',
  anyMessage: true,
};
const BAD_PRINCIPAL = {
  status: 400,
  code: 'MalformedPolicy',
  message: 'Invalid principal in policy',
};
const UNVERSIONED = {
  status: 400,
  code: 'InvalidRequest',
  message: "Versioning must be 'Enabled' on the bucket to apply a replication configuration",
};
const BUCKET = /^\w+ \/it-\d+\/?$/;
const ALSO_BUSY = '`OperationAborted` is not retried';

const inBucket: NonNullable<Subject['prepare']> = async (actors, name) => {
  await prerequisite(actors, 'aws_s3_bucket', { bucket: name });
  return { bucket: name };
};

/** A request about a bucket: its method, and the part that it is about. */
const request = (
  method: string,
  part: string,
): Pick<RetryRule, 'service' | 'operation' | 'about'> => ({
  service: 's3',
  operation: new RegExp(BUCKET.source.replace('\\w+', method)),
  about: part,
});

/** Properties that the parts of a bucket share. */
interface Part {
  /** without "aws_s3_bucket_" */
  readonly type: string;
  readonly source: Source;
  /** in requests: "policy" is in PUT /bucket?policy */
  readonly part: string;
  readonly label: string;
  readonly subject: Subject;
  /** more errors that creations retry */
  readonly errors?: RetryRule['errors'];
  /** it is gone after its deletion */
  readonly goes: boolean;
  readonly deleted?: Partial<RetryRule>;
  readonly more?: readonly Rule[];
  readonly note?: string;
}

function part({
  type,
  source,
  part: name,
  label,
  subject,
  errors = [],
  goes,
  ...rest
}: Part): TypeRules {
  const { deleted, more = [], note } = rest;
  const reads: Rule = {
    kind: 'wait',
    step: 'delete',
    ...request('GET', name),
    label: `Get${label}`,
    pending: ['exists'],
    target: [],
    show: (body) => body,
    limit: minutes(2),
  };
  return {
    type: `aws_s3_bucket_${type}`,
    sources: [source],
    subject: { prepare: inBucket, ...subject },
    ...(note !== undefined && { note }),
    rules: [
      {
        kind: 'retry',
        step: 'create',
        ...request('PUT', name),
        label: `Put${label}`,
        errors: [NO_BUCKET, BUSY, ...errors],
        limit: minutes(2),
        ...(type !== 'server_side_encryption_configuration' && { difference: ALSO_BUSY }),
      },
      {
        kind: 'retry',
        step: 'delete',
        ...request(goes || type.startsWith('server') ? 'DELETE' : 'PUT', name),
        label: `${goes || type.startsWith('server') ? 'Delete' : 'Put'}${label}`,
        errors: [BUSY],
        limit: minutes(2),
        difference: 'not retried',
        ...deleted,
      },
      ...(goes ? [reads] : []),
      ...more,
    ],
  };
}

const file = (name: string, at: Omit<Source, 'file'>): Source => ({
  file: `s3/${name}.go`,
  ...at,
});

/** Resource types of S3. */
export const S3: ServiceRules = {
  service: 'S3',
  types: [
    {
      type: 'aws_s3_bucket',
      sources: [file('bucket', { release: '5' })],
      subject: {
        written: (name) => ({ bucket: name }),
        updated: (name) => ({ bucket: name, policy: policyFor('*', `arn:aws:s3:::${name}/*`) }),
      },
      note: 'with `force_destroy`, a bucket is emptied and deleted repeatedly for 2 minutes; the older blocks are retried as the separate resource types',
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 's3',
          operation: /^PUT \/it-\d+\/?$/,
          about: /^\/it-\d+\/?(\?x-id=CreateBucket)?\n/,
          label: 'CreateBucket',
          errors: [BUSY],
          limit: minutes(20),
        },
        {
          kind: 'retry',
          step: 'update',
          ...request('PUT', 'policy'),
          label: 'PutBucketPolicy',
          errors: [NO_BUCKET, BUSY, BAD_PRINCIPAL],
          limit: minutes(2),
          difference:
            'retried until the update times out, for every `MalformedPolicy`; an invalid policy is an error at once',
        },
        {
          kind: 'retry',
          step: 'delete',
          service: 's3',
          operation: /^DELETE \/it-\d+\/?$/,
          label: 'DeleteBucket',
          errors: [BUSY],
          limit: minutes(2),
          difference: 'not retried',
        },
        {
          kind: 'wait',
          step: 'delete',
          service: 's3',
          operation: /^HEAD \/it-\d+\/?$/,
          label: 'HeadBucket',
          pending: ['exists'],
          target: [],
          show: (body) => body,
          limit: minutes(60),
        },
      ],
    },
    part({
      type: 'policy',
      source: file('bucket_policy', { commit: '0073593e7d6993ba482409f4dc35438daaa79bb3' }),
      part: '?policy',
      label: 'BucketPolicy',
      subject: {
        written: (name) => ({ policy: policyFor({ AWS: NEW_ROLE }, `arn:aws:s3:::${name}/*`) }),
      },
      errors: [BAD_PRINCIPAL],
      goes: true,
      note: 'the published provider retries every `MalformedPolicy`; Terrane only those for principals that may be new',
    }),
    part({
      type: 'public_access_block',
      source: file('bucket_public_access_block', {
        commit: '01606926a0c0ab9174aec440f976a48b0baee722',
      }),
      part: '?publicAccessBlock',
      label: 'PublicAccessBlock',
      subject: {
        written: () => ({ block_public_acls: true }),
        updated: () => ({ block_public_acls: true, ignore_public_acls: true }),
      },
      goes: true,
      more: [
        {
          kind: 'wait',
          step: 'update',
          ...request('GET', '?publicAccessBlock'),
          label: 'GetPublicAccessBlock',
          pending: [],
          target: ['the requested settings'],
          show: (body) => body.replace(/(<IgnorePublicAcls>)true/i, '$1false'),
          limit: minutes(2),
          difference: 'not read after an update',
        },
      ],
    }),
    part({
      type: 'ownership_controls',
      source: file('bucket_ownership_controls', { release: '5' }),
      part: '?ownershipControls',
      label: 'BucketOwnershipControls',
      subject: { written: () => ({ rule: [{ object_ownership: 'ObjectWriter' }] }) },
      goes: true,
      deleted: { limit: minutes(5), difference: '' },
    }),
    part({
      type: 'cors_configuration',
      source: file('bucket_cors_configuration', { release: '5' }),
      part: '?cors',
      label: 'BucketCors',
      subject: {
        written: () => ({
          cors_rule: [{ allowed_methods: ['GET'], allowed_origins: ['*'] }],
        }),
      },
      goes: true,
    }),
    part({
      type: 'website_configuration',
      source: file('bucket_website_configuration', { release: '5' }),
      part: '?website',
      label: 'BucketWebsite',
      subject: { written: () => ({ index_document: [{ suffix: 'index.html' }] }) },
      goes: true,
    }),
    part({
      type: 'server_side_encryption_configuration',
      source: file('bucket_server_side_encryption_configuration', { release: '6' }),
      part: '?encryption',
      label: 'BucketEncryption',
      subject: {
        written: () => ({
          rule: [{ apply_server_side_encryption_by_default: [{ sse_algorithm: 'AES256' }] }],
        }),
      },
      goes: false,
    }),
    part({
      type: 'logging',
      source: file('bucket_logging', { release: '5' }),
      part: '?logging',
      label: 'BucketLogging',
      subject: {
        prepare: async (actors, name) => {
          const target = `${name}-logs`;
          await prerequisite(actors, 'aws_s3_bucket', { bucket: target });
          await prerequisite(actors, 'aws_s3_bucket_acl', {
            bucket: target,
            acl: 'log-delivery-write',
          });
          await prerequisite(actors, 'aws_s3_bucket', { bucket: name });
          return { bucket: name, target_bucket: target };
        },
        written: () => ({ target_prefix: 'log/' }),
      },
      goes: false,
    }),
    part({
      type: 'notification',
      source: file('bucket_notification', { release: '5' }),
      part: '?notification',
      label: 'BucketNotificationConfiguration',
      subject: { written: () => ({ eventbridge: true }) },
      goes: false,
    }),
    part({
      type: 'object_lock_configuration',
      source: file('bucket_object_lock_configuration', { release: '5' }),
      part: '?object-lock',
      label: 'ObjectLockConfiguration',
      subject: {
        prepare: async (actors, name) => {
          await prerequisite(actors, 'aws_s3_bucket', { bucket: name, object_lock_enabled: true });
          return { bucket: name };
        },
        written: () => ({ rule: [{ default_retention: [{ days: 1, mode: 'GOVERNANCE' }] }] }),
      },
      goes: false,
    }),
    part({
      type: 'replication_configuration',
      source: file('bucket_replication_configuration', { release: '5' }),
      part: '?replication',
      label: 'BucketReplication',
      subject: {
        prepare: async (actors, name) => {
          for (const bucket of [name, `${name}-copy`]) {
            await prerequisite(actors, 'aws_s3_bucket', { bucket });
            await prerequisite(actors, 'aws_s3_bucket_versioning', {
              bucket,
              versioning_configuration: [{ status: 'Enabled' }],
            });
          }
          return { bucket: name, role: await role(actors, name) };
        },
        written: (name) => ({
          rule: [
            {
              id: 'all',
              status: 'Enabled',
              destination: [{ bucket: `arn:aws:s3:::${name}-copy` }],
            },
          ],
        }),
      },
      errors: [UNVERSIONED],
      goes: true,
    }),
    {
      type: 'aws_s3_bucket_acl',
      sources: [file('bucket_acl', { release: '5' })],
      subject: { prepare: inBucket, written: () => ({ acl: 'private' }) },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          ...request('PUT', '?acl'),
          label: 'PutBucketAcl',
          errors: [NO_BUCKET, BUSY],
          limit: minutes(2),
          difference: ALSO_BUSY,
        },
      ],
    },
    {
      type: 'aws_s3_bucket_lifecycle_configuration',
      sources: [file('bucket_lifecycle_configuration', { release: '6' })],
      subject: {
        prepare: inBucket,
        written: () => ({
          rule: [
            { id: 'old', status: 'Enabled', filter: [{ prefix: '' }], expiration: [{ days: 30 }] },
          ],
        }),
        updated: () => ({
          rule: [
            { id: 'old', status: 'Enabled', filter: [{ prefix: '' }], expiration: [{ days: 60 }] },
          ],
        }),
      },
      note: 'a refresh reads the rules once; the published provider reads them until two answers are equal',
      rules: [
        {
          kind: 'retry',
          step: 'create',
          ...request('PUT', '?lifecycle'),
          label: 'PutBucketLifecycleConfiguration',
          errors: [NO_BUCKET, BUSY],
          limit: minutes(2),
          difference: ALSO_BUSY,
        },
        ...(['create', 'update'] as const).map((step): Rule => ({
          kind: 'wait',
          step,
          ...request('GET', '?lifecycle'),
          label: 'GetBucketLifecycleConfiguration',
          pending: ['other rules'],
          target: ['the requested rules'],
          show: (body) => body.replace(/<Days>\d+/, '<Days>1'),
          matches: 3,
          interval: seconds(10),
          limit: minutes(3),
        })),
        {
          kind: 'wait',
          step: 'delete',
          ...request('GET', '?lifecycle'),
          label: 'GetBucketLifecycleConfiguration',
          pending: ['exists'],
          target: [],
          show: (body) => body,
          limit: minutes(2),
        },
      ],
    },
    {
      type: 'aws_s3_bucket_versioning',
      sources: [file('bucket_versioning', { release: '5' })],
      subject: {
        prepare: inBucket,
        written: () => ({ versioning_configuration: [{ status: 'Enabled' }] }),
        updated: () => ({ versioning_configuration: [{ status: 'Suspended' }] }),
      },
      note: 'a refresh removes it from the state when its bucket is missing for 2 s, which is 4 polls of the published provider',
      rules: [
        {
          kind: 'retry',
          step: 'create',
          ...request('PUT', '?versioning'),
          label: 'PutBucketVersioning',
          errors: [NO_BUCKET, BUSY],
          limit: minutes(2),
          difference: ALSO_BUSY,
        },
        ...(['create', 'update'] as const).map((step): Rule => ({
          kind: 'wait',
          step,
          ...request('GET', '?versioning'),
          label: 'GetBucketVersioning',
          pending: ['another status'],
          target: ['the requested status'],
          show: (body) =>
            body.replace(/<Status>\w+/, `<Status>${step === 'create' ? 'Suspended' : 'Enabled'}`),
          matches: 3,
          delay: seconds(1),
          limit: minutes(2),
          difference: 'any status is the target, so that a change may not be read yet',
        })),
        {
          kind: 'ignore',
          step: 'delete',
          ...request('PUT', '?versioning'),
          label: 'PutBucketVersioning',
          errors: [
            {
              status: 409,
              code: 'InvalidBucketState',
              message:
                'An Object Lock configuration is present on this bucket, so the versioning state cannot be changed.',
            },
          ],
          limit: 0,
        },
      ],
    },
    {
      type: 'aws_s3_object',
      sources: [file('object', { release: '5' })],
      subject: { prepare: inBucket, written: () => ({ key: 'it', content: 'it' }) },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 's3',
          operation: /^PUT \/it-\d+\/it$/,
          label: 'PutObject',
          errors: [NO_BUCKET],
          limit: minutes(2),
          difference: 'not retried; the bucket may be new',
        },
      ],
    },
  ],
};
