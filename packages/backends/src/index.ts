// A state in a file of this machine
export {
  localStateFiles,
  timestampedBackupPath,
  type LocalStateFiles,
} from './local/local-files.ts';
export { localStorage, type LocalStorageOptions } from './local/local-storage.ts';

// States that live as long as the process
export { MemoryStates } from './inmem/memory-storage.ts';
