// The outside world as small interfaces
export type {
  AppendFile,
  DirectoryEntry,
  DurabilityOptions,
  FileContent,
  FileLock,
  FileLockResult,
  FileStat,
  FileSystem,
  ReadFile,
  ReplaceOptions,
  WriteOptions,
} from './file-system.ts';
export type {
  Clock,
  ConnectOptions,
  Environment,
  Host,
  Http,
  HttpAnswer,
  HttpRequest,
  HttpSession,
  HttpTls,
  LocalAnswer,
  LocalServer,
  LocalTlsOptions,
  Network,
  Random,
  RunningProgram,
  Spawn,
  SpawnOptions,
  StartOptions,
  TlsOptions,
} from './host.ts';

// Errors: of files, internal ones and their text
export { importOptional } from './optional-package.ts';
export { errorText, expectUserError, isInternalError, userErrorText } from './error-text.ts';
export { fileError, type FileError, fileErrorAdvice } from './file-error.ts';

// Paths by the rules of a platform
export { goPaths, type GoPaths, pathsOf } from './file-paths.ts';

// The program's name in messages
export {
  calledProgram,
  inProductName,
  programCommand,
  type ProgramName,
  setProgramName,
} from './program-name.ts';

// Interrupts
export { forManyListeners } from './for-many-listeners.ts';

// Logs
export type { Log, LogFields, LogLevel, Logs } from './log.ts';

// Traces
export { type Span, type SpanAttributes, type Traces, withSpan } from './traces.ts';

// Server responses
export { absolutePathEntries, findOnPath } from './find-on-path.ts';
export { bodyBytes, bodyText, BodyTooLarge, discardBody } from './http-body.ts';

// Checksums
export { crc64 } from './crc64.ts';

// XML; its parser is `@terrane/host/xml`
export { escapeXml, replaceNonXmlCharacters } from './escape-xml.ts';

// Unreachable servers
export { errorCode, isCertificateError, requestFailure } from './request-failure.ts';

// Proxies
export { addressFilter, isNetwork } from './address-filter.ts';
export { proxyFor } from './proxy-for.ts';

// Incremental text
export { LineSplitter, MAX_LINE_LENGTH } from './line-splitter.ts';
export { TextTail } from './text-tail.ts';

// Durations
export { parseDuration } from './duration.ts';

// State storage
export { LEASE_MS, LockLost } from './storage.ts';
export type { Lease, LockInfo, LockOutcome, Storage } from './storage.ts';
export { type SideStorage, sideNameSegments } from './side-storage.ts';

// Limited concurrency
export { createPool, type Pool } from './pool.ts';

// The Node version
export { nodeHost } from './node-host.ts';

// The current process
export { type OutputStream, type OwnProcess, ownProcess } from './own-process.ts';
