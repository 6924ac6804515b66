/** A configuration that encrypts, as OpenTofu and Terrane both understand it. */
export interface EncryptionCase {
  readonly name: string;
  /** beside {@link RESOURCES} */
  readonly files: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The configuration of every case. */
export const RESOURCES = `variable "text" {
  default = "marker-first"
}

resource "terraform_data" "a" {
  input = var.text
}

output "text" {
  value     = terraform_data.a.output
  sensitive = true
}
`;

const block = (text: string): string => `terraform {\n  encryption {\n${text}\n  }\n}\n`;

const PASSPHRASE = `key_provider "pbkdf2" "p" {
  passphrase = "correct-horse-battery-staple"
  iterations = 200000
}`;
const AES = `method "aes_gcm" "m" {
  keys = key_provider.pbkdf2.p
}`;
const BOTH = `state {
  method = method.aes_gcm.m
}
plan {
  method = method.aes_gcm.m
}`;

/** Configurations that are recorded with OpenTofu. */
export const CASES: readonly EncryptionCase[] = [
  { name: 'pbkdf2', files: { 'main.tf': block([PASSPHRASE, AES, BOTH].join('\n')) } },
  {
    name: 'pbkdf2-sha256-short-key',
    files: {
      'main.tf': block(`key_provider "pbkdf2" "p" {
  passphrase    = "correct-horse-battery-staple"
  iterations    = 210000
  key_length    = 16
  salt_length   = 8
  hash_function = "sha256"
}
${AES}
${BOTH}`),
    },
  },
  {
    name: 'aes-192-additional-data',
    files: {
      'main.tf': block(`key_provider "pbkdf2" "p" {
  passphrase = "correct-horse-battery-staple"
  iterations = 200000
  key_length = 24
}
method "aes_gcm" "m" {
  keys = key_provider.pbkdf2.p
  aad  = [1, 2, 255]
}
${BOTH}`),
    },
  },
  {
    name: 'chain',
    files: {
      'main.tf': block(`key_provider "pbkdf2" "first" {
  passphrase = "correct-horse-battery-staple"
  iterations = 200000
}
key_provider "pbkdf2" "second" {
  chain      = key_provider.pbkdf2.first
  iterations = 200001
}
method "aes_gcm" "m" {
  keys = key_provider.pbkdf2.second
}
${BOTH}`),
    },
  },
  {
    name: 'metadata-alias',
    files: {
      'main.tf': block(`key_provider "pbkdf2" "p" {
  passphrase               = "correct-horse-battery-staple"
  iterations               = 200000
  encrypted_metadata_alias = "kept-under-this-name"
}
${AES}
${BOTH}`),
    },
  },
  {
    name: 'keys-written-down',
    files: {
      'main.tf': block(`method "aes_gcm" "m" {
  keys = {
    encryption_key = [for i in range(32) : i]
    decryption_key = [for i in range(32) : i]
  }
}
${BOTH}`),
    },
  },
  {
    name: 'variables-locals-functions',
    files: {
      'main.tf': `variable "passphrase" {
  sensitive = true
}
variable "rounds" {
  type    = number
  default = 200000
}
locals {
  words = split(",", var.passphrase)
}
${block(`key_provider "pbkdf2" "p" {
  passphrase = join("-", local.words)
  iterations = var.rounds + 1
}
${AES}
${BOTH}`)}`,
    },
    environment: { TF_VAR_passphrase: 'correct,horse,battery,staple' },
  },
  {
    name: 'json-syntax',
    files: {
      'main.tf.json': JSON.stringify({
        terraform: {
          encryption: {
            key_provider: {
              pbkdf2: {
                first: { passphrase: 'correct-horse-battery-staple', iterations: 200_000 },
                p: { chain: 'key_provider.pbkdf2.first', iterations: 200_000 },
              },
            },
            method: { aes_gcm: { m: { keys: '${key_provider.pbkdf2.p}' } } },
            state: { method: 'method.aes_gcm.m', enforced: true },
            plan: { method: 'method.aes_gcm.m' },
          },
        },
      }),
    },
  },
  {
    name: 'environment-alone',
    files: {},
    environment: { TF_ENCRYPTION: [PASSPHRASE, AES, BOTH].join('\n') },
  },
  {
    name: 'environment-alone-json',
    files: {},
    environment: {
      TF_ENCRYPTION: JSON.stringify({
        key_provider: {
          pbkdf2: { p: { passphrase: 'correct-horse-battery-staple', iterations: 200_000 } },
        },
        method: { aes_gcm: { m: { keys: 'key_provider.pbkdf2.p' } } },
        state: { method: 'method.aes_gcm.m', enforced: true },
      }),
    },
  },
  {
    name: 'environment-over-block',
    files: {
      'main.tf': block(`key_provider "pbkdf2" "p" {
  passphrase = "the-one-in-the-configuration"
  iterations = 200000
}
${AES}
state {
  method = method.aes_gcm.m
}`),
    },
    environment: {
      TF_ENCRYPTION: `key_provider "pbkdf2" "p" {
  passphrase = "the-one-in-the-environment"
}
method "aes_gcm" "other" {
  keys = key_provider.pbkdf2.p
  aad  = [7]
}
state {
  method = method.aes_gcm.other
}`,
    },
  },
  {
    name: 'external-keys',
    files: {
      'main.tf': block(`key_provider "external" "e" {
  command = ["node", "programs/key.mjs", "correct-horse"]
}
method "aes_gcm" "m" {
  keys = key_provider.external.e
}
${BOTH}`),
    },
  },
  {
    name: 'external-keys-chained',
    files: {
      'main.tf': block(`key_provider "external" "e" {
  command = ["node", "programs/key.mjs", "correct-horse"]
}
key_provider "pbkdf2" "p" {
  chain      = key_provider.external.e
  iterations = 200000
}
${AES}
${BOTH}`),
    },
  },
  {
    name: 'external-method',
    files: {
      'main.tf': block(`key_provider "external" "e" {
  command = ["node", "programs/key.mjs", "correct-horse"]
}
method "external" "m" {
  keys            = key_provider.external.e
  encrypt_command = ["node", "programs/method.mjs"]
  decrypt_command = ["node", "programs/method.mjs"]
}
state {
  method = method.external.m
}
plan {
  method = method.external.m
}`),
    },
  },
  {
    name: 'external-method-without-keys',
    files: {
      'main.tf': block(`method "external" "m" {
  encrypt_command = ["node", "programs/method.mjs"]
  decrypt_command = ["node", "programs/method.mjs"]
}
state {
  method = method.external.m
}`),
    },
  },
  {
    name: 'opentofu-files',
    files: { 'main.tofu': block([PASSPHRASE, AES, BOTH].join('\n')) },
  },
];
