import type { KeyObject } from 'node:crypto';
import { quoteText } from '@terrane/cty';
import { type Random, userErrorText } from '@terrane/host';
import type { ProviderPorts } from '@terrane/provider';
import {
  ephemeralResource,
  int64,
  oneOf,
  ProviderError,
  resource,
  string,
  upgradeFrom,
} from '@terrane/provider/sdk';
import type { EphemeralResource, Resource, StateOf } from '@terrane/provider/sdk';
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

/** Options of the arguments that the resource and the ephemeral resource have in common. */
const ALGORITHM = {
  required: true,
  description:
    'Name of the algorithm to use when generating the private key. Currently-supported values are: `RSA`, `ECDSA`, `ED25519`. ',
  validators: [oneOf(...ALGORITHMS)],
} as const;
const CURVE = {
  optional: true,
  computed: true,
  description:
    'When `algorithm` is `ECDSA`, the name of the elliptic curve to use. Currently-supported values are: `P224`, `P256`, `P384`, `P521`. (default: `P224`).',
  descriptionKind: 'markdown',
  validators: [oneOf(...CURVES)],
} as const;
const RSA_BITS = {
  optional: true,
  computed: true,
  description:
    'When `algorithm` is `RSA`, the size of the generated RSA key, in bits (default: `2048`).',
  descriptionKind: 'markdown',
} as const;

/** The attributes generated from a key, stored or not. */
const GENERATED = {
  private_key_openssh: string({
    computed: true,
    sensitive: true,
    description:
      'Private key data in [OpenSSH PEM (RFC 4716)](https://datatracker.ietf.org/doc/html/rfc4716) format.',
    descriptionKind: 'markdown',
  }),
  private_key_pem: string({
    computed: true,
    sensitive: true,
    description:
      'Private key data in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format.',
    descriptionKind: 'markdown',
  }),
  private_key_pem_pkcs8: string({
    computed: true,
    sensitive: true,
    description:
      'Private key data in [PKCS#8 PEM (RFC 5208)](https://datatracker.ietf.org/doc/html/rfc5208) format.',
    descriptionKind: 'markdown',
  }),
  public_key_fingerprint_md5: string({
    computed: true,
    description:
      'The fingerprint of the public key data in OpenSSH MD5 hash format, e.g. `aa:bb:cc:...`. Only available if the selected private key format is compatible, similarly to `public_key_openssh` and the [ECDSA P224 limitations](../../docs#limitations).',
    descriptionKind: 'markdown',
  }),
  public_key_fingerprint_sha256: string({
    computed: true,
    description:
      'The fingerprint of the public key data in OpenSSH SHA256 hash format, e.g. `SHA256:...`. Only available if the selected private key format is compatible, similarly to `public_key_openssh` and the [ECDSA P224 limitations](../../docs#limitations).',
    descriptionKind: 'markdown',
  }),
  public_key_openssh: string({
    computed: true,
    description:
      ' The public key data in ["Authorized Keys"](https://www.ssh.com/academy/ssh/authorized_keys/openssh#format-of-the-authorized-keys-file) format. This is not populated for `ECDSA` with curve `P224`, as it is [not supported](../../docs#limitations). **NOTE**: the [underlying](https://pkg.go.dev/encoding/pem#Encode) [libraries](https://pkg.go.dev/golang.org/x/crypto/ssh#MarshalAuthorizedKey) that generate this value append a `\\n` at the end of the PEM. In case this disrupts your use case, we recommend using [`trimspace()`](https://www.terraform.io/language/functions/trimspace).',
    descriptionKind: 'markdown',
  }),
  public_key_pem: string({
    computed: true,
    description:
      'Public key data in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format. **NOTE**: the [underlying](https://pkg.go.dev/encoding/pem#Encode) [libraries](https://pkg.go.dev/golang.org/x/crypto/ssh#MarshalAuthorizedKey) that generate this value append a `\\n` at the end of the PEM. In case this disrupts your use case, we recommend using [`trimspace()`](https://www.terraform.io/language/functions/trimspace).',
    descriptionKind: 'markdown',
  }),
};

/** The stored attributes of a key. */
const STORED = {
  ...GENERATED,
  algorithm: string({ required: true }),
  ecdsa_curve: string({ computed: true }),
  id: string({ computed: true }),
  rsa_bits: int64({ computed: true }),
};

/** `tls_private_key`: a private key in several formats. */
export function privateKeyResource({ random }: Ports): Resource {
  return resource({
    version: 1,
    description:
      '-> If the managed resource supports a write-only attribute for the private key (first introduced in Terraform 1.11), then the ephemeral variant of [`tls_private_key`](https://registry.terraform.io/providers/hashicorp/tls/latest/docs/ephemeral-resources/private_key) should be used, when possible, to avoid storing the private key data in the plan or state file.\n\nCreates a PEM (and OpenSSH) formatted private key.\n\nGenerates a secure private key and encodes it in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) and [OpenSSH PEM (RFC 4716)](https://datatracker.ietf.org/doc/html/rfc4716) formats. This resource is primarily intended for easily bootstrapping throwaway development environments.',
    descriptionKind: 'markdown',
    attributes: {
      algorithm: string({ ...ALGORITHM, requiresReplace: true }),
      ecdsa_curve: string({ ...CURVE, default: 'P224', requiresReplace: true }),
      id: string({
        computed: true,
        description:
          'Unique identifier for this resource: hexadecimal representation of the SHA1 checksum of the resource.',
        descriptionKind: 'markdown',
      }),
      ...GENERATED,
      rsa_bits: int64({ ...RSA_BITS, default: 2048, requiresReplace: true }),
    },
    create: async ({ plan }) => {
      const key = await make(plan);
      return {
        ...plan,
        ...privateState(random, key),
        ...publicKeyState(key),
        id: stateHash(publicInfo(key)),
      };
    },
    // No argument can be updated.
    update: ({ state }) => state,
    upgraders: { 0: upgradeFrom({ attributes: STORED }, (older) => upgrade(random, older)) },
  });
}

/** The ephemeral `tls_private_key`. */
export function ephemeralPrivateKey({ random }: Ports): EphemeralResource {
  return ephemeralResource({
    description:
      "-> If the managed resource doesn't have a write-only argument available for the private key (first introduced in Terraform 1.11), then the private key can only be created with the managed resource variant of [`tls_private_key`](https://registry.terraform.io/providers/hashicorp/tls/latest/docs/resources/private_key).\n\nCreates a PEM (and OpenSSH) formatted private key.\n\nGenerates a secure private key and encodes it in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) and [OpenSSH PEM (RFC 4716)](https://datatracker.ietf.org/doc/html/rfc4716) formats. \n\nThe primary use-case for generating an ephemeral private key is to be used in combination with a write-only argument in a managed resource, which will avoid Terraform storing the private key data in the plan or state file.",
    descriptionKind: 'markdown',
    attributes: {
      algorithm: string(ALGORITHM),
      ecdsa_curve: string(CURVE),
      ...GENERATED,
      rsa_bits: int64(RSA_BITS),
    },
    open: async ({ config }) => {
      const key = await make(config);
      return {
        ...config,
        rsa_bits: config.rsa_bits ?? 2048,
        ecdsa_curve: config.ecdsa_curve ?? 'P224',
        ...privateState(random, key),
        ...publicKeyState(key),
      };
    },
  });
}

interface Wanted {
  readonly algorithm: string;
  readonly rsa_bits: number | null;
  readonly ecdsa_curve: string | null;
}

async function make({ algorithm: name, rsa_bits, ecdsa_curve }: Wanted): Promise<KeyObject> {
  const algorithm = ALGORITHMS.find((known) => known === name);
  if (algorithm === undefined) {
    const detail = `Key Algorithm ${quoteText(name)} is not supported`;
    throw new ProviderError('Invalid Key Algorithm', detail);
  }
  try {
    return await generateKey(algorithm, rsa_bits ?? 2048, ecdsa_curve ?? 'P224');
  } catch (cause) {
    const reason = userErrorText(cause);
    throw new ProviderError('Unable to generate Key from configuration', reason);
  }
}

function privateState(random: Random, key: KeyObject) {
  return {
    private_key_pem: keyPem(key),
    private_key_pem_pkcs8: keyPkcs8(key),
    private_key_openssh: openSshPrivateKey(key, random.bytes(4)),
  };
}

/** Version 0 lacked the newer formats of the key. */
function upgrade(random: Random, older: StateOf<typeof STORED>) {
  try {
    const key = parseKeyPem(older.private_key_pem);
    // Versions without the format may have stored null.
    const openSsh: string | null = older.private_key_openssh;
    return {
      ...older,
      private_key_openssh:
        openSsh === null || openSsh === '' ? openSshPrivateKey(key, random.bytes(4)) : openSsh,
      private_key_pem_pkcs8: keyPkcs8(key),
      ...publicKeyState(key),
      id: stateHash(publicInfo(key)),
    };
  } catch (cause) {
    const reason = userErrorText(cause);
    throw new ProviderError('Unable to parse key from PEM', reason);
  }
}
