// A part of its own in the program: what most commands need of the registry package, and no more.
export { executableIn, installedPackage, readDependencyLock } from '@terrane/registry';
