// Terrane and the real terraform at one state, which each of them finds and locks where the other does.
import { randomUUID } from 'node:crypto';
import type { Storage } from '@terrane/host';
import { expect } from 'vitest';
import { findTerraform } from '../differential/program.ts';
import { Projects } from './interchange.ts';
import { lockId } from './locks.ts';
import { worked, Workplace } from './programs.ts';

/** Access to the state from this process. */
export interface Beside {
  storage(): Promise<Storage>;
  /** called when terraform has applied once, and waits with the lock for an answer */
  locked(): Promise<void>;
}

/** A configuration whose only output is a variable. */
function configuration(block: string): string {
  return `terraform {\n${block}\n}\nvariable "value" {\n  default = "first"\n}\noutput "x" {\n  value = var.value\n}\n`;
}

/** Terraform begins; then both go on by turns, and meet each other's locks. */
export async function besides(
  block: string,
  env: Readonly<Record<string, string>>,
  { storage, locked }: Beside,
): Promise<void> {
  const program = findTerraform();
  if (program === undefined) throw new Error('terraform is not here');
  await using projects = await Projects.make(env);
  const theirs = await projects.project('theirs', program, configuration(block));
  await theirs.ok('init -no-color -input=false');
  await theirs.ok('apply -no-color -auto-approve');
  const letGo = await theirs.holdLock();
  await locked();
  const ours = await Workplace.make(env);
  try {
    await ours.write('main.tf', configuration(block));
    await worked(ours.terrane('init', '-no-color'));
    expect(await worked(ours.terrane('output', '-raw', 'x'))).toBe('first');
    const kept = await ours.terrane('apply', '-auto-approve', '-no-color', '-var=value=second');
    expect(kept.output).toContain('Error acquiring the state lock');
    expect(kept.output).toMatch(/Version: +1\.11\.4/);
    await letGo();
    await worked(ours.terrane('apply', '-auto-approve', '-no-color', '-var=value=second'));
    expect(await theirs.ok('output -raw x')).toBe('second');
    await worked(ours.terrane('workspace', 'new', 'ours'));
    expect(await theirs.ok('workspace list')).toContain('ours');

    const ourStorage = await storage();
    const id = await lockId(ourStorage, randomUUID());
    const refused = await theirs.run('apply -auto-approve -no-color');
    expect(refused.output).toContain('Error acquiring the state lock');
    expect(refused.output).toContain(id);
    expect(refused.output).toContain('tester@machine');
    await theirs.ok(`force-unlock -force ${id}`);
    expect(await ourStorage.lockHolder?.()).toBeUndefined();
  } finally {
    await ours.remove();
  }
}
