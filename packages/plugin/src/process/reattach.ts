import { userErrorText } from '@terrane/host';
import type { Handshake } from './handshake.ts';
import { PluginError } from './plugin-error.ts';

/**
 * Parses `TF_REATTACH_PROVIDERS`: JSON with the addresses of the processes that other programs run for debugging, by
 * provider address.
 *
 * @throws PluginError
 */
export function parseReattach(text: string): ReadonlyMap<string, Handshake> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    const reason = userErrorText(error);
    throw new PluginError(`Invalid format for TF_REATTACH_PROVIDERS: ${reason}`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new PluginError('Invalid format for TF_REATTACH_PROVIDERS: an object is required');
  }
  const handshakes = new Map<string, Handshake>();
  for (const [address, config] of Object.entries(parsed)) {
    handshakes.set(address, handshakeOf(address, config));
  }
  return handshakes;
}

function handshakeOf(provider: string, config: unknown): Handshake {
  const name = JSON.stringify(provider);
  const version = Number(fieldOf(config, 'ProtocolVersion') ?? 0);
  const addr = fieldOf(config, 'Addr');
  const network = fieldOf(addr, 'Network');
  const address = fieldOf(addr, 'String');
  const protocol = fieldOf(config, 'Protocol');
  if (protocol !== 'grpc') {
    throw new PluginError(
      `unsupported plugin protocol ${JSON.stringify(protocol ?? '')} for ${name} in TF_REATTACH_PROVIDERS. Supported: [grpc]`,
    );
  }
  if (network !== 'unix' && network !== 'tcp') {
    throw new PluginError(`Unknown address type ${JSON.stringify(network ?? '')} for ${name}`);
  }
  if (typeof address !== 'string' || address === '') {
    throw new PluginError(`Invalid ${network} address "" for ${name}`);
  }
  if (version !== 0 && version !== 5 && version !== 6) {
    throw new PluginError(`no supported plugins for protocol ${version} for ${name}`);
  }
  // Providers without this field use version 5.
  return { version: version === 6 ? 6 : 5, network, address, certificate: undefined };
}

function fieldOf(from: unknown, name: string): unknown {
  if (typeof from !== 'object' || from === null) return undefined;
  return Object.getOwnPropertyDescriptor(from, name)?.value as unknown;
}
