import type {
  EFSAuthorizationConfigIAM,
  EFSTransitEncryption,
  Scope,
  Volume,
} from '@aws-sdk/client-ecs';
import type { LooseObject } from '../resource/loose.ts';
import { omitUnset } from '../resource/only.ts';
import { enumOf } from '../resource/enum-of.ts';

/** A volume of a task as users write it. Computed values may be unknown (`B`, `S`). */
export interface VolumeArguments<B = unknown, S = unknown> {
  readonly name: string;
  readonly host_path: string | null;
  readonly configure_at_launch: B;
  readonly docker_volume_configuration: readonly {
    readonly autoprovision: boolean;
    readonly driver: S;
    readonly driver_opts: Readonly<Record<string, string>> | null;
    readonly labels: Readonly<Record<string, string>> | null;
    readonly scope: S;
  }[];
  readonly efs_volume_configuration: readonly {
    readonly file_system_id: string;
    readonly root_directory: string;
    readonly transit_encryption: string | null;
    readonly transit_encryption_port: number | null;
    readonly authorization_config: readonly {
      readonly access_point_id: string | null;
      readonly iam: string | null;
    }[];
  }[];
  readonly fsx_windows_file_server_volume_configuration: readonly {
    readonly file_system_id: string;
    readonly root_directory: string;
    readonly authorization_config: readonly {
      readonly credentials_parameter: string;
      readonly domain: string;
    }[];
  }[];
}

/** A volume as the service has it. */
export function volumeOf(volume: VolumeArguments): Volume {
  const [docker] = volume.docker_volume_configuration;
  const [efs] = volume.efs_volume_configuration;
  const [fsx] = volume.fsx_windows_file_server_volume_configuration;
  const [access] = efs?.authorization_config ?? [];
  const [login] = fsx?.authorization_config ?? [];
  const { driver, scope } = { driver: textOf(docker?.driver), scope: textOf(docker?.scope) };
  return {
    name: volume.name,
    ...(typeof volume.configure_at_launch === 'boolean' && {
      configuredAtLaunch: volume.configure_at_launch,
    }),
    ...((volume.host_path ?? '') !== '' && { host: omitUnset({ sourcePath: volume.host_path }) }),
    ...(docker && {
      dockerVolumeConfiguration: {
        ...omitUnset({ driver }),
        // The configured values have been validated.
        ...(scope !== undefined && { scope: enumOf<Scope>(scope) }),
        ...(scope === 'shared' && { autoprovision: docker.autoprovision }),
        ...(docker.driver_opts && { driverOpts: { ...docker.driver_opts } }),
        ...(docker.labels && { labels: { ...docker.labels } }),
      },
    }),
    ...(efs && {
      efsVolumeConfiguration: {
        fileSystemId: efs.file_system_id,
        // An access point determines the directory.
        ...((access?.access_point_id ?? '') === '' && { rootDirectory: efs.root_directory }),
        ...omitUnset({
          transitEncryption: enumOf<EFSTransitEncryption>(efs.transit_encryption),
          transitEncryptionPort: efs.transit_encryption_port,
        }),
        ...(access && {
          authorizationConfig: omitUnset({
            accessPointId: access.access_point_id,
            iam: enumOf<EFSAuthorizationConfigIAM>(access.iam),
          }),
        }),
      },
    }),
    ...(fsx && {
      fsxWindowsFileServerVolumeConfiguration: {
        fileSystemId: fsx.file_system_id,
        rootDirectory: fsx.root_directory,
        authorizationConfig: {
          credentialsParameter: login?.credentials_parameter,
          domain: login?.domain,
        },
      },
    }),
  };
}

/** The arguments of a volume of the service. */
export function volumeArguments(volume: Volume): LooseObject<VolumeArguments<boolean, string>> {
  const { dockerVolumeConfiguration: docker, efsVolumeConfiguration: efs } = volume;
  const { fsxWindowsFileServerVolumeConfiguration: fsx } = volume;
  const access = efs?.authorizationConfig;
  return {
    name: volume.name,
    host_path: volume.host?.sourcePath,
    configure_at_launch: volume.configuredAtLaunch ?? false,
    docker_volume_configuration: docker && [
      {
        autoprovision: docker.autoprovision ?? false,
        driver: docker.driver ?? '',
        driver_opts: docker.driverOpts,
        labels: docker.labels,
        scope: docker.scope ?? '',
      },
    ],
    efs_volume_configuration: efs && [
      {
        file_system_id: efs.fileSystemId,
        root_directory: efs.rootDirectory ?? '/',
        transit_encryption: efs.transitEncryption,
        transit_encryption_port: efs.transitEncryptionPort,
        authorization_config: access && [
          { access_point_id: access.accessPointId, iam: access.iam },
        ],
      },
    ],
    fsx_windows_file_server_volume_configuration: fsx && [
      {
        file_system_id: fsx.fileSystemId,
        root_directory: fsx.rootDirectory,
        authorization_config: fsx.authorizationConfig && [
          {
            credentials_parameter: fsx.authorizationConfig.credentialsParameter,
            domain: fsx.authorizationConfig.domain,
          },
        ],
      },
    ],
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
