/** A platform that a release has an executable for. */
export interface Platform {
  /** names of Node.js, such as "win32" and "x64" */
  readonly os: string;
  readonly cpu: string;
  /** directory of the executable in the build, such as "win-x64" */
  readonly build: string;
  /** end of the name of its npm package, such as "win32-x64" */
  readonly npm: string;
  /** names of Go, which archives have, such as "windows_amd64" */
  readonly archive: string;
}

const GO_SYSTEMS: Readonly<Record<string, string>> = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'windows',
};
const GO_PROCESSORS: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

function platform(os: string, cpu: string): Platform {
  return {
    os,
    cpu,
    build: `${os === 'win32' ? 'win' : os}-${cpu}`,
    npm: `${os}-${cpu}`,
    archive: `${GO_SYSTEMS[os]}_${GO_PROCESSORS[cpu]}`,
  };
}

/** Every platform with an executable. */
export const PLATFORMS: readonly Platform[] = [
  platform('darwin', 'arm64'),
  platform('darwin', 'x64'),
  platform('linux', 'arm64'),
  platform('linux', 'x64'),
  platform('win32', 'x64'),
];

/** Returns the platforms of these names, such as "linux-x64"; throws for other names. */
export function platformsOf(names: readonly string[]): readonly Platform[] {
  return names.map((name) => {
    const platform = PLATFORMS.find(({ build, npm }) => build === name || npm === name);
    if (platform === undefined) throw new Error(`"${name}" is not a platform with an executable`);
    return platform;
  });
}
