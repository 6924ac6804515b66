import type { World } from '../world.ts';

/**
 * Replaces the product name in our own texts by the name of the called program, because programs that run Terraform
 * search for its texts. Must not be used for user-supplied text.
 */
export function inProgramName(text: string, { calledAs }: Pick<World, 'calledAs'>): string {
  if (calledAs === undefined) return text;
  const title = calledAs === 'tofu' ? 'OpenTofu' : 'Terraform';
  return text.replaceAll('Terrane', title).replace(/\bterrane\b/g, calledAs);
}
