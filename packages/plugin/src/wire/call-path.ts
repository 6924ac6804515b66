import type { ProtocolVersion } from './definitions.ts';

/** Names in version 5 of the calls that are called otherwise in version 6. */
const NAMES_5: Readonly<Record<string, string>> = {
  GetProviderSchema: 'GetSchema',
  ValidateProviderConfig: 'PrepareProviderConfig',
  ValidateResourceConfig: 'ValidateResourceTypeConfig',
  ValidateDataResourceConfig: 'ValidateDataSourceConfig',
  ConfigureProvider: 'Configure',
  StopProvider: 'Stop',
};

/** The gRPC path of a call to a provider, by its name in version 6. */
export function callPath(version: ProtocolVersion, call: string): string {
  const name = version === 5 && Object.hasOwn(NAMES_5, call) ? NAMES_5[call] : call;
  return `/tfplugin${version}.Provider/${name}`;
}
