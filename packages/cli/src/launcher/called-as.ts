import { basename } from 'node:path';
import type { World } from '../world.ts';

/** Returns the program that `terrane shim` lets this one replace, by the name of the started script. */
export function calledAs([, script = '']: readonly string[]): Pick<World, 'calledAs'> {
  const name = basename(script, '.js');
  return name === 'terraform' || name === 'tofu' ? { calledAs: name } : {};
}
