// Certificates that servers of tests show, and that clients are told to trust.
import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';

/** A certificate, which is its own authority, for names of hosts and addresses of this machine; as PEM, for a day. */
export function selfSigned(...names: readonly string[]): {
  readonly certificate: string;
  readonly key: string;
} {
  const { pki } = forge;
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.publicKeyFromPem(pair.publicKey);
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date(Date.now() - 86_400_000);
  certificate.validity.notAfter = new Date(Date.now() + 86_400_000);
  const subject = [{ name: 'commonName', value: names[0] ?? '' }];
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true },
    {
      name: 'subjectAltName',
      altNames: names.map((name) =>
        /^[\d.]+$/.test(name) ? { type: 7, ip: name } : { type: 2, value: name },
      ),
    },
  ]);
  certificate.sign(pki.privateKeyFromPem(pair.privateKey), forge.md.sha256.create());
  return { certificate: pki.certificateToPem(certificate), key: pair.privateKey };
}
