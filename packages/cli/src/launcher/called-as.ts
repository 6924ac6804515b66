import { basename } from 'node:path';
import type { World } from '../world.ts';

/** Returns the program that `terrane shim` lets this one stand in for, by the name of the script that was started. */
export function calledAs([, script = '']: readonly string[]): Pick<World, 'calledAs'> {
  const name = basename(script, '.js');
  return name === 'terraform' || name === 'tofu' ? { calledAs: name } : {};
}
