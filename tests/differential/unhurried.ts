/** Without what both programs say only where taking the lock took them long, as on a busy machine. */
export function unhurried(output: string): string {
  return output.replace(/^Acquiring state lock\. This may take a few moments\.\.\.\n/gm, '');
}
