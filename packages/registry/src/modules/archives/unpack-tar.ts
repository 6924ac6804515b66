import { createTarDecoder } from 'modern-tar';
import { FetchFailed } from '../fetch/fetch-failed.ts';
import type { UnpackedTree } from './unpacked-tree.ts';

/** Unpacks a tar archive from a stream. `name` is its name in errors. */
export async function unpackTar(
  archive: ReadableStream<Uint8Array>,
  tree: UnpackedTree,
  name: string,
): Promise<void> {
  const decoder = createTarDecoder({ strict: true });
  const stop = new AbortController();
  const piping = archive.pipeTo(decoder.writable, { signal: stop.signal });
  piping.catch(() => {}); // errors are also thrown at the other end of the stream
  let hasEntries = false;
  try {
    const entries = decoder.readable.getReader();
    for (;;) {
      const { done, value: entry } = await entries.read();
      if (done) break;
      const { header, body } = entry;
      tree.announce(header.size);
      if (header.type === 'directory') {
        await tree.directory(header.name, header.mode ?? 0o755);
        await body.cancel();
        continue;
      }
      hasEntries = true;
      await tree.file(header.name, header.mode ?? 0o644, piecesOf(body));
    }
    await piping;
  } catch (error) {
    stop.abort();
    throw error;
  }
  if (!hasEntries) throw new FetchFailed(`empty archive: ${name}`);
  await tree.finish();
}

async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
