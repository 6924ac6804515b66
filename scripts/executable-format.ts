/** A platform that executables are built for, in Node's terms. */
export interface ExecutablePlatform {
  readonly os: 'linux' | 'darwin' | 'win32';
  readonly cpu: 'x64' | 'arm64';
}

const ELF_MACHINES: ReadonlyMap<number, ExecutablePlatform['cpu']> = new Map([
  [0x3e, 'x64'],
  [0xb7, 'arm64'],
]);
const MACH_CPUS: ReadonlyMap<number, ExecutablePlatform['cpu']> = new Map([
  [0x01000007, 'x64'],
  [0x0100000c, 'arm64'],
]);
const PE_MACHINES: ReadonlyMap<number, ExecutablePlatform['cpu']> = new Map([
  [0x8664, 'x64'],
  [0xaa64, 'arm64'],
]);

/** Returns the platform that the header of an executable names; undefined for other files and processors. */
export function platformOfExecutable(bytes: Buffer): ExecutablePlatform | undefined {
  if (bytes.length < 64) return undefined;
  const magic = bytes.readUInt32BE(0);
  let os: ExecutablePlatform['os'];
  let cpu: ExecutablePlatform['cpu'] | undefined;
  if (magic === 0x7f454c46) {
    os = 'linux';
    cpu = ELF_MACHINES.get(bytes.readUInt16LE(18));
  } else if (magic === 0xcffaedfe) {
    os = 'darwin';
    cpu = MACH_CPUS.get(bytes.readUInt32LE(4));
  } else if (bytes.toString('latin1', 0, 2) === 'MZ') {
    const header = bytes.readUInt32LE(60);
    if (bytes.length < header + 6 || bytes.toString('latin1', header, header + 4) !== 'PE\0\0')
      return undefined;
    os = 'win32';
    cpu = PE_MACHINES.get(bytes.readUInt16LE(header + 4));
  } else return undefined;
  return cpu === undefined ? undefined : { os, cpu };
}

/** Node looks for an application in itself if this mark ends in 1. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:';

/** Returns whether an executable is Node with an application that contains files with these contents. */
export function containsApplication(bytes: Buffer, contents: readonly Buffer[]): boolean {
  return (
    bytes.includes(`${FUSE}1`) &&
    !bytes.includes(`${FUSE}0`) &&
    contents.every((content) => bytes.includes(content))
  );
}

/** V8 reads compiled code in place at multiples of this address, and otherwise copies it first. */
const CODE_ALIGNMENT = 8;

/** Size of the header of a file from {@link alignableCode}. */
const HEADER_SIZE = 2;

/**
 * Returns the file for compiled code, with room to align it: the numbers of bytes before and after the code, in a byte
 * each, and the code. Where the file is within the executable is known only after the executable was made.
 */
export function alignableCode(code: Buffer): Buffer {
  const room = CODE_ALIGNMENT - 1;
  return Buffer.concat([Buffer.from([HEADER_SIZE, room]), code, Buffer.alloc(room)]);
}

/** Returns the code in a file from {@link alignableCode}. */
export function codeIn(file: Buffer): Buffer {
  const [before = 0, after = 0] = file;
  return file.subarray(before, file.length - after);
}

/**
 * Aligns the code in a file from {@link alignableCode} within an executable. Executables of all systems are mapped such
 * that an offset in the file and its address have the same remainder. Throws if the executable does not contain the file.
 */
export function alignCode(executable: Buffer, file: Buffer): void {
  const start = executable.indexOf(file);
  if (start === -1) throw new Error('the executable does not contain the compiled code');
  const padding = -(start + HEADER_SIZE) & (CODE_ALIGNMENT - 1);
  executable[start] = HEADER_SIZE + padding;
  executable[start + 1] = CODE_ALIGNMENT - 1 - padding;
  codeIn(file).copy(executable, start + HEADER_SIZE + padding);
}

/** Size of the mark and the version of V8 at the start of compiled code; the length of the source follows. */
const CODE_VERSION_SIZE = 8;

/** Offset and size of the digest of V8's options in compiled code. */
const DIGEST_OFFSET = 12;
const DIGEST_SIZE = 4;

/**
 * Has all compiled code in an executable that has the digest of one header of compiled code, such as that of the
 * built-in modules of Node.js, have that of another. Returns the number of replaced digests.
 */
export function replaceDigests(executable: Buffer, from: Buffer, to: Buffer): number {
  const version = from.subarray(0, CODE_VERSION_SIZE);
  const digest = from.subarray(DIGEST_OFFSET, DIGEST_OFFSET + DIGEST_SIZE);
  let replaced = 0;
  for (
    let start = executable.indexOf(version);
    start !== -1;
    start = executable.indexOf(version, start + 1)
  ) {
    const at = start + DIGEST_OFFSET;
    if (!executable.subarray(at, at + DIGEST_SIZE).equals(digest)) continue;
    to.copy(executable, at, DIGEST_OFFSET, DIGEST_OFFSET + DIGEST_SIZE);
    replaced++;
  }
  return replaced;
}
