import type { KeyObject } from 'node:crypto';
import { number, NUMBER, objectType, quoteText, str, STRING } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import type { Random } from '@terrane/host';
import { error, Fields, oneOf, requiresReplace } from '@terrane/provider';
import type {
  AttributeDefinition,
  EphemeralDefinition,
  Outcome,
  ProviderDiagnostic,
  ProviderPorts,
  ResourceDefinition,
} from '@terrane/provider';
import {
  ALGORITHMS,
  CURVES,
  generateKey,
  keyPem,
  keyPkcs8,
  parseKeyPem,
  publicInfo,
  publicKeyState,
  stateHash,
} from './keys.ts';
import { openSshPrivateKey } from './openssh.ts';

type Ports = Pick<ProviderPorts, 'random'>;

/** `tls_private_key`: a private key in several formats. */
export function privateKeyResource({ random }: Ports): ResourceDefinition {
  return {
    version: 1,
    description:
      '-> If the managed resource supports a write-only attribute for the private key (first introduced in Terraform 1.11), then the ephemeral variant of [`tls_private_key`](https://registry.terraform.io/providers/hashicorp/tls/latest/docs/ephemeral-resources/private_key) should be used, when possible, to avoid storing the private key data in the plan or state file.\n\nCreates a PEM (and OpenSSH) formatted private key.\n\nGenerates a secure private key and encodes it in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) and [OpenSSH PEM (RFC 4716)](https://datatracker.ietf.org/doc/html/rfc4716) formats. This resource is primarily intended for easily bootstrapping throwaway development environments.',
    descriptionKind: 'markdown',
    attributes: {
      algorithm: {
        type: STRING,
        required: true,
        description:
          'Name of the algorithm to use when generating the private key. Currently-supported values are: `RSA`, `ECDSA`, `ED25519`. ',
        validators: [oneOf(...ALGORITHMS)],
        modifiers: [requiresReplace],
      },
      ecdsa_curve: {
        type: STRING,
        optional: true,
        computed: true,
        description:
          'When `algorithm` is `ECDSA`, the name of the elliptic curve to use. Currently-supported values are: `P224`, `P256`, `P384`, `P521`. (default: `P224`).',
        descriptionKind: 'markdown',
        default: str('P224'),
        validators: [oneOf(...CURVES)],
        modifiers: [requiresReplace],
      },
      id: {
        type: STRING,
        computed: true,
        description:
          'Unique identifier for this resource: hexadecimal representation of the SHA1 checksum of the resource.',
        descriptionKind: 'markdown',
      },
      ...GENERATED,
      rsa_bits: {
        type: NUMBER,
        integer: true,
        optional: true,
        computed: true,
        description:
          'When `algorithm` is `RSA`, the size of the generated RSA key, in bits (default: `2048`).',
        descriptionKind: 'markdown',
        default: number(2048),
        modifiers: [requiresReplace],
      },
    },
    create: async ({ plan }): Promise<Outcome> => {
      const made = await make(plan);
      if ('problem' in made) return { diagnostics: [made.problem] };
      const state = plan.with({
        ...privateState(random, made.key),
        ...publicKeyState(made.key),
        id: stateHash(publicInfo(made.key)),
      });
      return { state };
    },
    // There is nothing that an update could change.
    update: () => ({}),
    upgrades: { 0: { type: STATE, upgrade: (older) => upgrade(random, older) } },
  };
}

/** What is made of a key, whether it is kept or not. */
const GENERATED: Readonly<Record<string, AttributeDefinition>> = {
  private_key_openssh: {
    type: STRING,
    computed: true,
    sensitive: true,
    description:
      'Private key data in [OpenSSH PEM (RFC 4716)](https://datatracker.ietf.org/doc/html/rfc4716) format.',
    descriptionKind: 'markdown',
  },
  private_key_pem: {
    type: STRING,
    computed: true,
    sensitive: true,
    description:
      'Private key data in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format.',
    descriptionKind: 'markdown',
  },
  private_key_pem_pkcs8: {
    type: STRING,
    computed: true,
    sensitive: true,
    description:
      'Private key data in [PKCS#8 PEM (RFC 5208)](https://datatracker.ietf.org/doc/html/rfc5208) format.',
    descriptionKind: 'markdown',
  },
  public_key_fingerprint_md5: {
    type: STRING,
    computed: true,
    description:
      'The fingerprint of the public key data in OpenSSH MD5 hash format, e.g. `aa:bb:cc:...`. Only available if the selected private key format is compatible, similarly to `public_key_openssh` and the [ECDSA P224 limitations](../../docs#limitations).',
    descriptionKind: 'markdown',
  },
  public_key_fingerprint_sha256: {
    type: STRING,
    computed: true,
    description:
      'The fingerprint of the public key data in OpenSSH SHA256 hash format, e.g. `SHA256:...`. Only available if the selected private key format is compatible, similarly to `public_key_openssh` and the [ECDSA P224 limitations](../../docs#limitations).',
    descriptionKind: 'markdown',
  },
  public_key_openssh: {
    type: STRING,
    computed: true,
    description:
      ' The public key data in ["Authorized Keys"](https://www.ssh.com/academy/ssh/authorized_keys/openssh#format-of-the-authorized-keys-file) format. This is not populated for `ECDSA` with curve `P224`, as it is [not supported](../../docs#limitations). **NOTE**: the [underlying](https://pkg.go.dev/encoding/pem#Encode) [libraries](https://pkg.go.dev/golang.org/x/crypto/ssh#MarshalAuthorizedKey) that generate this value append a `\\n` at the end of the PEM. In case this disrupts your use case, we recommend using [`trimspace()`](https://www.terraform.io/language/functions/trimspace).',
    descriptionKind: 'markdown',
  },
  public_key_pem: {
    type: STRING,
    computed: true,
    description:
      'Public key data in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format. **NOTE**: the [underlying](https://pkg.go.dev/encoding/pem#Encode) [libraries](https://pkg.go.dev/golang.org/x/crypto/ssh#MarshalAuthorizedKey) that generate this value append a `\\n` at the end of the PEM. In case this disrupts your use case, we recommend using [`trimspace()`](https://www.terraform.io/language/functions/trimspace).',
    descriptionKind: 'markdown',
  },
};

/** The ephemeral `tls_private_key`. */
export function ephemeralPrivateKey({ random }: Ports): EphemeralDefinition {
  return {
    description:
      "-> If the managed resource doesn't have a write-only argument available for the private key (first introduced in Terraform 1.11), then the private key can only be created with the managed resource variant of [`tls_private_key`](https://registry.terraform.io/providers/hashicorp/tls/latest/docs/resources/private_key).\n\nCreates a PEM (and OpenSSH) formatted private key.\n\nGenerates a secure private key and encodes it in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) and [OpenSSH PEM (RFC 4716)](https://datatracker.ietf.org/doc/html/rfc4716) formats. \n\nThe primary use-case for generating an ephemeral private key is to be used in combination with a write-only argument in a managed resource, which will avoid Terraform storing the private key data in the plan or state file.",
    descriptionKind: 'markdown',
    attributes: {
      algorithm: {
        type: STRING,
        required: true,
        description:
          'Name of the algorithm to use when generating the private key. Currently-supported values are: `RSA`, `ECDSA`, `ED25519`. ',
        validators: [oneOf(...ALGORITHMS)],
      },
      ecdsa_curve: {
        type: STRING,
        optional: true,
        computed: true,
        description:
          'When `algorithm` is `ECDSA`, the name of the elliptic curve to use. Currently-supported values are: `P224`, `P256`, `P384`, `P521`. (default: `P224`).',
        descriptionKind: 'markdown',
        validators: [oneOf(...CURVES)],
      },
      ...GENERATED,
      rsa_bits: {
        type: NUMBER,
        integer: true,
        optional: true,
        computed: true,
        description:
          'When `algorithm` is `RSA`, the size of the generated RSA key, in bits (default: `2048`).',
        descriptionKind: 'markdown',
      },
    },
    open: async (config): Promise<Outcome> => {
      const made = await make(config);
      if ('problem' in made) return { diagnostics: [made.problem] };
      const state = config.with({
        rsa_bits: number(config.integer('rsa_bits') ?? 2048),
        ecdsa_curve: config.string('ecdsa_curve') ?? 'P224',
        ...privateState(random, made.key),
        ...publicKeyState(made.key),
      });
      return { state };
    },
  };
}

async function make(
  fields: Fields,
): Promise<{ readonly key: KeyObject } | { readonly problem: ProviderDiagnostic }> {
  const name = fields.string('algorithm') ?? '';
  const algorithm = ALGORITHMS.find((known) => known === name);
  if (algorithm === undefined) {
    const detail = `Key Algorithm ${quoteText(name)} is not supported`;
    return { problem: error('Invalid Key Algorithm', detail) };
  }
  const bits = fields.integer('rsa_bits') ?? 2048;
  const curve = fields.string('ecdsa_curve') ?? 'P224';
  try {
    return { key: await generateKey(algorithm, bits, curve) };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return { problem: error('Unable to generate Key from configuration', why) };
  }
}

function privateState(random: Random, key: KeyObject): Record<string, string> {
  return {
    private_key_pem: keyPem(key),
    private_key_pem_pkcs8: keyPkcs8(key),
    private_key_openssh: openSshPrivateKey(key, random.bytes(4)),
  };
}

const TEXTS = [
  'algorithm',
  'ecdsa_curve',
  'id',
  'private_key_openssh',
  'private_key_pem',
  'private_key_pem_pkcs8',
  'public_key_fingerprint_md5',
  'public_key_fingerprint_sha256',
  'public_key_openssh',
  'public_key_pem',
];
const STATE = objectType({
  rsa_bits: NUMBER,
  ...Object.fromEntries(TEXTS.map((name) => [name, STRING])),
});

/** Version 0 lacked the newer formats of the key. */
function upgrade(random: Random, older: Value): Outcome {
  const fields = new Fields(STATE, older);
  try {
    const key = parseKeyPem(fields.string('private_key_pem') ?? '');
    const openSsh = fields.string('private_key_openssh') ?? '';
    const private_key_openssh = openSsh === '' ? openSshPrivateKey(key, random.bytes(4)) : openSsh;
    const state = fields.with({
      private_key_openssh,
      private_key_pem_pkcs8: keyPkcs8(key),
      ...publicKeyState(key),
      id: stateHash(publicInfo(key)),
    });
    return { state };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return { diagnostics: [error('Unable to parse key from PEM', why)] };
  }
}
