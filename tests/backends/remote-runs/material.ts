import { readFileSync } from 'node:fs';

/** Logs and plans of the real terraform 1.11.4, made by `record.ts`. */
export interface Material {
  readonly planLog: string;
  readonly planJsonLog: string;
  readonly applyLog: string;
  readonly applyJsonLog: string;
  readonly failedPlanJsonLog: string;
  readonly redacted: string;
  readonly json: string;
  readonly noChangesLog: string;
}

/** The recordings. */
export const MATERIAL: Material = JSON.parse(
  readFileSync(new URL('recorded/material.json', import.meta.url), 'utf8'),
) as Material;
