import { BOOL, NUMBER, STRING, type Type } from '@terrane/cty';
import type { AttributeSchema, BlockSchema } from '@terrane/provider';

const argument = (description: string, type: Type = STRING): AttributeSchema => ({
  type,
  optional: true,
  description,
});

const ROLE_ARN = argument('The ARN of a RAM role to assume prior to making API calls.');
const SESSION_NAME = argument('The session name to use when assuming the role.');
const POLICY = argument(
  'The permissions applied when assuming a role. You cannot use this policy to grant permissions which exceed those of the role that is being assumed.',
);
const SESSION_EXPIRATION = argument(
  'The time after which the established session for assuming role expires.',
  NUMBER,
);

/** The arguments of Terraform's `oss` backend. */
export const OSS_SCHEMA: BlockSchema = {
  attributes: {
    access_key: argument('Alibaba Cloud Access Key ID'),
    secret_key: argument('Alibaba Cloud Access Secret Key'),
    security_token: argument('Alibaba Cloud Security Token'),
    ecs_role_name: argument(
      "The RAM Role Name attached on a ECS instance for API operations. You can retrieve this from the 'Access Control' section of the Alibaba Cloud console.",
    ),
    region: argument('The region of the OSS bucket.'),
    sts_endpoint: argument('A custom endpoint for the STS API'),
    tablestore_endpoint: argument('A custom endpoint for the TableStore API'),
    endpoint: argument('A custom endpoint for the OSS API'),
    bucket: argument('The name of the OSS bucket'),
    prefix: argument('The directory where state files will be saved inside the bucket'),
    key: argument('The path of the state file inside the bucket'),
    tablestore_instance_name: argument('The instance name of tableStore table belongs'),
    tablestore_table: argument('TableStore table for state locking and consistency'),
    encrypt: argument('Whether to enable server side encryption of the state file', BOOL),
    acl: argument('Object ACL to be applied to the state file'),
    shared_credentials_file: argument(
      'This is the path to the shared credentials file. If this is not set and a profile is specified, `~/.aliyun/config.json` will be used.',
    ),
    profile: argument(
      'This is the Alibaba Cloud profile name as set in the shared credentials file. It can also be sourced from the `ALICLOUD_PROFILE` environment variable.',
    ),
    assume_role_role_arn: ROLE_ARN,
    assume_role_session_name: SESSION_NAME,
    assume_role_policy: POLICY,
    assume_role_session_expiration: SESSION_EXPIRATION,
  },
  blocks: {
    assume_role: {
      nesting: 'set',
      maxItems: 1,
      block: {
        attributes: {
          role_arn: ROLE_ARN,
          session_name: SESSION_NAME,
          policy: POLICY,
          session_expiration: SESSION_EXPIRATION,
        },
        blocks: {},
      },
    },
  },
};
