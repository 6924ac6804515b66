import * as net from 'node:net';
import type { Environment } from './host.ts';

/**
 * Returns the proxy of a URL from the environment, by the rules of Go's httpproxy: `HTTPS_PROXY` or `HTTP_PROXY` (also
 * in lower case) by the URL's scheme, except for this machine and the entries of `NO_PROXY`: addresses, networks
 * (`10.0.0.0/8`), names including their subdomains, subdomains only (`.example.com`), each optionally with a port; `*`
 * for everything.
 */
export function proxyFor(url: URL, environment: Pick<Environment, 'get'>): string | undefined {
  const setting = (name: string): string =>
    environment.get(name) ?? environment.get(name.toLowerCase()) ?? '';
  const proxy = setting(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY').trim();
  if (proxy === '' || !needsProxy(url, setting('NO_PROXY'))) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function needsProxy(url: URL, exceptions: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (host === 'localhost' || isWithin(host, loopback())) return false;
  return !exceptions
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && matches(entry, host, port));
}

/** Created at its first use, because most runs make no requests and need not load `node:net`. */
let loopbackAddresses: net.BlockList | undefined;

function loopback(): net.BlockList {
  if (loopbackAddresses === undefined) {
    loopbackAddresses = new net.BlockList();
    loopbackAddresses.addSubnet('127.0.0.0', 8, 'ipv4');
    loopbackAddresses.addAddress('::1', 'ipv6');
  }
  return loopbackAddresses;
}

function isWithin(host: string, list: net.BlockList): boolean {
  const version = net.isIP(host);
  return version !== 0 && list.check(host, version === 6 ? 'ipv6' : 'ipv4');
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const network = /^(.+)\/(\d+)$/.exec(entry);
  if (network !== null) return isInNetwork(host, network[1] ?? '', Number(network[2]));
  const withPort = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(entry);
  if (withPort !== null && withPort[3] !== port) return false;
  const name = withPort?.[1] ?? withPort?.[2] ?? entry.replace(/^\[|\]$/g, '');
  if (net.isIP(name) !== 0) return name === host;
  const suffix = name.startsWith('*.') ? name.slice(1) : name;
  if (suffix.startsWith('.')) return host.endsWith(suffix);
  return host === suffix || host.endsWith(`.${suffix}`);
}

function isInNetwork(host: string, address: string, bits: number): boolean {
  const version = net.isIP(address);
  if (version === 0 || bits > (version === 6 ? 128 : 32)) return false;
  const list = new net.BlockList();
  list.addSubnet(address, bits, version === 6 ? 'ipv6' : 'ipv4');
  return isWithin(host, list);
}
