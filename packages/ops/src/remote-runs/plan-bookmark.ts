import type { RunServer } from '@terrane/backends';
import type { FileSystem } from '@terrane/host';

/** A reference to a plan on a server, in the format of Terraform's plan files. */
export interface PlanBookmark {
  readonly run: string;
  readonly hostname: string;
}

/** Writes a bookmark of a plan on a server. It contains no secrets. */
export async function writeBookmark(
  files: FileSystem,
  path: string,
  { run, hostname }: PlanBookmark,
): Promise<void> {
  const text = JSON.stringify({ remote_plan_format: 1, run_id: run, hostname });
  await files.replaceFile(path, text, { mode: 0o644 });
}

/** The maximum size of a bookmark file; most plans are larger. */
const MAX_LENGTH = 64 * 1024;

/** Reads a bookmark file; `undefined` if it is missing or another file. */
export async function readBookmark(
  files: FileSystem,
  path: string,
): Promise<PlanBookmark | undefined> {
  const stat = await files.stat(path);
  if (stat?.kind !== 'file' || stat.size > MAX_LENGTH) return undefined;
  const text = await files.readText(path);
  if (!text.trimStart().startsWith('{')) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof json !== 'object' || json === null) return undefined;
  const of: Readonly<Record<string, unknown>> = { ...json };
  const { remote_plan_format: format, run_id: run, hostname } = of;
  if (format !== 1 || typeof hostname !== 'string' || hostname === '') return undefined;
  return typeof run === 'string' && run.startsWith('run-') ? { run, hostname } : undefined;
}

/** Returns true if another server stores the plan. */
export function isWrongHost({ hostname }: PlanBookmark, server: RunServer): boolean {
  return hostname !== server.hostname;
}
