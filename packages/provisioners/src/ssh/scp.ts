import type { FileSystem } from '@terrane/host';
import { brief } from '../brief.ts';
import { contentOf, listing } from '../local-files.ts';

/** The streams of a running `scp` that receives; reads return `undefined` at the end. */
export interface ScpStream {
  write(data: string | Uint8Array): Promise<void>;
  readByte(): Promise<number | undefined>;
  /** up to a line feed, without it */
  readLine(): Promise<string | undefined>;
}

/** The remote `scp` has exited; its exit status has the reason. */
export class ScpEnded extends Error {}

/** Sends one file. */
export async function sendFile(scp: ScpStream, name: string, data: Uint8Array): Promise<void> {
  await scp.write(`C0644 ${data.length} ${name}\n`);
  await check(scp);
  await scp.write(data);
  await scp.write('\0');
  await check(scp);
}

/** Sends a directory recursively; `name` undefined: only its content. Symbolic links are followed. */
export async function sendDirectory(
  scp: ScpStream,
  files: FileSystem,
  path: string,
  name: string | undefined,
): Promise<void> {
  if (name !== undefined) {
    await scp.write(`D0755 0 ${name}\n`);
    await check(scp);
  }
  for (const entry of await listing(files, path)) {
    const inner = `${path.replace(/\/$/, '')}/${entry}`;
    const stat = await files.stat(inner);
    if (stat === undefined) throw new Error(`lstat ${inner}: no such file or directory`);
    if (stat.kind === 'directory') await sendDirectory(scp, files, inner, entry);
    else if (stat.kind === 'file') await sendFile(scp, entry, await contentOf(files, inner));
    else throw new Error(`open ${inner}: not a file or directory`);
  }
  if (name !== undefined) await scp.write('E\n');
}

/** Waits for the acknowledgement of the sent data; throws the error of the remote side. */
async function check(scp: ScpStream): Promise<void> {
  const code = await scp.readByte();
  if (code === undefined) throw new ScpEnded();
  if (code === 0) return;
  const message = await scp.readLine();
  throw new Error(message === undefined ? 'Error reading error message: EOF' : brief(message));
}
