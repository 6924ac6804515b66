import type { OciCredentials, OciDefaultCredentials, PolicyCheckerConfig } from './model.ts';
import type { WrittenInstallation } from './provider-installation.ts';

/** The settings of one file. */
export interface WrittenConfig {
  readonly hosts: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly credentials: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  readonly helpers: ReadonlyMap<string, readonly string[]>;
  readonly installations: readonly WrittenInstallation[];
  readonly defaultRegistry: string;
  readonly moduleLocks: string;
  readonly pluginCacheDirectory: string;
  readonly pluginCacheMayBreakLockFile: boolean;
  readonly disableCheckpoint: boolean;
  readonly retryCount: number | undefined;
  readonly requestTimeoutMs: number | undefined;
  readonly policies: readonly string[];
  readonly policyCheckers: ReadonlyMap<string, PolicyCheckerConfig>;
  readonly ociCredentials: readonly OciCredentials[];
  readonly ociDefaults: readonly OciDefaultCredentials[];
}

/** The settings of an empty file. */
export const NOTHING: WrittenConfig = {
  hosts: new Map(),
  credentials: new Map(),
  helpers: new Map(),
  installations: [],
  defaultRegistry: '',
  moduleLocks: '',
  pluginCacheDirectory: '',
  pluginCacheMayBreakLockFile: false,
  disableCheckpoint: false,
  retryCount: undefined,
  requestTimeoutMs: undefined,
  policies: [],
  policyCheckers: new Map(),
  ociCredentials: [],
  ociDefaults: [],
};

/** Merges the settings of two files: named entries of the later one win, and single settings of the earlier one. */
export function mergeConfigs(first: WrittenConfig, then: WrittenConfig): WrittenConfig {
  return {
    hosts: new Map([...first.hosts, ...then.hosts]),
    credentials: new Map([...first.credentials, ...then.credentials]),
    helpers: new Map([...first.helpers, ...then.helpers]),
    installations: [...first.installations, ...then.installations],
    moduleLocks: first.moduleLocks === '' ? then.moduleLocks : first.moduleLocks,
    defaultRegistry: first.defaultRegistry === '' ? then.defaultRegistry : first.defaultRegistry,
    pluginCacheDirectory:
      first.pluginCacheDirectory === '' ? then.pluginCacheDirectory : first.pluginCacheDirectory,
    pluginCacheMayBreakLockFile:
      first.pluginCacheMayBreakLockFile || then.pluginCacheMayBreakLockFile,
    disableCheckpoint: first.disableCheckpoint || then.disableCheckpoint,
    retryCount: first.retryCount ?? then.retryCount,
    requestTimeoutMs: first.requestTimeoutMs ?? then.requestTimeoutMs,
    policies: [...first.policies, ...then.policies],
    policyCheckers: new Map([...first.policyCheckers, ...then.policyCheckers]),
    ociCredentials: [...first.ociCredentials, ...then.ociCredentials],
    ociDefaults: [...first.ociDefaults, ...then.ociDefaults],
  };
}
