export { ActionAddr, ActionInstanceAddr, compareActionInstances } from './action-addr.ts';
export { parseCheckable } from './checkable-addr.ts';
export type { CheckableKind } from './checkable-addr.ts';
export { cleanPath } from './clean-path.ts';
export { globOf, matchGlob } from './glob.ts';
export type { Glob } from './glob.ts';
export { goUrlText, parseGoUrl, queryEncode, queryOf } from './go-url.ts';
export type { GoUrl, QueryValues } from './go-url.ts';
export {
  compareKeys,
  instanceKeyOf,
  instanceKeyText,
  quoteHcl,
  UNKNOWN_KEY,
} from './instance-key.ts';
export type { InstanceKey } from './instance-key.ts';
export {
  compareModuleInstances,
  compareModulePaths,
  MODULE_ROOT,
  ModuleInstance,
  ModulePath,
  ROOT_INSTANCE,
  unkeyedInstance,
} from './module-path.ts';
export type { ModuleStep } from './module-prefix.ts';
export { moduleSourceText, parseModuleSource } from './module-source.ts';
export type { ModuleSource } from './module-source.ts';
export { parseActionTarget } from './parse-action-address.ts';
export type { ActionTarget, ParsedActionTarget } from './parse-action-address.ts';
export {
  moduleInstanceOf,
  modulePathOf,
  moveEndpointsUnify,
  moveEndpointText,
  parseInstanceAddr,
  parseInstanceTraversal,
  parseModuleInstance,
  parseMoveEndpoint,
  parseRemovedAddr,
  parseTarget,
  parseTargetTraversal,
  targetContains,
} from './parse-address.ts';
export type { MoveEndpoint, RemovedAddr, TargetAddr } from './parse-address.ts';
export {
  compareProviderSources,
  parseHostname,
  parseProviderPart,
  ProviderConfigAddr,
  ProviderSource,
} from './provider-source.ts';
export type { ProviderSourceError } from './provider-source.ts';
export { isQueryFile } from './query-file.ts';
export {
  parseReference,
  parseTestReference,
  referenceableText,
  referenceText,
} from './reference.ts';
export type { ParsedReference, Reference, Referenceable } from './reference.ts';
export { splitForcedGetter, splitSubdirectory } from './remote-source.ts';
export type { ModuleSourceError, RemoteSource } from './remote-source.ts';
export {
  AbsResource,
  compareAbsResources,
  compareInstances,
  ConfigResource,
  InstanceAddr,
  ResourceAddr,
} from './resource-addr.ts';
export type { ResourceMode } from './resource-addr.ts';
export { compareVersions, parseVersionConstraint } from './version-constraint.ts';
export type { ConstraintTerm, VersionConstraint } from './version-constraint.ts';
