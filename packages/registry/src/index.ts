// Service discovery
export { requestErrorText } from './discovery/network-error.ts';
export { withAddition } from './discovery/registry-request.ts';
export { CredentialsWithheld, requireEncrypted } from './discovery/credential-origin.ts';
export {
  type RegistryHost,
  registryRequest,
  type RegistryRequestOptions,
} from './discovery/registry-request.ts';
export {
  type Credentials,
  ServiceDirectory,
  type ServiceDirectoryOptions,
} from './discovery/service-directory.ts';
export {
  type OAuthClient,
  ServiceHost,
  ServiceNotProvided,
  ServiceVersionNotSupported,
} from './discovery/service-host.ts';
export { statusText } from './discovery/status-text.ts';

// Versions of providers
export { comparePrecedence, parseVersion, type Version } from './versions/version.ts';
export {
  allowsVersion,
  constraintsText,
  joinConstraints,
  parseProviderConstraints,
  type ProviderConstraints,
} from './versions/provider-constraints.ts';

// The dependency lock file
export {
  isLockable,
  type LockedProvider,
  lockFileText,
  normalHashes,
  type ProviderLocks,
  sameLockedProviders,
  sameLocks,
} from './lock/dependency-lock.ts';
export {
  type LockedModule,
  MODULE_LOCK_FILE,
  moduleLockFileText,
  type ModuleLocks,
  sameModuleLocks,
} from './lock/module-locks.ts';
export {
  type ModuleLockFile,
  parseModuleLockFile,
  readModuleLockFile,
} from './lock/read-module-locks.ts';
export { LOCK_FILE } from './lock/lock-file-name.ts';
export {
  type DependencyLock,
  parseDependencyLock,
  readDependencyLock,
} from './lock/read-lock-file.ts';
export { writeDependencyLock } from './lock/write-lock-file.ts';

// Packages of providers
export {
  executableIn,
  installedPackage,
  type InstalledPackage,
  type InstallationPlace,
} from './providers/installed-package.ts';
export {
  currentPlatform,
  parsePlatform,
  type Platform,
  platformText,
} from './providers/platform.ts';
export {
  type AuthenticationResult,
  authenticationText,
  thirdPartyKey,
} from './providers/authentication-result.ts';
export type {
  InstallationFilter,
  InstallationMethod,
  ProviderInstallation,
  ProviderPattern,
} from './providers/installation.ts';
export { defaultRegistry, IMPLIED_HOST } from './providers/default-registry.ts';
export { installProviders } from './providers/install-providers.ts';
export { constraintProblems } from './providers/required-constraints.ts';
export type {
  InstallEvent,
  InstallOptions,
  InstallOutcome,
  RequiredProvider,
} from './providers/install-options.ts';

// Modules
export { copyDirectory } from './modules/copy-directory.ts';
export { FetchFailed } from './modules/fetch/fetch-failed.ts';
export { redactedAddress } from './modules/fetch/redact.ts';
export { checkedOutCommit, modulePackageHash } from './modules/module-hash.ts';
export { ModuleVerifier, type ModuleVerifierOptions } from './modules/module-verifier.ts';
export {
  isLockedSource,
  type ModuleDownload,
  ModuleInstaller,
  type ModuleInstallerOptions,
  type ModuleRequest,
} from './modules/install-module.ts';
export type { InstalledCall, InstalledModule } from './modules/installed-module.ts';
export {
  MANIFEST_FILE,
  type ModuleManifest,
  moduleManifestText,
  type ModuleRecord,
  parseModuleManifest,
  readModuleManifest,
  recordSatisfies,
} from './modules/module-manifest.ts';
export {
  type LockEvent,
  type LockOutcome,
  lockProviders,
  type LockProvidersOptions,
} from './providers/lock-providers.ts';
export {
  type MirrorEvent,
  mirrorProviders,
  type MirrorProvidersOptions,
} from './providers/mirror-providers.ts';

// Repositories of OCI registries
export {
  type OciCredentialsOf,
  type OciDefaults,
  type OciLogin,
  ociLogins,
} from './oci/oci-logins.ts';

// Publishing releases of providers
export { keyIdOf, type SigningKey, verifyRelease } from './providers/signature.ts';
