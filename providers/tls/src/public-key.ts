import { dataSource, ephemeralResource, exactlyOneOf, string } from '@terrane/provider/sdk';
import type { DataSource, EphemeralResource } from '@terrane/provider/sdk';
import { attempt } from './given.ts';
import {
  algorithmOf,
  parseKeyOpenSsh,
  parseKeyPem,
  publicInfo,
  publicKeyState,
  stateHash,
} from './keys.ts';

/** The attributes of a data source or an ephemeral resource. */
function attributesOf(kind: 'data source' | 'ephemeral resource') {
  return {
    algorithm: string({
      computed: true,
      description:
        'The name of the algorithm used by the given private key. Possible values are: `RSA`, `ECDSA`, `ED25519`. ',
    }),
    id: string({
      computed: true,
      description: `Unique identifier for this ${kind}: hexadecimal representation of the SHA1 checksum of the ${kind}.`,
    }),
    private_key_openssh: string({
      optional: true,
      sensitive: true,
      description:
        'The private key (in  [OpenSSH PEM (RFC 4716)](https://datatracker.ietf.org/doc/html/rfc4716) format) to extract the public key from. This is _mutually exclusive_ with `private_key_pem`. Currently-supported algorithms for keys are: `RSA`, `ECDSA`, `ED25519`. ',
      validators: [exactlyOneOf('private_key_pem', 'private_key_openssh')],
    }),
    private_key_pem: string({
      optional: true,
      sensitive: true,
      description:
        'The private key (in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format) to extract the public key from. This is _mutually exclusive_ with `private_key_openssh`. Currently-supported algorithms for keys are: `RSA`, `ECDSA`, `ED25519`. ',
      validators: [exactlyOneOf('private_key_pem', 'private_key_openssh')],
    }),
    public_key_fingerprint_md5: string({
      computed: true,
      description:
        'The fingerprint of the public key data in OpenSSH MD5 hash format, e.g. `aa:bb:cc:...`. Only available if the selected private key format is compatible, as per the rules for `public_key_openssh` and [ECDSA P224 limitations](../../docs#limitations).',
    }),
    public_key_fingerprint_sha256: string({
      computed: true,
      description:
        'The fingerprint of the public key data in OpenSSH SHA256 hash format, e.g. `SHA256:...`. Only available if the selected private key format is compatible, as per the rules for `public_key_openssh` and [ECDSA P224 limitations](../../docs#limitations).',
    }),
    public_key_openssh: string({
      computed: true,
      description:
        "The public key, in  [OpenSSH PEM (RFC 4716)](https://datatracker.ietf.org/doc/html/rfc4716) format. This is also known as ['Authorized Keys'](https://www.ssh.com/academy/ssh/authorized_keys/openssh#format-of-the-authorized-keys-file) format. This is not populated for `ECDSA` with curve `P224`, as it is [not supported](../../docs#limitations). **NOTE**: the [underlying](https://pkg.go.dev/encoding/pem#Encode) [libraries](https://pkg.go.dev/golang.org/x/crypto/ssh#MarshalAuthorizedKey) that generate this value append a `\\n` at the end of the PEM. In case this disrupts your use case, we recommend using [`trimspace()`](https://www.terraform.io/language/functions/trimspace).",
    }),
    public_key_pem: string({
      computed: true,
      description:
        'The public key, in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format. **NOTE**: the [underlying](https://pkg.go.dev/encoding/pem#Encode) [libraries](https://pkg.go.dev/golang.org/x/crypto/ssh#MarshalAuthorizedKey) that generate this value append a `\\n` at the end of the PEM. In case this disrupts your use case, we recommend using [`trimspace()`](https://www.terraform.io/language/functions/trimspace).',
    }),
  };
}

/** The data source `tls_public_key`: the public key of a private key. */
export const publicKeyData: DataSource = dataSource({
  description:
    'Get a public key from a PEM-encoded private key.\n\nUse this data source to get the public key from a [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) or [OpenSSH PEM (RFC 4716)](https://datatracker.ietf.org/doc/html/rfc4716) formatted private key, for use in other resources.',
  descriptionKind: 'markdown',
  attributes: attributesOf('data source'),
  read: ({ config }) => ({ ...config, ...publicKey(config) }),
});

/** The ephemeral `tls_public_key`. */
export const ephemeralPublicKey: EphemeralResource = ephemeralResource({
  description:
    'Get a public key from a PEM-encoded private key.\n\nUse this ephemeral resource to get the public key from a [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) or [OpenSSH PEM (RFC 4716)](https://datatracker.ietf.org/doc/html/rfc4716) formatted private key, for use in other resources without storing the value in state.',
  descriptionKind: 'markdown',
  attributes: attributesOf('ephemeral resource'),
  open: ({ config }) => ({ ...config, ...publicKey(config) }),
});

interface PrivateKey {
  readonly private_key_pem: string | null;
  readonly private_key_openssh: string | null;
}

function publicKey({ private_key_pem: pem, private_key_openssh: openSsh }: PrivateKey) {
  const key = attempt('Unable to parse private key', () =>
    pem === null ? parseKeyOpenSsh(openSsh ?? '') : parseKeyPem(pem),
  );
  return {
    algorithm: algorithmOf(key),
    ...publicKeyState(key),
    id: stateHash(publicInfo(key)),
  };
}
