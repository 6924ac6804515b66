import { pathsOf, userErrorText } from '@terrane/host';
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import type { BackendPorts } from '../backend.ts';
import { jsonFields, textIn } from '../json-fields.ts';
import { askService } from '../service-request.ts';
import { regionOf, serviceHost } from './oci-regions.ts';
import { signedOciHeaders, type OciIdentity } from './oci-signature.ts';
import { endOfToken } from './token-end.ts';

const METADATA = 'http://169.254.169.254/opc/v2';
const METADATA_MS = 5_000;
const TENANT = /opc-tenant:([^\n+,]+)/;

/** The certificate and key with which an instance identifies itself. */
interface MachinePapers {
  readonly certificate: string;
  readonly key: string;
  readonly passphrase: string;
  readonly intermediate: string;
  /** the region of the token service */
  readonly region: string;
}

/**
 * Creates sessions of an instance principal: with the certificate of its metadata service, or one in files
 * (`ip_cert.pem`, `ip_key.pem`, `intermediate.pem`), for a key that is generated for the session.
 */
export function instancePrincipal(
  region: string,
  fromFiles: boolean,
  ports: BackendPorts,
): () => Promise<{ readonly value: OciIdentity; readonly expires: number | undefined }> {
  return async () => {
    try {
      const papers = fromFiles
        ? await papersOfFiles(region, ports)
        : await papersOfMachine(region, ports);
      return await session(papers, ports);
    } catch (error) {
      ports.signal?.throwIfAborted();
      throw new Error(
        `${userErrorText(error)}\nInstance principals authentication can only be used on OCI compute instances. Please confirm this code is running on an OCI compute instance and you have set up the policy properly.\nSee https://docs.oracle.com/en-us/iaas/Content/Identity/Tasks/callingservicesfrominstances.htm for more info`,
        { cause: error },
      );
    }
  };
}

async function papersOfMachine(region: string, ports: BackendPorts): Promise<MachinePapers> {
  const base = ports.host.environment.get('OCI_METADATA_BASE_URL') || METADATA;
  const read = async (path: string): Promise<string> => {
    const { status, body } = await askService(
      ports,
      () => ({
        url: `${base}${path}`,
        headers: { authorization: 'Bearer Oracle' },
        timeoutMs: METADATA_MS,
        proxy: '',
      }),
      3,
    );
    if (status !== 200) throw new Error(`HTTP Get failed: URL: ${base}${path}, Status: ${status}`);
    return new TextDecoder().decode(body);
  };
  const [ownRegion, certificate, key, intermediate] = await Promise.all([
    read('/instance/region'),
    read('/identity/cert.pem'),
    read('/identity/key.pem'),
    read('/identity/intermediate.pem'),
  ]);
  return {
    certificate,
    key,
    passphrase: '',
    intermediate,
    region: regionOf(ownRegion.trim()) || region,
  };
}

async function papersOfFiles(
  region: string,
  { host: { environment, files } }: BackendPorts,
): Promise<MachinePapers> {
  const { join } = pathsOf(environment);
  const directory =
    environment.get('OCI_test_certificates_location') ||
    environment.get('test_certificates_location') ||
    environment.cwd;
  const read = async (subject: string, name: string): Promise<string> =>
    await files.readText(join(directory, name)).catch((error: unknown) => {
      throw new Error(`can not read ${subject} from ${join(directory, name)}`, { cause: error });
    });
  return {
    certificate: await read('leaf certificate', 'ip_cert.pem'),
    key: await read('leaf private key', 'ip_key.pem'),
    passphrase: (await files.readText(join(directory, 'leaf_passphrase')).catch(() => '')).trim(),
    intermediate: await read('intermediate certificate', 'intermediate.pem'),
    region,
  };
}

async function session(
  papers: MachinePapers,
  ports: BackendPorts,
): Promise<{ readonly value: OciIdentity; readonly expires: number | undefined }> {
  const { certificate, intermediate, passphrase, region } = papers;
  const x509 = new X509Certificate(certificate);
  const tenancy = TENANT.exec(x509.subject)?.[1] ?? '';
  const leaf: OciIdentity = {
    keyId: `${tenancy}/fed-x509-sha256/${x509.fingerprint256.toLowerCase()}`,
    key: createPrivateKey({ key: papers.key, ...(passphrase !== '' && { passphrase }) }),
  };
  const sessionKey = await ports.host.random.rsaKey?.();
  if (sessionKey === undefined) throw new Error('no key can be made for a session');
  const key = createPrivateKey(sessionKey);
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
  const body = JSON.stringify({
    certificate: bare(certificate),
    publicKey: bare(publicKey),
    intermediateCertificates: [bare(intermediate)],
    fingerprintAlgorithm: 'SHA256',
  });
  const { clock, environment } = ports.host;
  const origin =
    environment.get('OCI_SDK_AUTH_CLIENT_REGION_URL') ||
    `https://${serviceHost('auth', region, environment)}`;
  const url = new URL('/v1/x509', origin);
  const answer = await askService(ports, () => ({
    url: url.href,
    method: 'POST',
    body,
    headers: signedOciHeaders(
      { method: 'POST', url, body, headers: { 'content-type': 'application/json' } },
      leaf,
      clock.now(),
      false,
    ),
  }));
  const fields = jsonFields(answer.body);
  const token = textIn(fields, 'token');
  if (answer.status !== 200 || token === '') {
    throw new Error(
      `failed to get security token: error ${answer.status} returned by auth service: ${textIn(fields, 'message')}`,
    );
  }
  return { value: { keyId: `ST$${token}`, key }, expires: endOfToken(token) };
}

/** PEM without its frame and lines. */
function bare(pem: string): string {
  return pem.replaceAll(/-----[A-Z ]+-----|\s/g, '');
}
