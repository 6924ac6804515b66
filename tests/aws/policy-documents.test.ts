import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { awsProvider } from '@terrane/provider-aws';
import { acceptanceTest } from '@terrane/provider-testing';
import { describe, it } from 'vitest';

const FOLDER = join(import.meta.dirname, 'policy-documents');

// Nothing is asked of Amazon.
const PROVIDER = `
provider "aws" {
  region                      = "eu-west-1"
  access_key                  = "test"
  secret_key                  = "test"
  skip_credentials_validation = true
  skip_requesting_account_id  = true
}
`;

const document = (lines: string): string =>
  `${PROVIDER}data "aws_iam_policy_document" "it" {\n  ${lines}\n}\n`;

describe('documents of policies', () => {
  it('are byte for byte those of the published provider, which wrote published.json', async () => {
    const published: Readonly<Record<string, { id: string; minified_json: string }>> = JSON.parse(
      readFileSync(join(FOLDER, 'published.json'), 'utf8'),
    );
    await acceptanceTest({
      providers: { 'hashicorp/aws': awsProvider },
      steps: [
        {
          config: PROVIDER + readFileSync(join(FOLDER, 'main.tf'), 'utf8'),
          outputs: { documents: published },
        },
      ],
    });
  });

  // If only the wording differs, the published message is the first line.
  it.each([
    [
      'a sid twice',
      'statement {\n    sid = "A"\n  }\n  statement {\n    sid = "A"\n  }',
      'writing IAM Policy Document: duplicate Sid (A). Remove the Sid or ensure the Sid is unique.',
    ],
    [
      'a sid in two sources',
      'source_policy_documents = [for each in [1, 2] : jsonencode({ Statement = [{ Sid = "A" }] })]',
      /merging source document 1: duplicate Sid \(A\) in source_policy_documents \(statement 0\)\. Remove the Sid or ensure Sids are unique\./,
    ],
    [
      'variables in the older version',
      'version = "2008-10-17"\n  statement {\n    resources = ["&{aws:username}"]\n  }',
      'reading resources: found &{ sequence in (&{aws:username}), which is not supported in document version 2008-10-17',
    ],
    [
      'variables of principals in the older version',
      'version = "2008-10-17"\n  statement {\n    not_principals {\n      type        = "AWS"\n      identifiers = ["&{x}"]\n    }\n  }',
      'reading not_principals: reading identifiers: found &{ sequence in (&{x})',
    ],
    [
      'variables of conditions in the older version',
      'version = "2008-10-17"\n  statement {\n    condition {\n      test     = "StringEquals"\n      variable = "a"\n      values   = ["&{x}"]\n    }\n  }',
      'reading condition: reading values: found &{ sequence in (&{x})',
    ],
    ['another version', 'version = "2020-01-01"', /2008-10-17.*2012-10-17/],
    ['a sid with more than letters', 'statement {\n    sid = "a b"\n  }', 'alphanumeric'],
    ['an effect of another name', 'statement {\n    effect = "allow"\n  }', /Allow.*Deny/],
    ['a source that is no JSON', 'source_policy_documents = ["{"]', /JSON/],
    ['an argument of the past', 'source_json = "{}"', 'expected to be an empty string'],
  ])('are refused with %s', async (_, lines, error) => {
    await acceptanceTest({
      providers: { 'hashicorp/aws': awsProvider },
      steps: [{ config: document(lines), error }],
    });
  });
});
