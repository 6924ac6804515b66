import type { BundledProvider } from '@terrane/provider';
import { defineProvider } from '@terrane/provider/sdk';
import { certRequestResource } from './cert-request.ts';
import { certificateData } from './certificate-data.ts';
import { locallySignedCertResource } from './locally-signed-cert.ts';
import { ephemeralPrivateKey, privateKeyResource } from './private-key.ts';
import { PROXY, proxySettings } from './proxy.ts';
import { ephemeralPublicKey, publicKeyData } from './public-key.ts';
import { selfSignedCertResource } from './self-signed-cert.ts';

/** The provider hashicorp/tls. */
export const provider: BundledProvider = {
  address: 'registry.terraform.io/hashicorp/tls',
  version: '4.2.1',
  create: (ports) =>
    defineProvider({
      config: {
        description: 'Provider configuration',
        descriptionKind: 'markdown',
        blocks: { proxy: PROXY },
      },
      configure: ({ config }) => proxySettings(config.proxy),
      resources: {
        tls_cert_request: certRequestResource,
        tls_locally_signed_cert: locallySignedCertResource(ports),
        tls_private_key: privateKeyResource(ports),
        tls_self_signed_cert: selfSignedCertResource(ports),
      },
      dataSources: {
        tls_certificate: certificateData(ports),
        tls_public_key: publicKeyData,
      },
      ephemeralResources: {
        tls_private_key: ephemeralPrivateKey(ports),
        tls_public_key: ephemeralPublicKey,
      },
      sideEffects: false,
    }),
};
