import type { Moto } from '../backends/moto.ts';
import type { EncryptionCase } from './cases.ts';

/** Creates a key in moto, and returns a case that encrypts the state with it. */
export async function kmsCase(server: Moto): Promise<EncryptionCase> {
  const answer = await fetch(server.endpoint, {
    method: 'POST',
    headers: {
      'x-amz-target': 'TrentService.CreateKey',
      'content-type': 'application/x-amz-json-1.1',
      authorization: 'AWS4-HMAC-SHA256 Credential=id/20200101/us-east-1/kms/aws4_request',
    },
    body: '{}',
  });
  const made: { readonly KeyMetadata: { readonly KeyId: string } } = JSON.parse(
    await answer.text(),
  );
  return {
    name: 'aws-kms',
    files: {
      'main.tf': `terraform {
encryption {
  key_provider "aws_kms" "k" {
    kms_key_id                  = "${made.KeyMetadata.KeyId}"
    key_spec                    = "AES_256"
    region                      = "us-east-1"
    skip_credentials_validation = true
    skip_requesting_account_id  = true
  }
  method "aes_gcm" "m" {
    keys = key_provider.aws_kms.k
  }
  state {
    method = method.aes_gcm.m
  }
}
}
`,
    },
    environment: {
      AWS_ENDPOINT_URL_KMS: server.endpoint,
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'not-a-secret',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
  };
}
