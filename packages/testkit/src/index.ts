export { cpuMilliseconds } from './cpu-time.ts';
export { ManualClock } from './manual-clock.ts';
export { MemoryDisk, type MemoryNode, type Survival } from './memory-disk.ts';
export {
  END_BEFORE,
  END_WITHIN,
  MemoryFiles,
  ProcessEnded,
  SHORT_WRITE,
  systemError,
  type Fault,
  type FileStep,
  type MemoryFilesOptions,
} from './memory-files.ts';
export {
  memoryHost,
  seededRandom,
  type MemoryHost,
  type MemoryHostOptions,
} from './memory-host.ts';
