import { createHash, createPrivateKey, sign, type KeyObject, X509Certificate } from 'node:crypto';
import { importOptional, userErrorText } from '@terrane/host';
import { EncryptionError } from '../failure.ts';
import type { KeyHost } from '../key-provider.ts';

/** A certificate and its private key. */
export interface CertificateKey {
  readonly key: KeyObject;
  readonly certificate: X509Certificate;
}

/** Reads a certificate and its key from PKCS#12 or PEM. @throws EncryptionError */
export async function readCertificate(
  bundle: Uint8Array,
  password: string,
): Promise<CertificateKey> {
  const text = Buffer.from(bundle).toString('latin1');
  try {
    if (text.includes('-----BEGIN')) {
      const passphrase = password === '' ? {} : { passphrase: password };
      return {
        key: createPrivateKey({ key: text, ...passphrase }),
        certificate: new X509Certificate(text),
      };
    }
    const { forge } = await importOptional(
      'A client certificate of "azure_vault"',
      ['node-forge'],
      () => import('../libraries/pkcs12.ts'),
    );
    const { pki } = forge;
    const pkcs12 = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(text), password);
    const bags = (name: string) => {
      const type = pki.oids[name] ?? '';
      return pkcs12.getBags({ bagType: type })[type] ?? [];
    };
    const key = [...bags('pkcs8ShroudedKeyBag'), ...bags('keyBag')].find((bag) => bag.key)?.key;
    const certificate = bags('certBag').find((bag) => bag.cert)?.cert;
    if (key == null || certificate === undefined) throw new Error('it holds no RSA key');
    return {
      key: createPrivateKey(pki.privateKeyToPem(key)),
      certificate: new X509Certificate(pki.certificateToPem(certificate)),
    };
  } catch (error) {
    throw new EncryptionError(`the client certificate cannot be read: ${userErrorText(error)}`);
  }
}

/** Returns a signed assertion: https://learn.microsoft.com/en-us/entra/identity-platform/certificate-credentials */
export function signedClaims(
  { key, certificate }: CertificateKey,
  audience: string,
  client: string,
  { clock, random }: KeyHost,
): string {
  const now = Math.floor(clock.now().getTime() / 1000);
  const encoded = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url');
  const thumbprint = createHash('sha1').update(certificate.raw).digest('base64url');
  const head = encoded({ alg: 'RS256', typ: 'JWT', x5t: thumbprint });
  const claims = encoded({
    aud: audience,
    iss: client,
    sub: client,
    jti: random.uuid(),
    nbf: now,
    exp: now + 600,
  });
  const signature = sign('RSA-SHA256', Buffer.from(`${head}.${claims}`), key);
  return `${head}.${claims}.${signature.toString('base64url')}`;
}
