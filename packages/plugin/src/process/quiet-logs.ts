/** Levels that the published development kits read for each of their parts. */
const PARTS = [
  'TF_LOG_SDK',
  'TF_LOG_SDK_PROTO',
  'TF_LOG_SDK_FRAMEWORK',
  'TF_LOG_SDK_HELPER_SCHEMA',
  'TF_LOG_SDK_MUX',
  'TF_LOG_PROVIDER',
];

/**
 * Returns the environment variables that limit the log of a plugin to errors if no logs are requested. Without a level,
 * plugins log everything, and expect the host to discard the entries; writing them takes most of the time of a short
 * call. Empty if `TF_LOG` or `TF_LOG_PROVIDER` requests logs; a level that is set for a part is not changed.
 *
 * @param path the executable, whose name determines the variable of the provider's own entries
 */
export function quietLogs(
  path: string,
  get: (name: string) => string | undefined,
): Record<string, string> {
  const asks = (name: string): boolean => !['', 'OFF'].includes((get(name) ?? '').toUpperCase());
  if (asks('TF_LOG') || asks('TF_LOG_PROVIDER')) return {};
  const name = /terraform-provider-([^/\\]+?)(?:_v?\d[^/\\]*|\.exe)?$/.exec(path)?.[1];
  const providerParts =
    name === undefined ? [] : [`TF_LOG_PROVIDER_${name.toUpperCase().replaceAll('-', '_')}`];
  const quiet = [...PARTS, ...providerParts].filter((part) => (get(part) ?? '') === '');
  return Object.fromEntries(quiet.map((part) => [part, 'error']));
}
