import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { nodeHost } from '@terrane/host';
import { enforceContract } from '@terrane/provider';
import { openEphemeral, readData, ResourceLife } from '@terrane/provider/testing';
import type { Step } from '@terrane/provider/testing';
import { ManualClock } from '@terrane/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import { provider } from './index.ts';

const START = Date.UTC(2024, 0, 1);
const HOUR = 3_600_000;

function objects(clock = new ManualClock(START)) {
  const checked = enforceContract(provider.create({ ...nodeHost(), clock }), provider.address);
  return { clock, checked, of: (type: string) => ResourceLife.of(checked, type) };
}

const text = (step: Step, name: string) => String(step.state?.[name]);

describe.each([
  [{ algorithm: 'ED25519' }, 'ed25519', 'ssh-ed25519 '],
  [{ algorithm: 'ECDSA', ecdsa_curve: 'P256' }, 'ec', 'ecdsa-sha2-nistp256 '],
  [{ algorithm: 'RSA', rsa_bits: 1024 }, 'rsa', 'ssh-rsa '],
])('tls_private_key %j', (written, kind, prefix) => {
  let step: Step = { state: null };
  const { of, checked } = objects();
  let life: ResourceLife;
  beforeAll(async () => {
    life = await of('tls_private_key');
    step = await life.apply(written);
  });

  test('all its formats hold one key', () => {
    expect(step).toMatchObject({ action: 'create', state: written });
    const key = createPrivateKey(text(step, 'private_key_pem'));
    expect(key.asymmetricKeyType).toBe(kind);
    expect(createPrivateKey(text(step, 'private_key_pem_pkcs8')).equals(key)).toBe(true);
    expect(createPublicKey(text(step, 'public_key_pem')).equals(createPublicKey(key))).toBe(true);
    expect(text(step, 'private_key_openssh')).toMatch(/^-----BEGIN OPENSSH PRIVATE KEY-----\n/);
    expect(text(step, 'public_key_openssh').startsWith(prefix)).toBe(true);
    expect(text(step, 'public_key_fingerprint_sha256')).toMatch(/^SHA256:/);
    expect(text(step, 'public_key_fingerprint_md5')).toMatch(/^([0-9a-f]{2}:){15}[0-9a-f]{2}$/);
  });

  test('it is stable, and another algorithm replaces it', async () => {
    expect(await life.apply(written)).toEqual({ action: 'no-op', state: step.state });
    expect(await life.refresh()).toEqual({ state: step.state });
    const other = { algorithm: 'ECDSA', ecdsa_curve: 'P384' };
    expect((await (await of('tls_private_key')).apply(other)).action).toBe('create');
  });

  test.each(['private_key_pem', 'private_key_openssh'])(
    'data tls_public_key reads its %s',
    async (name) => {
      const read = await readData(checked, 'tls_public_key', { [name]: step.state?.[name] });
      expect(read.state).toMatchObject({
        algorithm: written.algorithm,
        public_key_pem: step.state?.['public_key_pem'],
        public_key_openssh: step.state?.['public_key_openssh'],
        public_key_fingerprint_md5: step.state?.['public_key_fingerprint_md5'],
        public_key_fingerprint_sha256: step.state?.['public_key_fingerprint_sha256'],
      });
    },
  );
});

test('the curve P224 is not for OpenSSH', async () => {
  const key = await objects().of('tls_private_key');
  const { state } = await key.apply({ algorithm: 'ECDSA' });
  expect(state).toMatchObject({
    ecdsa_curve: 'P224',
    private_key_openssh: '',
    public_key_openssh: '',
    public_key_fingerprint_md5: '',
  });
});

test('a key of another kind replaces a key', async () => {
  const key = await objects().of('tls_private_key');
  await key.apply({ algorithm: 'ED25519' });
  const step = await key.apply({ algorithm: 'ECDSA', ecdsa_curve: 'P521' });
  expect(step.action).toBe('replace');
  expect(createPrivateKey(text(step, 'private_key_pem')).asymmetricKeyDetails?.namedCurve).toBe(
    'secp521r1',
  );
});

test('an ephemeral key is opened with all its formats', async () => {
  const { state } = await openEphemeral(objects().checked, 'tls_private_key', {
    algorithm: 'ED25519',
  });
  expect(state).toMatchObject({ rsa_bits: 2048, ecdsa_curve: 'P224' });
  expect(createPrivateKey(String(state?.['private_key_pem'])).asymmetricKeyType).toBe('ed25519');
});

async function keyPem(algorithm = 'ECDSA'): Promise<string> {
  const key = await objects().of('tls_private_key');
  return text(
    await key.apply({ algorithm, ecdsa_curve: 'P256', rsa_bits: 2048 }),
    'private_key_pem',
  );
}

const SUBJECT = { common_name: 'example.com', organization: 'Example' };

test.each(['ECDSA', 'ED25519', 'RSA'])(
  'a self-signed certificate for a key of %s',
  async (algorithm) => {
    const { of, clock } = objects();
    const certificate = await of('tls_self_signed_cert');
    const written = {
      private_key_pem: await keyPem(algorithm),
      subject: [SUBJECT],
      validity_period_hours: 24,
      early_renewal_hours: 6,
      allowed_uses: ['cert_signing', 'server_auth'],
      dns_names: ['example.com', '*.example.com'],
      ip_addresses: ['127.0.0.1', '::1'],
      is_ca_certificate: true,
      set_subject_key_id: true,
    };
    const first = await certificate.apply(written);
    expect(first.diagnostics).toBeUndefined();
    const made = new X509Certificate(text(first, 'cert_pem'));
    expect(made.subject).toBe('O=Example\nCN=example.com');
    expect(made.issuer).toBe(made.subject);
    expect(made.ca).toBe(true);
    expect(made.verify(made.publicKey)).toBe(true);
    expect(made.checkIssued(made)).toBe(true);
    expect(made.checkHost('www.example.com')).toBe('*.example.com');
    expect(made.subjectAltName).toBe(
      'DNS:example.com, DNS:*.example.com, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    );
    expect(new Date(made.validTo).getTime() - new Date(made.validFrom).getTime()).toBe(24 * HOUR);
    expect(first.state).toMatchObject({
      key_algorithm: algorithm,
      validity_start_time: '2024-01-01T00:00:00Z',
      validity_end_time: '2024-01-02T00:00:00Z',
      ready_for_renewal: false,
    });

    // It is due for renewal six hours before its end, and then replaced.
    await clock.advance(17 * HOUR);
    expect(await certificate.refresh()).toEqual({ state: first.state });
    expect((await certificate.apply(written)).action).toBe('no-op');
    await clock.advance(2 * HOUR);
    expect((await certificate.refresh()).state).toMatchObject({ ready_for_renewal: true });
    const second = await certificate.apply(written);
    expect(second).toMatchObject({
      action: 'replace',
      state: { validity_start_time: '2024-01-01T19:00:00Z', ready_for_renewal: false },
    });
    expect(await certificate.destroy()).toEqual({ action: 'delete', state: null });
  },
);

test('another renewal time alone updates a certificate without replacement', async () => {
  const certificate = await objects().of('tls_self_signed_cert');
  const written = {
    private_key_pem: await keyPem(),
    subject: [SUBJECT],
    validity_period_hours: 24,
    allowed_uses: [],
  };
  const first = await certificate.apply(written);
  const second = await certificate.apply({ ...written, early_renewal_hours: 3 });
  expect(second.action).toBe('update');
  expect(second.state?.['cert_pem']).toBe(first.state?.['cert_pem']);
});

test('an authority signs a request', async () => {
  const { of, clock } = objects();
  const caKey = await keyPem('RSA');
  const authority = await (
    await of('tls_self_signed_cert')
  ).apply({
    private_key_pem: caKey,
    subject: [{ common_name: 'Authority' }],
    validity_period_hours: 1000,
    allowed_uses: ['cert_signing'],
    is_ca_certificate: true,
    set_subject_key_id: true,
  });
  const key = await keyPem();
  const request = await of('tls_cert_request');
  const asked = { private_key_pem: key, subject: [SUBJECT], dns_names: ['example.com'] };
  const signing = await request.apply(asked);
  expect(text(signing, 'cert_request_pem')).toMatch(/^-----BEGIN CERTIFICATE REQUEST-----\n/);
  expect(await request.apply(asked)).toEqual({ action: 'no-op', state: signing.state });
  const certificate = await of('tls_locally_signed_cert');
  const step = await certificate.apply({
    ca_cert_pem: authority.state?.['cert_pem'],
    ca_private_key_pem: caKey,
    cert_request_pem: signing.state?.['cert_request_pem'],
    validity_period_hours: 10,
    allowed_uses: ['digital_signature', 'client_auth'],
  });
  expect(step.diagnostics).toBeUndefined();
  const issuer = new X509Certificate(text(authority, 'cert_pem'));
  const made = new X509Certificate(text(step, 'cert_pem'));
  expect(made.issuer).toBe('CN=Authority');
  expect(made.subject).toBe('O=Example\nCN=example.com');
  expect(made.checkIssued(issuer)).toBe(true);
  expect(made.verify(issuer.publicKey)).toBe(true);
  expect(made.ca).toBe(false);
  expect(made.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(made.checkHost('example.com')).toBe('example.com');
  await clock.advance(11 * HOUR);
  expect((await certificate.refresh()).state).toMatchObject({ ready_for_renewal: true });
});

test('data tls_certificate describes configured certificates', async () => {
  const { of, checked } = objects();
  const made = await (
    await of('tls_self_signed_cert')
  ).apply({
    private_key_pem: await keyPem(),
    subject: [SUBJECT],
    validity_period_hours: 24,
    allowed_uses: [],
    is_ca_certificate: true,
  });
  const content = made.state?.['cert_pem'];
  const { state } = await readData(checked, 'tls_certificate', { content });
  expect(state?.['certificates']).toEqual([
    expect.objectContaining({
      cert_pem: content,
      is_ca: true,
      issuer: 'CN=example.com,O=Example',
      subject: 'CN=example.com,O=Example',
      not_before: '2024-01-01T00:00:00Z',
      not_after: '2024-01-02T00:00:00Z',
      public_key_algorithm: 'ECDSA',
      signature_algorithm: 'ECDSA-SHA256',
      version: 3,
      sha1_fingerprint: new X509Certificate(String(content)).fingerprint
        .replaceAll(':', '')
        .toLowerCase(),
    }),
  ]);
});

test('a key that can not be read is reported', async () => {
  const request = await objects().of('tls_cert_request');
  const step = await request.apply({ private_key_pem: 'nonsense', subject: [SUBJECT] });
  expect(step.state).toBeNull();
  expect(step.diagnostics?.[0]?.severity).toBe('error');
});
