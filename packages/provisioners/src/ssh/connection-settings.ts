import type { Value } from '@terrane/cty';
import type { Environment } from '@terrane/host';
import { inBrackets, portOf, textOf, timeoutOf } from '../connection-arguments.ts';

/** Login settings for one machine; absent settings are empty. */
export interface Login {
  /** a name or an address; an IPv6 address in brackets */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly privateKey: string;
  readonly certificate: string;
  readonly hostKey: string;
}

/** An HTTP proxy for the connection to the first machine. */
export interface ProxySettings {
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** Settings of an SSH `connection` block, with defaults. */
export interface ConnectionSettings {
  readonly target: Login;
  readonly bastion: Login | undefined;
  readonly proxy: ProxySettings | undefined;
  /** true to try the agent's keys, and to forward the agent to the machine */
  readonly agent: boolean;
  readonly agentIdentity: string;
  readonly scriptPath: string;
  readonly platform: 'unix' | 'windows';
  readonly timeoutMs: number;
}

/** Reads the arguments of a connection. Throws Terraform's errors for invalid ones. */
export function connectionSettings(value: Value, environment: Environment): ConnectionSettings {
  const text = (name: string): string => textOf(value.attr(name));
  const port = (name: string): number => portOf(value.attr(name));
  const host = text('host');
  if (host === '') throw new Error('host for provisioner cannot be empty');
  const platform = text('target_platform') || 'unix';
  if (platform !== 'unix' && platform !== 'windows') {
    throw new Error('target_platform for provisioner has to be either unix or windows');
  }
  const target: Login = {
    host: inBrackets(host),
    port: port('port') || 22,
    user: text('user') || 'root',
    password: text('password'),
    privateKey: text('private_key'),
    certificate: text('certificate'),
    hostKey: text('host_key'),
  };
  const bastionPort = port('bastion_port');
  const bastion: Login = {
    host: inBrackets(text('bastion_host')),
    port: bastionPort || target.port,
    user: text('bastion_user') || target.user,
    password: text('bastion_password') || target.password,
    privateKey: text('bastion_private_key') || target.privateKey,
    certificate: text('bastion_certificate') || target.certificate,
    hostKey: text('bastion_host_key'),
  };
  const proxy: ProxySettings = {
    scheme: text('proxy_scheme') || 'http',
    host: text('proxy_host'),
    port: port('proxy_port'),
    user: text('proxy_user_name'),
    password: text('proxy_user_password'),
  };
  const agent = value.attr('agent');
  return {
    target,
    bastion: bastion.host === '' ? undefined : bastion,
    proxy: proxy.host === '' ? undefined : proxy,
    agent: agent.isNull ? (environment.get('SSH_AUTH_SOCK') ?? '') !== '' : agent.asBool(),
    agentIdentity: text('agent_identity'),
    scriptPath: text('script_path') || defaultScriptPath(platform),
    platform,
    timeoutMs: timeoutOf(text('timeout')),
  };
}

function defaultScriptPath(platform: ConnectionSettings['platform']): string {
  return platform === 'unix' ? '/tmp/terraform_%RAND%.sh' : 'C:/windows/temp/terraform_%RAND%.cmd';
}
