// Buckets, permissions and secrets, and how a provider is configured in whole configurations: applied, changed and destroyed.
import { describe, it } from 'vitest';
import { ACCOUNT } from './shared-moto.ts';
import { ASSUMED, stackRuns } from './stack-runs.ts';

describe('a stack', () => {
  const { run, step, server } = stackRuns();

  it('of a bucket with all that is configured of it', { timeout: 600_000 }, async () => {
    const stack = (rules: string, more = ''): string => `
resource "aws_s3_bucket" "site" {
  bucket        = "site-of-stacks"
  force_destroy = true
}
resource "aws_s3_bucket_website_configuration" "site" {
  bucket = aws_s3_bucket.site.bucket
  index_document {
    suffix = "index.html"
  }
  error_document {
    key = "error.html"
  }
}
resource "aws_s3_bucket_ownership_controls" "site" {
  bucket = aws_s3_bucket.site.id
  rule {
    object_ownership = "BucketOwnerPreferred"
  }
}
resource "aws_s3_bucket_public_access_block" "site" {
  bucket                  = aws_s3_bucket.site.id
  block_public_acls       = true
  block_public_policy     = false
  ignore_public_acls      = true
  restrict_public_buckets = false
}
resource "aws_s3_bucket_policy" "site" {
  bucket = aws_s3_bucket.site.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "Public"
      Effect    = "Allow"
      Principal = { AWS = "*" }
      Action    = ["s3:GetObject"]
      Resource  = ["\${aws_s3_bucket.site.arn}/*"]
    }]
  })
  depends_on = [aws_s3_bucket_public_access_block.site]
}
resource "aws_s3_bucket_versioning" "site" {
  bucket = aws_s3_bucket.site.id
  versioning_configuration {
    status = "Enabled"
  }
}
resource "aws_s3_bucket_lifecycle_configuration" "site" {
  bucket = aws_s3_bucket.site.id
  ${rules}
}
resource "aws_s3_object" "page" {
  for_each     = toset(["index.html", "error.html"])
  bucket       = aws_s3_bucket.site.id
  key          = each.key
  content      = "<h1>\${each.key}</h1>"
  content_type = "text/html"
  ${more}
}
`;
    const rule = (id: string, inner: string): string =>
      `rule {\n    id     = "${id}"\n    status = "Enabled"\n${inner}\n  }\n`;
    await run(
      step(
        stack(
          rule('all', 'filter {}\n expiration {\n days = 90\n }') +
            rule(
              'prefix',
              'filter {\n prefix = "logs/"\n }\n transition {\n days = 30\n storage_class = "STANDARD_IA"\n }\n transition {\n days = 60\n storage_class = "GLACIER"\n }',
            ) +
            rule(
              'tag',
              'filter {\n tag {\n key = "kind"\n value = "old"\n }\n }\n expiration {\n days = 3\n }',
            ),
        ),
      ),
      step(
        stack(
          rule(
            'all',
            'filter {}\n noncurrent_version_expiration {\n noncurrent_days = 5\n }\n noncurrent_version_transition {\n noncurrent_days = 2\n storage_class = "STANDARD_IA"\n }',
          ) +
            rule(
              'dated',
              'filter {\n prefix = "dated/"\n }\n expiration {\n date = "2030-01-01T00:00:00Z"\n }',
            ) +
            rule(
              'and',
              'filter {\n and {\n prefix = "x/"\n tags = { a = "b" }\n }\n }\n abort_incomplete_multipart_upload {\n days_after_initiation = 7\n }',
            ),
          'cache_control = "max-age=60"\n  metadata = { made = "here" }',
        ),
      ),
      step(
        stack(rule('plain', 'expiration {\n expired_object_delete_marker = true\n }\n filter {}')),
      ),
    );
  });

  it('of roles and policies', { timeout: 600_000 }, async () => {
    const stack = (names: string, more = ''): string => `
locals {
  policies = toset(${names})
}
resource "aws_iam_policy" "each" {
  for_each    = local.policies
  name        = each.key
  path        = "/teams/"
  description = "allows \${each.key}"
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = { Action = ["\${each.key}:*"], Effect = "Allow", Resource = "*" }
  })
}
resource "aws_iam_role" "team" {
  name                 = "team"
  assume_role_policy   = ${ASSUMED('ecs-tasks')}
  max_session_duration = 7200
  ${more}
}
resource "aws_iam_role_policy_attachment" "each" {
  for_each   = aws_iam_policy.each
  role       = aws_iam_role.team.name
  policy_arn = each.value.arn
}
resource "aws_iam_user" "robot" {
  name = "robot"
}
`;
    await run(
      step(stack('["s3", "sqs"]')),
      step(stack('["sqs", "sns", "dynamodb"]', 'description = "team"\n  tags = { a = "b" }'), {
        plan: {
          'aws_iam_policy.each["s3"]': 'delete',
          'aws_iam_role_policy_attachment.each["s3"]': 'delete',
          'aws_iam_policy.each["sns"]': 'create',
          'aws_iam_role_policy_attachment.each["sns"]': 'create',
          'aws_iam_policy.each["dynamodb"]': 'create',
          'aws_iam_role_policy_attachment.each["dynamodb"]': 'create',
          'aws_iam_role.team': 'update',
        },
      }),
    );
  });

  it('of keys, secrets and parameters', { timeout: 600_000 }, async () => {
    const stack = (value: string, more = '', version = 1): string => `
resource "aws_kms_key" "main" {
  description             = "main"
  deletion_window_in_days = 7
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "Root"
      Effect    = "Allow"
      Principal = { AWS = "arn:aws:iam::${ACCOUNT}:root" }
      Action    = "kms:*"
      Resource  = "*"
    }]
  })
  ${more}
}
resource "aws_kms_alias" "main" {
  for_each      = toset(["a", "b"])
  name          = "alias/\${each.key}"
  target_key_id = aws_kms_key.main.key_id
}
resource "aws_secretsmanager_secret" "db" {
  name                    = "db"
  kms_key_id              = aws_kms_key.main.arn
  recovery_window_in_days = 0
}
resource "aws_secretsmanager_secret_version" "db" {
  secret_id     = aws_secretsmanager_secret.db.id
  secret_string = "${value}"
}
resource "aws_ssm_parameter" "plain" {
  name  = "/stack/plain"
  type  = "String"
  value = "${value}"
}
resource "aws_ssm_parameter" "secret" {
  name             = "/stack/secret"
  type             = "SecureString"
  key_id           = aws_kms_key.main.key_id
  value_wo         = "${value}"
  value_wo_version = ${version}
}
ephemeral "aws_ssm_parameter" "secret" {
  arn = aws_ssm_parameter.secret.arn
}
data "aws_ssm_parameter" "plain" {
  name = aws_ssm_parameter.plain.name
}
output "plain" {
  value     = data.aws_ssm_parameter.plain.value
  sensitive = true
}
`;
    await run(
      step(stack('one'), { outputs: { plain: 'one' } }),
      step(stack('two', 'enable_key_rotation = true', 2), {
        plan: {
          'aws_kms_key.main': 'update',
          'aws_secretsmanager_secret_version.db': 'replace',
          'aws_ssm_parameter.plain': 'update',
          'aws_ssm_parameter.secret': 'update',
          'data.aws_ssm_parameter.plain': 'read',
        },
        outputs: { plain: 'two' },
      }),
    );
  });

  it('with tags of its provider', { timeout: 600_000 }, async () => {
    const stack = (tags: string): string => `
resource "aws_sqs_queue" "it" {
  name = "tagged"
  tags = ${tags}
}
resource "aws_sns_topic" "it" {
  name = "tagged"
}
resource "aws_iam_role" "it" {
  name               = "tagged"
  assume_role_policy = ${ASSUMED('ec2')}
  tags               = ${tags}
}
`;
    const defaults = (tags: string): string => `default_tags {\n tags = ${tags}\n}`;
    await run(
      step(stack('{ a = "own" }'), {}, defaults('{ a = "usual", b = "usual" }')),
      step(
        stack('{ a = "own" }'),
        { state: { 'aws_sqs_queue.it': { tags_all: { a: 'own', c: 'usual' } } } },
        defaults('{ a = "usual", c = "usual" }'),
      ),
      step(
        stack('{ a = "usual" }'),
        { state: { 'aws_sqs_queue.it': { tags: { a: 'usual' }, tags_all: { a: 'usual' } } } },
        defaults('{ a = "usual" }'),
      ),
      step(
        stack('{ a = "usual", x = "1" }'),
        { state: { 'aws_sqs_queue.it': { tags_all: { a: 'usual', x: '1' } } } },
        'ignore_tags {\n keys = ["ignored"]\n key_prefixes = ["aws-"]\n}',
      ),
      step(stack('null'), { state: { 'aws_iam_role.it': { tags_all: {} } } }),
    );
  });

  it('in two regions and by another role', { timeout: 600_000 }, async () => {
    const other = server()
      .provider('alias = "other"', 'eu-central-1')
      .concat(
        server().provider(
          `alias = "role"\n assume_role {\n role_arn = "arn:aws:iam::${ACCOUNT}:role/any"\n session_name = "it"\n }`,
        ),
      );
    const stack = (name: string): string => `${other}
resource "aws_sqs_queue" "here" {
  name = "${name}"
}
resource "aws_sqs_queue" "there" {
  provider = aws.other
  name     = "${name}"
}
resource "aws_sqs_queue" "told" {
  region = "us-east-2"
  name   = "${name}"
}
resource "aws_sqs_queue" "assumed" {
  provider = aws.role
  name     = "${name}-assumed"
}
data "aws_region" "there" {
  provider = aws.other
}
output "region" {
  value = data.aws_region.there.region
}
`;
    await run(
      step(stack('one'), {
        outputs: { region: 'eu-central-1' },
        state: { 'aws_sqs_queue.told': { region: 'us-east-2' } },
      }),
      step(stack('two'), {
        plan: {
          'aws_sqs_queue.here': 'replace',
          'aws_sqs_queue.there': 'replace',
          'aws_sqs_queue.told': 'replace',
          'aws_sqs_queue.assumed': 'replace',
        },
      }),
    );
  });
});
