// Publishing a provider
export { type BundleOptions, bundleProvider } from './bundle.ts';
export { devOverrides } from './dev-overrides.ts';
export { instructions } from './instructions.ts';
export {
  type PackagedProvider,
  type PackageOptions,
  packageProvider,
  platformOf,
  SCRIPT_PLATFORMS,
} from './package-provider.ts';
export { type ProviderName, providerName } from './provider-name.ts';
export { scriptExecutable } from './script-executable.ts';
