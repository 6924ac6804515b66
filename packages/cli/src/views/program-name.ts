import type { World } from '../world.ts';

/**
 * One of our own texts with the name that the program was called by: programs that run Terraform look for
 * its texts. Only for texts that hold nothing of the user's.
 */
export function inProgramName(text: string, { calledAs }: Pick<World, 'calledAs'>): string {
  if (calledAs === undefined) return text;
  const title = calledAs === 'tofu' ? 'OpenTofu' : 'Terraform';
  return text.replaceAll('Terrane', title).replace(/\bterrane\b/g, calledAs);
}
