import type { Files } from '../protocol.ts';

/** The limit for the text of a shared project, so that a small link cannot unpack to any size. */
const MAX_BYTES = 2_000_000;

/** Encodes files for a URL fragment: compressed JSON in base64url. */
export async function encodeFiles(files: Files): Promise<string> {
  const stream = new Blob([JSON.stringify(files)])
    .stream()
    .pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Decodes files of a URL fragment. Throws if it is malformed or too large. */
export async function decodeFiles(text: string): Promise<Files> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [json, size] = ['', 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MAX_BYTES) throw new Error('The shared project is too large.');
    json += decoder.decode(value, { stream: true });
  }
  const parsed: unknown = JSON.parse(json);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new TypeError('The link does not contain files.');
  }
  const files: Record<string, string> = {};
  for (const [path, content] of Object.entries(parsed)) {
    if (typeof content !== 'string' || fileNameProblem(path) !== undefined) {
      throw new TypeError('The link does not contain files.');
    }
    files[path] = content;
  }
  return files;
}

/** Returns why a file cannot have a name; undefined if it can. */
export function fileNameProblem(path: string): string | undefined {
  if (!/^[\w.-]+(?:\/[\w.-]+)*$/.test(path)) {
    return 'Use letters, digits, ".", "-" and "_", and "/" for directories.';
  }
  if (path.split('/').some((part) => part === '.' || part === '..' || part === '__proto__')) {
    return 'The path must stay below the project.';
  }
  return path.length > 200 ? 'The path is too long.' : undefined;
}
