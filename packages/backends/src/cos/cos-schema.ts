import { BOOL, NUMBER, STRING, type Type } from '@terrane/cty';
import type { AttributeSchema, BlockSchema } from '@terrane/provider';

const argument = (
  description: string,
  type: Type = STRING,
  more: Partial<AttributeSchema> = {},
): AttributeSchema => ({ type, optional: true, description, ...more });
const SENSITIVE = { sensitive: true } as const;

/** The arguments of Terraform's `cos` backend. */
export const COS_SCHEMA: BlockSchema = {
  attributes: {
    secret_id: argument('Secret id of Tencent Cloud'),
    secret_key: argument('Secret key of Tencent Cloud', STRING, SENSITIVE),
    security_token: argument(
      'TencentCloud Security Token of temporary access credentials. It can be sourced from the `TENCENTCLOUD_SECURITY_TOKEN` environment variable. Notice: for supported products, please refer to: [temporary key supported products](https://intl.cloud.tencent.com/document/product/598/10588).',
      STRING,
      SENSITIVE,
    ),
    region: argument('The region of the COS bucket'),
    bucket: argument('The name of the COS bucket'),
    endpoint: argument(
      'The custom endpoint for the COS API, e.g. http://cos-internal.{Region}.tencentcos.cn. Both HTTP and HTTPS are accepted.',
    ),
    domain: argument('The root domain of the API request. Default is tencentcloudapi.com.'),
    prefix: argument('The directory for saving the state file in bucket'),
    key: argument('The path for saving the state file in bucket'),
    encrypt: argument('Whether to enable server side encryption of the state file', BOOL),
    acl: argument('Object ACL to be applied to the state file'),
    accelerate: argument('Whether to enable global Acceleration', BOOL),
    shared_credentials_dir: argument(
      'The directory of the shared credentials. It can also be sourced from the `TENCENTCLOUD_SHARED_CREDENTIALS_DIR` environment variable. If not set this defaults to ~/.tccli.',
    ),
    profile: argument(
      'The profile name as set in the shared credentials. It can also be sourced from the `TENCENTCLOUD_PROFILE` environment variable. If not set, the default profile created with `tccli configure` will be used.',
    ),
    cam_role_name: argument(
      'The name of the CVM instance CAM role. It can be sourced from the `TENCENTCLOUD_CAM_ROLE_NAME` environment variable.',
    ),
  },
  blocks: {
    assume_role: {
      nesting: 'set',
      maxItems: 1,
      block: {
        attributes: {
          role_arn: argument(
            'The ARN of the role to assume. It can be sourced from the `TENCENTCLOUD_ASSUME_ROLE_ARN`.',
          ),
          session_name: argument(
            'The session name to use when making the AssumeRole call. It can be sourced from the `TENCENTCLOUD_ASSUME_ROLE_SESSION_NAME`.',
          ),
          session_duration: argument(
            'The duration of the session when making the AssumeRole call. Its value ranges from 0 to 43200(seconds), and default is 7200 seconds. It can be sourced from the `TENCENTCLOUD_ASSUME_ROLE_SESSION_DURATION`.',
            NUMBER,
          ),
          policy: argument(
            'A more restrictive policy when making the AssumeRole call. Its content must not contains `principal` elements. Notice: more syntax references, please refer to: [policies syntax logic](https://intl.cloud.tencent.com/document/product/598/10603).',
          ),
          external_id: argument(
            'External role ID, which can be obtained by clicking the role name in the CAM console. It can contain 2-128 letters, digits, and symbols (=,.@:/-). Regex: [\\w+=,.@:/-]*. It can be sourced from the `TENCENTCLOUD_ASSUME_ROLE_EXTERNAL_ID`.',
          ),
        },
        blocks: {},
      },
    },
  },
};
