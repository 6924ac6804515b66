// A separate chunk of the bundle: the part of the registry package that most commands need.
export { executableIn, installedPackage, readDependencyLock } from '@terrane/registry';
